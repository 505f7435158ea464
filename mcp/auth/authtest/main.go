package authtest

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// Main runs a protected server as a program, with what is protected given, and
// returns its exit code. The address of the MCP server is written to a file,
// and the issuer to another beside it, NAME-issuer.
// GET /events on its origin tells what happened, /expire ends all tokens.
func Main(protected http.Handler) int {
	flags := flag.NewFlagSet("auth-server", flag.ContinueOnError)
	var config Config
	flags.String("http", "", "ignored: any address")
	file := flags.String("addr-file", "", "file for the URL of the MCP server")
	flags.StringVar(&config.ChallengeScope, "challenge-scope", "", "scope of the challenge")
	flags.StringVar(&config.CallScope, "call-scope", "", "scope that tools/call needs")
	flags.BoolVar(&config.DPoP, "dpop", false, "tokens are bound")
	flags.BoolVar(&config.NoRefresh, "no-refresh", false, "no refresh tokens")
	flags.StringVar(&config.Assertion, "assertion", "", "the JWT for jwt-bearer")
	flags.StringVar(&config.IdentityJAG, "jag", "", "what the token exchange gives")
	issuer := flags.String("issuer", "", "the issuer that the metadata names")
	iss := flags.String("iss", "", "the issuer that answers name")
	if flags.Parse(os.Args[1:]) != nil {
		const usage = 2
		return usage
	}
	if *issuer != "" {
		config.Metadata = func(m map[string]any) { m["issuer"] = *issuer }
	}
	if *iss != "" {
		config.Answer = func(q url.Values) { q.Set("iss", *iss) }
	}
	config.Clients = map[string]Client{"robot": {Secret: "a-secret-of-the-robot"}}
	config.Handler = protected
	s := Start(config)
	defer s.Close()
	// The address comes last: who waits for it finds the other one there.
	if err := os.WriteFile(*file+"-issuer", []byte(s.Issuer+"\n"), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := os.WriteFile(*file, []byte(s.URL+"\n"), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
	return 0
}

// control answers what tests ask of a server that is a process of its own.
func (s *Server) control(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case "/events":
		_, _ = fmt.Fprintln(w, s.Events())
	case "/expire":
		s.ExpireAll()
	case "/approve": // what a person does at a login: the URL of the last page is told
		s.approve(w, r)
	default:
		return false
	}
	return true
}

// approve follows a login up to where it leads, and tells that URL.
func (s *Server) approve(w http.ResponseWriter, r *http.Request) {
	target := r.URL.Query().Get("url")
	if !strings.HasPrefix(target, s.Issuer+"/authorize?") {
		http.Error(w, "not a login of this server", http.StatusBadRequest)
		return
	}
	const patience = 10 * time.Second
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	_ = resp.Body.Close()
	_, _ = fmt.Fprintln(w, resp.Header.Get("Location"))
}
