package commands

import (
	"errors"
	"fmt"
	"strings"

	"mcpq/internal/credstore"
	"mcpq/mcp/auth"
)

// exitAuthorization is the code of a failed authorization.
func exitAuthorization(err error) int {
	var (
		config *auth.ConfigError
		fetch  *auth.FetchError
		usage  *UsageError
	)
	switch {
	case errors.As(err, &usage), errors.As(err, &config):
		return exitUsage
	case errors.As(err, &fetch):
		return exitSession
	}
	return exitDenied
}

// isStore reports whether stored credentials could not be read or written.
func isStore(err error) bool {
	var store *credstore.Error
	return errors.As(err, &store)
}

// loginHint says how to get on after a failed authorization.
func loginHint(err error) string {
	var (
		needed  *auth.LoginRequiredError
		client  *auth.RegistrationError
		browser *auth.BrowserError
		refused *auth.AnswerError
	)
	switch {
	case errors.As(err, &needed):
		scope := ""
		if len(needed.Scopes) > 0 {
			scope = fmt.Sprintf(" --scope '%s'", strings.Join(needed.Scopes, " "))
		}
		return fmt.Sprintf("'mcpq auth login -s %s%s' logs in, --login does it in place; MCPQ_TOKEN and --client-id are for CI", needed.Server, scope)
	case errors.As(err, &client):
		return "--client-id names a client that is registered there, --client-metadata-url a metadata document"
	case errors.As(err, &browser):
		return "--browser CMD names a browser, --no-browser takes a pasted URL, --device works where the server offers it"
	case errors.As(err, &refused) && refused.Code == "access_denied":
		return "the login was cancelled, or you may not use this server"
	}
	return ""
}
