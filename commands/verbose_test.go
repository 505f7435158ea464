package commands

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                            "0s",
		999:                          "999ns",
		1234:                         "1.23µs",
		303_160:                      "303µs",
		12_187_000:                   "12.2ms",
		999_900_000:                  "1s",
		83*time.Second + 456_000_000: "1m23.5s",
	} {
		if got := roughly(d).String(); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

func TestCutMessage(t *testing.T) {
	short := strings.Repeat("é", 1000)
	if got := cutMessage(short); got != short {
		t.Errorf("%d bytes became %d", len(short), len(got))
	}
	long := "x" + strings.Repeat("é", 5000)
	got := cutMessage(long)
	if !utf8.ValidString(got) || !strings.HasSuffix(got, "é… (10001 bytes)") || len(got) > 2100 {
		t.Errorf("%d bytes became %q", len(long), got)
	}
}
