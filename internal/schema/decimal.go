package schema

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// decimal is the exact value of a JSON number: 0.DIGITS times ten to the power
// of point. There is one form of each number, so that == compares them: digits
// begin and end with another digit than 0, and nothing has no digits at all.
type decimal struct {
	neg    bool
	digits string
	point  int
}

// farPoint is further than the digits of any number reach.
const farPoint = 1 << 30

// readDecimal reads a number in the syntax of JSON.
func readDecimal(s string) decimal {
	var d decimal
	s, d.neg = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		d.point, _ = strconv.Atoi(s[i+1:]) // out of range it is the nearest there is
		d.point = max(min(d.point, farPoint), -farPoint)
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.point += len(whole)
	d.digits = whole + fraction
	significant := strings.TrimLeft(d.digits, "0")
	d.point -= len(d.digits) - len(significant)
	d.digits = strings.TrimRight(significant, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// isHuge says whether a number is out of bounds.
func isHuge(s string) bool {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return len(s) > maxDigits
	}
	e, err := strconv.Atoi(s[i+1:])
	return i > maxDigits || err != nil || e > maxExponent || e < -maxExponent
}

func (d decimal) isWhole() bool { return len(d.digits) <= d.point || d.digits == "" }

// compare orders decimals as cmp.Compare does.
func (d decimal) compare(e decimal) int {
	switch {
	case d == e:
		return 0
	case d.sign() != e.sign():
		if d.sign() < e.sign() {
			return -1
		}
		return 1
	}
	order := strings.Compare(d.digits, e.digits)
	if d.point != e.point {
		order = 1
		if d.point < e.point {
			order = -1
		}
	}
	return order * d.sign()
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// count gives a whole number that is not negative; more than can be counted is
// the most that can be.
func (d decimal) count() (int, bool) {
	if d.neg || !d.isWhole() {
		return 0, false
	}
	if d.point > 18 {
		return math.MaxInt, true
	}
	n, err := strconv.Atoi("0" + d.digits + strings.Repeat("0", d.point-len(d.digits)))
	return n, err == nil
}

// isMultipleOf says whether d is a whole number of times e, which is not zero.
func (d decimal) isMultipleOf(e decimal) bool {
	shift := (d.point - len(d.digits)) - (e.point - len(e.digits))
	n := whole(d.digits, shift)
	return d.digits == "" || n.Rem(n, whole(e.digits, -shift)).Sign() == 0
}

// whole gives digits with zeros after them.
func whole(digits string, zeros int) *big.Int {
	n, _ := new(big.Int).SetString("0"+digits, 10)
	if zeros > 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(zeros)), nil))
	}
	return n
}

// key appends a text that is the same for equal decimals.
func (d decimal) key(to []byte) []byte {
	if d.neg {
		to = append(to, '-')
	}
	to = append(to, d.digits...)
	return strconv.AppendInt(append(to, 'e'), int64(d.point), 10)
}
