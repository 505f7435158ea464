package output

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
)

// Images says how a terminal draws pictures between its text. The empty Images
// means that it cannot.
type Images string

// The values of [Images].
const (
	ImagesKitty Images = "kitty"  // kitty, Ghostty: PNG only
	ImagesITerm Images = "iterm2" // iTerm2, WezTerm
	ImagesSixel Images = "sixel"  // foot, mlterm, contour and whatever says so in TERM: PNG only
)

// maxDrawn bounds the size of a picture that is drawn: a terminal holds it.
const maxDrawn = 16 << 20

// ImagesOf finds out from the environment what the terminal can draw. It relies
// on what terminals say of themselves and asks them nothing, so that nothing
// strange is written to those that cannot.
func ImagesOf(getenv func(string) string) Images {
	term, program := getenv("TERM"), getenv("TERM_PROGRAM")
	switch {
	case getenv("TMUX") != "", strings.HasPrefix(term, "screen"), strings.HasPrefix(term, "tmux"), term == "dumb":
		return "" // a multiplexer does not pass them on
	case getenv("KITTY_WINDOW_ID") != "", strings.Contains(term, "kitty"), term == "xterm-ghostty", program == "ghostty":
		return ImagesKitty
	case program == "iTerm.app", program == "WezTerm", getenv("LC_TERMINAL") == "iTerm2":
		return ImagesITerm
	case strings.Contains(term, "sixel"), term == "foot", strings.HasPrefix(term, "foot-"), strings.HasPrefix(term, "mlterm"),
		strings.HasPrefix(term, "contour"), strings.HasPrefix(term, "yaft"):
		return ImagesSixel
	}
	return ""
}

// draw gives the sequence that draws a picture given in base64; nil if it
// cannot be drawn.
func (i Images) draw(data string) []byte {
	if i == "" || len(data) > maxDrawn {
		return nil
	}
	// Only what is base64 may reach the terminal inside of a sequence.
	picture, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(picture) == 0 {
		return nil
	}
	data = base64.StdEncoding.EncodeToString(picture)
	switch {
	case i == ImagesITerm && isPicture(picture):
		return fmt.Appendf(nil, "\x1b]1337;File=inline=1;size=%d:%s\a", len(picture), data)
	case i == ImagesSixel:
		return sixel(picture)
	case i == ImagesKitty && bytes.HasPrefix(picture, []byte("\x89PNG\r\n\x1a\n")):
		return kitty(data)
	}
	return nil
}

// isPicture tells whether data begins as pictures do that terminals draw.
func isPicture(data []byte) bool {
	for _, magic := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF8", "RIFF", "BM"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return false
}

// kitty splits a PNG into the pieces that the protocol allows.
func kitty(data string) []byte {
	const most = 4096
	var out []byte
	control := "f=100,a=T,q=2,"
	for {
		piece := data[:min(most, len(data))]
		data = data[len(piece):]
		more := 0
		if data != "" {
			more = 1
		}
		out = fmt.Appendf(out, "\x1b_G%sm=%d;%s\x1b\\", control, more, piece)
		control = ""
		if more == 0 {
			return out
		}
	}
}
