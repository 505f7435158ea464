package servers

import (
	"fmt"
	"strings"
)

// MinimalEnviron is what a configured command gets of an environment: what
// programs need to run at all, and nothing that may be a secret.
func MinimalEnviron(environ []string, goos string) []string {
	var kept []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if goos == "windows" {
			name = strings.ToUpper(name)
		}
		if isMinimal(name, goos) {
			kept = append(kept, pair)
		}
	}
	return kept
}

func isMinimal(name, goos string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TZ", "TMPDIR", "TEMP", "TMP":
		return true
	case "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
		"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES",
		"NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS":
		return goos == "windows"
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}

// parseEnvFile reads the lines of an envFile: NAME=VALUE, with quotes or
// without. Nothing in it is expanded.
func parseEnvFile(text []byte) ([]Pair, error) {
	var pairs []Pair
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		line = strings.TrimSpace(strings.TrimPrefix(line, "export "))
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" {
			return nil, fmt.Errorf("line %d: write NAME=VALUE", number)
		}
		pairs = append(pairs, Pair{name, unquoteLine(value)})
	}
	return pairs, nil
}

// unquoteLine takes quotes off a value, and a comment off one without.
func unquoteLine(value string) string {
	if value == "" {
		return ""
	}
	quote := value[0]
	if quote != '"' && quote != '\'' && quote != '`' {
		text, _, _ := strings.Cut(value, " #")
		return strings.TrimSpace(text)
	}
	end := strings.IndexByte(value[1:], quote)
	if end < 0 {
		return value
	}
	value = value[1 : 1+end]
	if quote == '"' {
		value = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(value)
	}
	return value
}
