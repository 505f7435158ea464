package frontmatter

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"

	"mcpq/internal/rawjson"
)

// matches reports whether a JSON value is what a plain scalar stands for, in
// the core schema of YAML 1.2 or by the types of YAML 1.1: servers use parsers
// of both.
func matches(text string, claimed json.RawMessage) bool {
	switch claimed[0] {
	case 'n':
		return isNull(text)
	case 't', 'f':
		b, ok := boolean(text)
		return ok && strconv.FormatBool(b) == string(claimed)
	case '"':
		s, _ := rawjson.Unquote(claimed)
		return s == text && mayBeText(text) || sameTime(text, s)
	}
	for _, n := range numbers(text) {
		if sameNumber(n, string(claimed)) {
			return true
		}
	}
	return false
}

func isNull(text string) bool {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// boolean reads the words of YAML 1.1, which has those of 1.2 among them.
func boolean(text string) (value, ok bool) {
	lower := strings.ToLower(text)
	if text != lower && text != strings.ToUpper(text) && text != strings.ToUpper(lower[:1])+lower[1:] {
		return false, false
	}
	switch lower {
	case "true", "yes", "on", "y":
		return true, true
	case "false", "no", "off", "n":
		return false, true
	}
	return false, false
}

// mayBeText reports whether one of the two versions takes a plain scalar as
// text.
func mayBeText(text string) bool {
	if isNull(text) {
		return false
	}
	if _, ok := boolean(text); ok {
		return len(text) != len("true") && len(text) != len("false") || !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false")
	}
	return core(text) == nil || old(text) == nil
}

// numbers are what a plain scalar may stand for.
func numbers(text string) []*big.Rat {
	var all []*big.Rat
	for _, n := range []*big.Rat{core(text), old(text)} {
		if n != nil {
			all = append(all, n)
		}
	}
	return all
}

// core reads a number of the core schema of YAML 1.2.
func core(text string) *big.Rat {
	if digits, ok := strings.CutPrefix(text, "0o"); ok {
		return integer(digits, 8)
	}
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return integer(digits, 16)
	}
	return decimal(text)
}

// old reads a number by the types of YAML 1.1.
func old(text string) *big.Rat {
	sign, rest := "", text
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		sign, rest = rest[:1], rest[1:]
	}
	if rest == "" || rest[0] == '_' {
		return nil
	}
	rest = strings.ReplaceAll(rest, "_", "")
	var n *big.Rat
	switch {
	case strings.HasPrefix(rest, "0b"):
		n = integer(rest[2:], 2)
	case strings.HasPrefix(rest, "0x"):
		n = integer(rest[2:], 16)
	case len(rest) > 1 && rest[0] == '0' && strings.Trim(rest, "01234567") == "":
		n = integer(rest[1:], 8)
	case strings.Contains(rest, ":"):
		n = sexagesimal(rest)
	case strings.ContainsAny(rest, "eE") && !strings.Contains(rest, "."):
		return nil // there it takes a point to make it a number
	default:
		n = decimal(rest)
	}
	if n != nil && sign == "-" {
		n.Neg(n)
	}
	return n
}

func integer(digits string, base int) *big.Rat {
	if digits == "" || strings.ContainsAny(digits, "+-_") {
		return nil
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil
	}
	return new(big.Rat).SetInt(n)
}

// sexagesimal reads 1:30 as 90.
func sexagesimal(text string) *big.Rat {
	total := new(big.Rat)
	for i, part := range strings.Split(text, ":") {
		n := decimal(part)
		if n == nil || i > 0 && (len(part) > 2 && part[2] != '.' || n.Cmp(big.NewRat(60, 1)) >= 0) {
			return nil
		}
		total.Add(total.Mul(total, big.NewRat(60, 1)), n)
	}
	return total
}

// maxExponent keeps a few bytes from becoming a number of megabytes.
const maxExponent = 400

// decimal reads a number as it is usually written.
func decimal(text string) *big.Rat {
	mantissa, exponent, has := strings.Cut(strings.ReplaceAll(text, "E", "e"), "e")
	if has {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > maxExponent || e < -maxExponent {
			return nil
		}
	}
	digits := strings.TrimLeft(mantissa, "+-")
	if len(mantissa)-len(digits) > 1 || strings.Trim(digits, "0123456789.") != "" ||
		strings.Count(digits, ".") > 1 || strings.Trim(digits, ".") == "" {
		return nil
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return n
}

// sameNumber compares exactly, or as the floating point number that many
// parsers make of it.
func sameNumber(n *big.Rat, claimed string) bool {
	c := decimal(claimed)
	if c == nil {
		return false
	}
	if n.Cmp(c) == 0 {
		return true
	}
	a, _ := n.Float64()
	b, _ := c.Float64()
	return a == b
}

// sameTime reports whether a claimed text is the moment that a plain scalar
// stands for in YAML 1.1.
func sameTime(text, claimed string) bool {
	c, err := time.Parse(time.RFC3339Nano, claimed)
	if err != nil {
		return false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.Equal(c) {
			return true
		}
	}
	return false
}
