package output

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
)

// appendText appends what a person would read of a document: the texts of a
// result, the messages of a prompt, the lines of a list, and anything else as
// YAML. Texts go into a pipe as the server sent them; on a terminal they are
// made safe.
func (p *Printer) appendText(dst, doc []byte) []byte {
	if s, ok := rawjson.Unquote(doc); ok {
		return p.appendLines(dst, s)
	}
	kind, object, items := shapeOf(doc)
	switch kind {
	case shapeToolResult:
		for _, item := range items {
			dst = p.appendBlock(dst, item)
		}
		if structured, ok := object.Get("structuredContent"); ok && len(items) == 0 {
			dst = AppendYAML(dst, structured)
		}
	case shapeResource:
		for _, item := range items {
			dst = p.appendContents(dst, item)
		}
	case shapePrompt:
		for _, item := range items {
			dst = p.appendMessage(dst, item)
		}
	case shapeList:
		dst = p.appendList(dst, doc)
	case shapeCompletion:
		for _, item := range items {
			s, _ := rawjson.Unquote(item)
			dst = append(dst, SafeLine(s)+"\n"...)
		}
	case shapeBlock:
		dst = p.appendBlock(dst, doc)
	default:
		if len(doc) > 0 && doc[0] == '[' {
			return p.appendList(dst, doc)
		}
		dst = AppendYAML(dst, doc)
	}
	return dst
}

// appendLines appends a text and the end of its last line.
func (p *Printer) appendLines(dst []byte, s string) []byte {
	if p.tty {
		s = Safe(s)
	}
	dst = append(dst, s...)
	if s != "" && !strings.HasSuffix(s, "\n") {
		dst = append(dst, '\n')
	}
	return dst
}

// appendBlock appends a block of content.
func (p *Printer) appendBlock(dst []byte, raw json.RawMessage) []byte {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return AppendYAML(dst, raw)
	}
	switch kind := textOf(object, "type"); kind {
	case "text":
		return p.appendLines(dst, textOf(object, "text"))
	case "image", "audio":
		data := textOf(object, "data")
		if kind == "image" {
			if picture := p.opts.Images.draw(data); picture != nil {
				return append(append(dst, picture...), '\n')
			}
		}
		return appendNote(dst, kind, textOf(object, "mimeType"), sizeOf(data))
	case "resource":
		resource, _ := object.Get("resource")
		return p.appendContents(dst, resource)
	case "resource_link":
		uri, name := textOf(object, "uri"), textOf(object, "title")
		if name == "" {
			name = textOf(object, "name")
		}
		return appendNote(dst, "link", uri, name, textOf(object, "mimeType"), number(object, "size", " bytes"))
	}
	return AppendYAML(dst, raw)
}

// appendContents appends one part of a resource.
func (p *Printer) appendContents(dst []byte, raw json.RawMessage) []byte {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return AppendYAML(dst, raw)
	}
	blob, ok := object.Get("blob")
	if !ok {
		return p.appendLines(dst, textOf(object, "text"))
	}
	data, _ := rawjson.Unquote(blob)
	if strings.HasPrefix(textOf(object, "mimeType"), "image/") {
		if picture := p.opts.Images.draw(data); picture != nil {
			return append(append(dst, picture...), '\n')
		}
	}
	return appendNote(dst, "binary", textOf(object, "uri"), textOf(object, "mimeType"), sizeOf(data))
}

// appendMessage appends a message of a prompt: who says it, and what.
func (p *Printer) appendMessage(dst []byte, raw json.RawMessage) []byte {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return AppendYAML(dst, raw)
	}
	content, _ := object.Get("content")
	blocks := []json.RawMessage{content}
	if len(content) > 0 && content[0] == '[' {
		if blocks, err = rawjson.Elements(content); err != nil {
			return AppendYAML(dst, raw)
		}
	}
	for _, block := range blocks {
		dst = append(dst, SafeLine(textOf(object, "role"))+": "...)
		dst = p.appendBlock(dst, block)
		if !bytes.HasSuffix(dst, []byte("\n")) { // an empty text
			dst = append(dst, '\n')
		}
	}
	return dst
}

// appendNote appends a line in the place of what cannot be shown as text.
func appendNote(dst []byte, kind string, parts ...string) []byte {
	var known []string
	for _, part := range parts {
		if part != "" {
			known = append(known, SafeLine(part))
		}
	}
	return fmt.Appendf(dst, "[%s: %s]\n", kind, strings.Join(known, ", "))
}

func number(object rawjson.Object, key, unit string) string {
	raw, ok := object.Get(key)
	if !ok || raw[0] == '"' || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return string(raw) + unit
}

// sizeOf is the size of what a text in base64 stands for.
func sizeOf(data string) string {
	n := base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(data, "=")))
	return fmt.Sprintf("%d bytes", n)
}
