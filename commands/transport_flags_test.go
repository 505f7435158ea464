package commands

import (
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "65536": 65536, "64k": 64 << 10, "64K": 64 << 10, "10M": 10 << 20, "2G": 2 << 30,
		"": 0, "0": 0, "-1": 0, "1.5M": 0, "k": 0, "1T": 0, "10MB": 0, "9223372036854775807": 0, "9223372036854775807G": 0,
	} {
		var s Size
		err := s.UnmarshalText([]byte(text))
		if s != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d, %v; want %d", text, s, err, want)
		}
	}
}

func TestLongestWait(t *testing.T) {
	for _, tt := range []struct{ timeout, maxTime, want time.Duration }{
		{time.Minute, 0, time.Minute},
		{time.Minute, time.Second, time.Second},
		{time.Second, time.Minute, time.Second},
		{0, time.Second, time.Second},
		{0, 0, 0},
	} {
		r := &runner{grammar: &grammar{}}
		r.grammar.Timeout, r.grammar.MaxTime = Duration(tt.timeout), Duration(tt.maxTime)
		if got := r.longestWait(); got != tt.want {
			t.Errorf("--timeout %s --max-time %s: %s, want %s", tt.timeout, tt.maxTime, got, tt.want)
		}
	}
}
