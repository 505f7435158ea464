package outfile

import "strings"

// Extension is the usual extension for a MIME type, with its dot; empty for one
// that is not known. It does not ask the system, so that names are the same
// everywhere.
func Extension(mime string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	switch mime = strings.TrimSpace(mime); mime {
	case "text/plain":
		return ".txt"
	case "text/markdown":
		return ".md"
	case "text/html", "application/xhtml+xml":
		return ".html"
	case "text/css", "text/csv", "text/xml", "text/yaml", "text/calendar":
		return map[string]string{"css": ".css", "csv": ".csv", "xml": ".xml", "yaml": ".yaml", "calendar": ".ics"}[mime[5:]]
	case "text/tab-separated-values":
		return ".tsv"
	case "text/javascript", "application/javascript", "application/ecmascript":
		return ".js"
	case "text/x-python":
		return ".py"
	case "application/x-ndjson", "application/jsonl":
		return ".ndjson"
	case "application/yaml", "application/x-yaml":
		return ".yaml"
	case "application/toml":
		return ".toml"
	case "application/sql":
		return ".sql"
	case "application/pdf":
		return ".pdf"
	case "application/zip":
		return ".zip"
	case "application/gzip", "application/x-gzip":
		return ".gz"
	case "application/x-tar":
		return ".tar"
	case "application/wasm":
		return ".wasm"
	case "application/octet-stream":
		return ".bin"
	case "image/jpeg", "image/jpg":
		return ".jpg"
	case "image/svg+xml":
		return ".svg"
	case "image/tiff":
		return ".tif"
	case "image/x-icon", "image/vnd.microsoft.icon":
		return ".ico"
	case "image/png", "image/gif", "image/webp", "image/avif", "image/bmp", "image/heic":
		return "." + mime[len("image/"):]
	case "audio/mpeg", "audio/mp3":
		return ".mp3"
	case "audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave":
		return ".wav"
	case "audio/mp4", "audio/x-m4a":
		return ".m4a"
	case "audio/ogg", "audio/opus", "audio/flac", "audio/aac", "audio/webm":
		return "." + mime[len("audio/"):]
	case "video/mp4", "video/webm":
		return "." + mime[len("video/"):]
	}
	switch {
	case mime == "application/json", strings.HasSuffix(mime, "+json"):
		return ".json"
	case mime == "application/xml", strings.HasSuffix(mime, "+xml"):
		return ".xml"
	}
	return ""
}
