package form

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"mcpq/internal/rawjson"
)

// checkFormat holds a text against the field's format, which a schema alone
// does not check.
func (f *Field) checkFormat(value json.RawMessage) error {
	text, ok := rawjson.Unquote(value)
	if !ok || f.format == "" || f.Kind != Text {
		return nil
	}
	wants := ""
	switch f.format {
	case "email":
		at, err := mail.ParseAddress(text)
		if err != nil || at.Address != text {
			wants = "an email address"
		}
	case "uri":
		u, err := url.Parse(text)
		if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" && u.Path == "" || strings.ContainsAny(text, " <>\"{}|\\^`") {
			wants = "a URI such as https://example.com/"
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			wants = "a date such as 2026-01-31"
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err != nil {
			wants = "a date and time such as 2026-01-31T12:00:00Z"
		}
	}
	if wants != "" {
		return &AnswerError{f.Name, fmt.Sprintf("%s: got %q, want %s", f.Name, text, wants)}
	}
	return nil
}
