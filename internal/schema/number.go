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

// isNumber tells whether a JSON value is a number within bounds.
func isNumber(x string) bool {
	return x != "" && (x[0] == '-' || '0' <= x[0] && x[0] <= '9') && !isHuge(x)
}
