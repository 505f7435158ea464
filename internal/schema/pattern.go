package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

const (
	// maxPatterns bounds the regular expressions of a schema, maxPattern the
	// spelling of one and maxProgram what that becomes, with its repetitions
	// written out.
	maxPatterns = 1_000
	maxPattern  = 4_096
	maxProgram  = 5_000

	// stepsToCompile is what it costs to compile one byte or instruction.
	stepsToCompile = 4

	// stepsToMatch is what it costs to begin a match.
	stepsToMatch = 8
)

// pattern is a regular expression of a schema, compiled when it is first used.
type pattern struct {
	source string
	once   sync.Once
	re     *regexp.Regexp // nil if it cannot be read
	size   int
}

// compile says whether the pattern can be read, and whether this was the first
// time that somebody asked.
func (p *pattern) compile() (readable, first bool) {
	p.once.Do(func() {
		first = true
		if re, size, err := compilePattern(p.source); err == nil {
			p.re, p.size = re, size
		}
	})
	return p.re != nil, first
}

// readable says whether a pattern can be read, within the budget.
func (b *budget) readable(p *pattern) bool {
	readable, first := p.compile()
	if first {
		b.spend(stepsToCompile * (len(p.source) + p.size))
	}
	return readable
}

// match says whether a text matches. A pattern that is not readable matches.
func (b *budget) match(p *pattern, text string) bool {
	if !b.readable(p) {
		return true
	}
	return b.spend(stepsToMatch+len(text)*p.size/textPerStep) && p.re.MatchString(text)
}

// compilePattern reads an ECMA-262 expression as far as Go's language goes:
// look-around and back references are not in it, by design.
func compilePattern(source string) (re *regexp.Regexp, size int, err error) {
	if len(source) > maxPattern {
		return nil, 0, errors.New("regular expression too long")
	}
	source = fromECMA(source)
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	if size = programSize(tree); size > maxProgram {
		return nil, 0, errors.New("regular expression too large")
	}
	re, err = regexp.Compile(source)
	return re, size, err
}

// programSize estimates the instructions of an expression. It counts no
// further than it has to.
func programSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, maxProgram+1)
}

// fromECMA spells \uXXXX and \cX as Go does.
func fromECMA(source string) string {
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		if source[i] != '\\' || i+1 == len(source) {
			b.WriteByte(source[i])
			continue
		}
		rest := source[i+1:]
		switch {
		case rest[0] == 'u' && len(rest) >= 5 && strings.Trim(rest[1:5], "0123456789abcdefABCDEF") == "":
			b.WriteString(`\x{` + rest[1:5] + `}`)
			i += 5
		case rest[0] == 'c' && len(rest) >= 2 && (rest[1]|0x20) >= 'a' && (rest[1]|0x20) <= 'z':
			fmt.Fprintf(&b, `\x%02x`, rest[1]&0x1f)
			i += 2
		default:
			b.WriteString(source[i : i+2])
			i++
		}
	}
	return b.String()
}
