package output

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSixel draws a picture and reads the pixels back out of the sequence.
func TestSixel(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 9, 14))
	want := map[image.Point]color.NRGBA{}
	for y := range 14 {
		for x := range 9 {
			c := color.NRGBA{uint8(51 * (x % 6)), uint8(51 * (y % 6)), 255, 255}
			if x == 4 {
				c = color.NRGBA{}
			} else {
				want[image.Pt(x, y)] = c
			}
			img.Set(x, y, c)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	out := string(ImagesSixel.draw(base64.StdEncoding.EncodeToString(file.Bytes())))
	body, ok := strings.CutPrefix(out, "\x1bP0;1;0q\"1;1;9;14")
	body, end := strings.CutSuffix(body, "\x1b\\")
	if !ok || !end || strings.ContainsAny(body, "\x1b\a") {
		t.Fatalf("got %q", out)
	}
	got := map[image.Point]color.NRGBA{}
	palette := map[string]color.NRGBA{}
	at, current := image.Pt(0, 0), ""
	for _, m := range regexp.MustCompile(`#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|\$|-`).FindAllStringSubmatch(body, -1) {
		percent := func(i int) uint8 { n, _ := strconv.Atoi(m[i]); return uint8(n * 255 / 100) }
		sixels, times := m[8], 1
		switch {
		case m[1] != "":
			palette[m[1]] = color.NRGBA{percent(2), percent(3), percent(4), 255}
		case m[5] != "":
			current = m[5]
		case m[0] == "$":
			at.X = 0
		case m[0] == "-":
			at = image.Pt(0, at.Y+6)
		case m[6] != "":
			sixels = m[7]
			times, _ = strconv.Atoi(m[6])
		}
		for range times {
			if sixels == "" {
				break
			}
			for bit := range 6 {
				if (sixels[0]-'?')>>bit&1 == 1 {
					got[at.Add(image.Pt(0, bit))] = palette[current]
				}
			}
			at.X++
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d pixels are drawn, want %d", len(got), len(want))
	}
	for p, c := range want {
		if got[p] != c {
			t.Errorf("at %v: %v, want %v", p, got[p], c)
		}
	}
}

// TestSixelRefuses what is no picture, or claims to be enormous.
func TestSixelRefuses(t *testing.T) {
	huge := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x0f\xff\xff\x00\x0f\xff\xff\x08\x02\x00\x00\x00\x00\x00\x00\x00")
	for _, data := range [][]byte{nil, []byte("GIF89a"), []byte("\x89PNG\r\n\x1a\n"), huge} {
		if out := sixel(data); out != nil {
			t.Errorf("%q: got %q", data, out)
		}
	}
}
