package demo

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

const (
	readmeURI        = "demo://readme"
	configURI        = "demo://config"
	logoURI          = "demo://logo.png"
	greetingPrefix   = "demo://greeting/"
	greetingTemplate = greetingPrefix + "{name}"
)

const readmeText = `# Demo server

This text is the resource ` + "`demo://readme`" + `.

- ` + "`demo://config`" + ` changes when the ` + "`touch`" + ` tool is called.
- ` + "`demo://logo.png`" + ` is binary.
- ` + "`demo://greeting/{name}`" + ` greets whom you like.
`

// resource is a resource or, with Template set, a resource template.
type resource struct {
	URI         string           `json:"uri,omitempty"`
	Template    string           `json:"uriTemplate,omitempty"`
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	MIMEType    string           `json:"mimeType,omitempty"`
	Size        int              `json:"size,omitempty"`
	Annotations map[string]any   `json:"annotations,omitempty"`
	Icons       []map[string]any `json:"icons,omitempty"`
}

// trim leaves out what the version does not know.
func (res resource) trim(r rules) resource {
	if !r.titles {
		res.Title = ""
	}
	if !r.icons {
		res.Icons = nil
	}
	return res
}

func resourceTable() []resource {
	return []resource{
		{URI: readmeURI, Name: "readme", Title: "Read me", Description: "What this server has to try.", MIMEType: "text/markdown", Size: len(readmeText),
			Annotations: map[string]any{"audience": []string{"user", "assistant"}, "priority": 0.9}},
		{URI: configURI, Name: "config", Title: "Configuration", Description: "A document that changes.", MIMEType: "application/json"},
		{URI: logoURI, Name: "logo.png", Title: "Logo", Description: "A small picture.", MIMEType: "image/png", Size: logoSize, Icons: icons()},
	}
}

func templateTable() []resource {
	return []resource{{Template: greetingTemplate, Name: "greeting", Title: "Greeting", Description: "Greets whoever is named.", MIMEType: "text/plain"}}
}

type resourceList struct {
	envelope
	Resources []resource `json:"resources"`
	Next      string     `json:"nextCursor,omitempty"`
}

type templateList struct {
	envelope
	Templates []resource `json:"resourceTemplates"`
	Next      string     `json:"nextCursor,omitempty"`
}

func listResources(_ context.Context, c *call) (result, error) {
	items, next, err := page(c, "resources", resourceTable())
	if err != nil {
		return nil, err
	}
	for i := range items {
		items[i] = items[i].trim(c.rules)
	}
	return &resourceList{envelope: cacheable(300_000), Resources: items, Next: next}, nil
}

func listTemplates(_ context.Context, c *call) (result, error) {
	items, next, err := page(c, "templates", templateTable())
	if err != nil {
		return nil, err
	}
	for i := range items {
		items[i] = items[i].trim(c.rules)
	}
	return &templateList{envelope: cacheable(300_000), Templates: items, Next: next}, nil
}

// contents is one part of a resource that was read.
type contents struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text,omitempty"`
	Blob     string  `json:"blob,omitempty"`
}

type readResult struct {
	envelope
	Contents []contents `json:"contents"`
}

// uriParam reads params.uri.
func uriParam(c *call) (string, error) {
	var p struct{ URI *string }
	if err := decodeParams(c.params, &p); err != nil {
		return "", err
	}
	if p.URI == nil {
		return "", rpcErrorf(codeInvalidParams, "params.uri is missing")
	}
	return *p.URI, nil
}

func readResource(_ context.Context, c *call) (result, error) {
	uri, err := uriParam(c)
	if err != nil {
		return nil, err
	}
	part, fresh, ok := c.server.read(uri)
	if !ok {
		return nil, missing(c.rules, uri)
	}
	return &readResult{envelope: cacheable(fresh), Contents: []contents{part}}, nil
}

func missing(r rules, uri string) error {
	return &rpcError{Code: r.missingResource, Message: "resource not found: " + strconv.Quote(uri), Data: map[string]string{"uri": uri}}
}

// read returns a resource's contents and for how many milliseconds they hold.
func (s *Server) read(uri string) (part contents, fresh int64, ok bool) {
	text := func(mime, t string) contents { return contents{URI: uri, MIMEType: mime, Text: &t} }
	switch uri {
	case readmeURI:
		return text("text/markdown", readmeText), 300_000, true
	case configURI:
		return text("application/json", s.changes.config()), 0, true
	case logoURI:
		return contents{URI: uri, MIMEType: "image/png", Blob: logoPNG}, 300_000, true
	}
	if name, ok := greetingName(uri); ok {
		return text("text/plain", "Hello, "+name+"!"), 300_000, true
	}
	return contents{}, 0, false
}

// greetingName undoes the expansion of the greeting template.
func greetingName(uri string) (string, bool) {
	raw, ok := strings.CutPrefix(uri, greetingPrefix)
	if !ok || raw == "" || strings.ContainsAny(raw, "/?#") {
		return "", false
	}
	name, err := url.PathUnescape(raw)
	return name, err == nil
}
