package schema

import "testing"

func TestNumbers(t *testing.T) {
	for _, x := range []string{"0", "-0.0", "5", "5.0", "1e400", "12.50e1", "1e999999999999999999999", "-0e-99999999999999999999"} {
		if !IsWhole(x) {
			t.Errorf("%s is whole", x)
		}
	}
	for _, x := range []string{"0.5", "1e-400", "12.55e1", "1e-999999999999999999999"} {
		if IsWhole(x) {
			t.Errorf("%s is not whole", x)
		}
	}
	for _, tt := range []struct {
		x, y string
		same bool
	}{
		{"1", "1.0", true},
		{"10e-1", "1", true},
		{"9007199254740993", "9007199254740992", false},
		{"1e400", "1e401", false},
		{"1e99999", "1e99999", true},
		{"1e99999", "10e99998", false}, // out of bounds: only what is spelled the same
	} {
		if SameNumber(tt.x, tt.y) != tt.same || (NumberKey(tt.x) == NumberKey(tt.y)) != tt.same {
			t.Errorf("%s and %s: the same is %v", tt.x, tt.y, !tt.same)
		}
	}
}
