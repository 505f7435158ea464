package output

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// maxPixels bounds a picture that is turned into sixels: a small file can claim
// to be enormous.
const maxPixels = 4 << 20

// sixel draws a PNG with 216 colours and leaves transparent pixels alone; nil if
// it cannot be read.
func sixel(picture []byte) []byte {
	config, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil
	}
	size := img.Bounds().Size()
	out := fmt.Appendf(nil, "\x1bP0;1;0q\"1;1;%d;%d", size.X, size.Y)
	for c := range 216 { // percent of red, green and blue
		out = fmt.Appendf(out, "#%d;2;%d;%d;%d", c, c/36*20, c/6%6*20, c%6*20)
	}
	for y := 0; y < size.Y; y += 6 {
		out = sixelBand(out, img, y)
	}
	return append(out, "\x1b\\"...)
}

// sixelBand draws six rows of pixels, colour by colour.
func sixelBand(out []byte, img image.Image, y int) []byte {
	b := img.Bounds()
	bands := map[int][]byte{} // colour -> six pixels for each column
	for x := range b.Dx() {
		for row := range min(6, b.Dy()-y) {
			r, g, bl, a := img.At(b.Min.X+x, b.Min.Y+y+row).RGBA()
			if a < 0x8000 {
				continue
			}
			colour := int(step6(r)*36 + step6(g)*6 + step6(bl))
			if bands[colour] == nil {
				bands[colour] = make([]byte, b.Dx())
			}
			bands[colour][x] |= 1 << row
		}
	}
	for c := range 216 { // in order, so that the same picture gives the same bytes
		if band, ok := bands[c]; ok {
			out = append(fmt.Appendf(out, "#%d", c), runs(band)...)
			out = append(out, '$')
		}
	}
	return append(out, '-')
}

// step6 is the nearest of six steps of a colour.
func step6(v uint32) uint32 { return (v*5 + 0x7fff) / 0xffff }

// runs writes columns, repeated ones as a count.
func runs(band []byte) []byte {
	var out []byte
	for i := 0; i < len(band); {
		n := 1
		for i+n < len(band) && band[i+n] == band[i] {
			n++
		}
		if n > 3 {
			out = fmt.Appendf(out, "!%d", n)
		} else {
			out = append(out, bytes.Repeat([]byte{band[i] + '?'}, n-1)...)
		}
		out = append(out, band[i]+'?')
		i += n
	}
	return out
}
