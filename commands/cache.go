package commands

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/diskcache"
	"mcpq/mcp"
	"mcpq/mcp/auth"
)

// CacheFlags say what is done with answers that the server allows to be kept.
type CacheFlags struct {
	NoCache bool `xor:"cache" group:"server" help:"Neither use nor keep what servers of 2026-07-28 allow to be kept, and which era a server speaks."`
	Refresh bool `xor:"cache" group:"server" help:"Ask anew for what is kept, and keep the answers."`
}

// cache makes what keeps answers of the target between runs; it adds nothing
// where nothing is to be kept. anew does not use what is kept.
func (r *runner) cache(o *mcp.Options, t *servers.Target, header http.Header) {
	if r.grammar.NoCache || r.env.CacheDir == nil {
		return
	}
	server := r.identity(t, header)
	if server == "" {
		return
	}
	verbose := func(text string) {
		if r.grammar.Verbose > 0 {
			r.messages.Line("* " + text)
		}
	}
	store, err := r.answersKept(func(err error) { verbose(err.Error()) })
	if err != nil {
		verbose("nothing is cached: " + err.Error())
		return
	}
	o.Cache = store
	o.Identity = mcp.Identity{Server: server, Credentials: r.fingerprint(t, header)}
	o.Refresh = r.grammar.Refresh || r.anew
	o.Cached = func(u mcp.CacheUse) {
		verbose(fmt.Sprintf("%s from the cache, %s old", u.Method, u.Age.Round(time.Millisecond)))
	}
}

// answersKept is where answers are kept; warn is told why they are not.
func (r *runner) answersKept(warn func(error)) (*diskcache.Store, error) {
	dir, err := r.env.CacheDir()
	if err != nil {
		return nil, err
	}
	return diskcache.New(filepath.Join(dir, "mcpq", "answers"), diskcache.DefaultLimits(), warn), nil
}

// identity names a server and all that changes what it answers to everybody; ""
// for one of which nothing is kept.
func (r *runner) identity(t *servers.Target, header http.Header) string {
	flags := &r.grammar.ServerFlags
	switch t.Kind {
	case servers.HTTP:
		// What came over a connection that anybody may have tampered with
		// must not serve one that is checked.
		return fields("http", t.URL, plainHeaders(header), r.grammar.CACert, r.grammar.Insecure)
	case servers.Socket:
		return fields("socket", t.Network, t.Address)
	case servers.Command:
		dir, err := filepath.Abs(flags.Cwd)
		if err != nil {
			return ""
		}
		program := t.Args[0]
		if filepath.Base(program) != program && !filepath.IsAbs(program) {
			program = filepath.Join(dir, program) // it is started there
		}
		program, err = exec.LookPath(program)
		if err != nil {
			return "" // it will not start
		}
		return fields("command", program, t.Args, dir, flags.Env, versions(dir, append([]string{program}, t.Args[1:]...)))
	}
	return ""
}

// versions are the times and sizes of the words that are files: a server that
// was built anew is another one.
func versions(dir string, words []string) []string {
	const most = 16 // a server has no more than a script or two
	var found []string
	for _, word := range words[:min(len(words), most)] {
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			found = append(found, fmt.Sprint(word, info.ModTime().UnixNano(), info.Size()))
		}
	}
	return found
}

// plainHeaders are those that are no secrets. Those of tracing differ every
// time and change no answer.
func plainHeaders(header http.Header) []string {
	var plain []string
	for name, values := range header {
		switch strings.ToLower(name) {
		case "traceparent", "tracestate", "baggage":
			continue
		}
		if !isSecret(name) {
			plain = append(plain, fields(name, values))
		}
	}
	slices.Sort(plain)
	return plain
}

// fingerprint makes what names the credentials that requests are authorized by,
// as they are at the moment.
func (r *runner) fingerprint(t *servers.Target, header http.Header) func() string {
	if t.Kind != servers.HTTP {
		return func() string { return digest(secretVariables(r.env.Environ())) }
	}
	var secret []string
	for name, values := range header {
		if isSecret(name) {
			secret = append(secret, fields(name, values))
		}
	}
	slices.Sort(secret)
	return func() string { return digest(secret, r.certificate(), r.authorization(t.URL, header)) }
}

// secretVariables are those of the environment that a server may take its
// credentials from.
func secretVariables(environ []string) []string {
	var found []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if isSecret(name) || name == "HOME" || name == "USER" {
			found = append(found, pair)
		}
	}
	slices.Sort(found)
	return found
}

// certificate is what is shown to the server, by its file.
func (r *runner) certificate() string {
	file := r.grammar.Cert
	if file == "" {
		return ""
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return rand.Text() // nobody else's
	}
	return string(pem)
}

// authorization is what roundTripper authorizes requests with. What it gets in
// this run and stores nowhere is not known: then no two answers are alike.
func (r *runner) authorization(url string, header http.Header) string {
	f := &r.grammar.AuthFlags
	if f.OAuth == oauthNone || header.Get("Authorization") != "" {
		return ""
	}
	if token, err := r.token(); err != nil || token != "" {
		return fields("token", token)
	}
	if f.NoStore {
		return rand.Text()
	}
	stored, err := r.credentials().Load(r.ctx, auth.Key(url))
	if err != nil {
		return rand.Text()
	}
	if stored == nil {
		return ""
	}
	return fields("stored", string(stored), f.OAuth, f.ClientID, f.ClientAudience, f.Scope)
}

// fields puts values together so that they stay apart.
func fields(values ...any) string {
	text, err := json.Marshal(values)
	if err != nil { // they are strings, lists of them, and booleans
		panic(err)
	}
	return string(text)
}

// digest is what stands for secrets.
func digest(values ...any) string {
	sum := sha256.Sum256([]byte(fields(values...)))
	return hex.EncodeToString(sum[:])
}
