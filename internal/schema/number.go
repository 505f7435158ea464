package schema

// CompareNumbers orders two JSON numbers by their exact value, as cmp.Compare
// does. ok is false when one is no number, or too long or large to be looked at.
func CompareNumbers(x, y string) (order int, ok bool) {
	if !isNumber(x) || !isNumber(y) {
		return 0, false
	}
	return readDecimal(x).compare(readDecimal(y)), true
}

// NumberKey gives a text that two JSON numbers have in common only if they are
// equal, as 1, 1.0 and 10e-1 are. Of one that is too long or large to be looked
// at it is the spelling.
func NumberKey(x string) string {
	if !isNumber(x) {
		return x
	}
	return string(readDecimal(x).key(nil))
}

// IsWhole says whether a number in the syntax of JSON has no fraction, however
// it is spelled: 5, 5.0, 1e400.
func IsWhole(number string) bool { return readDecimal(number).isWhole() }

// SameNumber says whether two numbers in the syntax of JSON have the same value,
// as 1, 1.0 and 10e-1 have. Those that are out of bounds have it only when they
// are spelled the same.
func SameNumber(a, b string) bool {
	return a == b || !isHuge(a) && !isHuge(b) && readDecimal(a) == readDecimal(b)
}

// isNumber tells whether a JSON value is a number within bounds.
func isNumber(x string) bool {
	return x != "" && (x[0] == '-' || '0' <= x[0] && x[0] <= '9') && !isHuge(x)
}
