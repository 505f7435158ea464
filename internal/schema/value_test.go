package schema

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func mustRead(t *testing.T, raw string) *value {
	t.Helper()
	b := newBudget(t.Context(), baseSteps)
	v, err := read(json.RawMessage(raw), limits{"it", 1 << 20, 1_000, 100}, &b)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// plain gives a value as other packages have it.
func plain(v *value) any {
	switch v.kind {
	case nullKind:
		return nil
	case booleanKind:
		return v.text == "true"
	case numberKind:
		return json.Number(v.text)
	case stringKind:
		return v.text
	case arrayKind:
		all := []any{}
		for i := range v.items() {
			all = append(all, plain(&v.items()[i]))
		}
		return all
	}
	all := map[string]any{}
	for i, name := range v.kids.names {
		all[name] = plain(&v.kids.items[i])
	}
	return all
}

// FuzzRead compares the tree with that of another reader.
func FuzzRead(f *testing.F) {
	for _, raw := range []string{
		" {\"a\" : [ 1 , -2.5e+3,true,\tfalse,null ] , \"b\":{},\"a\":\"\\u00e9\\\"\\\\\" }\r\n", `[]`, `[[],{}]`, `""`, `"\ud83d"`, "\"\xff\"",
		`{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"10":10,"3":"x","10":null}`, `{"\u0061":1,"a":2}`, `0`, `{`, `1 2`, `[1,]`,
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		b := newBudget(t.Context(), baseSteps)
		v, err := read(json.RawMessage(raw), limits{"it", 1 << 20, 10_000, 200}, &b)
		var unsupported *UnsupportedError
		if errors.As(err, &unsupported) {
			t.Skip()
		}
		want, otherErr := jsonschema.UnmarshalJSON(strings.NewReader(raw))
		if (err == nil) != (otherErr == nil) {
			t.Fatalf("%q: got %v, the other reader %v", raw, err, otherErr)
		}
		if err == nil {
			if diff := cmp.Diff(want, plain(v)); diff != "" {
				t.Errorf("%q: -want +got:\n%s", raw, diff)
			}
		}
	})
}

func TestDecimal(t *testing.T) {
	spelled := []string{"0", "-0", "0.0", "0e5", "1", "1.0", "10e-1", "-1", "0.1", "-0.10", "1e-1", "12", "1.2e1", "120", "100", "1e2", "1E+2",
		"0.001", "9007199254740993", "9007199254740992.5", "123456789012345678901234567890", "-1e30", "1e30", "7.5", "2.5", "99999999999999999999"}
	for _, x := range spelled {
		for _, y := range spelled {
			a, b := readDecimal(x), readDecimal(y)
			p, _ := new(big.Rat).SetString(x)
			q, _ := new(big.Rat).SetString(y)
			if a.compare(b) != p.Cmp(q) || (a == b) != (p.Cmp(q) == 0) || a.isWhole() != p.IsInt() {
				t.Errorf("%s and %s: compare %d, want %d; equal %v; whole %v", x, y, a.compare(b), p.Cmp(q), a == b, a.isWhole())
			}
			if q.Sign() != 0 && a.isMultipleOf(b) != new(big.Rat).Quo(p, q).IsInt() {
				t.Errorf("%s is a multiple of %s: %v", x, y, a.isMultipleOf(b))
			}
		}
	}
	counts := map[string]int{"0": 0, "7": 7, "2.0": 2, "3e2": 300, "-1": -1, "1.5": -1}
	for s, want := range counts {
		if n, ok := readDecimal(s).count(); ok != (want >= 0) || ok && n != want {
			t.Errorf("count of %s: %d, %v", s, n, ok)
		}
	}
	if n, ok := readDecimal("1e400").count(); !ok || n < math.MaxInt32 {
		t.Errorf("count of 1e400: %d, %v", n, ok)
	}
}

// TestEqual checks that keys and comparisons agree on which values are equal.
func TestEqual(t *testing.T) {
	groups := [][]string{
		{`null`}, {`true`}, {`false`}, {`0`, `-0`, `0.0`}, {`1`, `1.0`, `10e-1`}, {`"1"`}, {`""`}, {`[]`}, {`{}`}, {`[[]]`}, {`[{}]`}, {`[0]`, `[0.0]`},
		{`[0,1]`}, {`[1,0]`}, {`["a","b"]`}, {`["a3:b"]`}, {`["ab"]`}, {`{"a":1,"b":2}`, `{"b":2.0,"a":1}`}, {`{"a":1}`}, {`{"a":1,"c":2}`}, {`{"a":{"b":1}}`},
		{`"\u00e9"`, `"é"`}, {`[1,[2]]`}, {`[[1],2]`}, {`[1,2]`},
	}
	b := newBudget(t.Context(), baseSteps)
	for i, group := range groups {
		for j, other := range groups {
			for _, x := range group {
				for _, y := range other {
					v, w := mustRead(t, x), mustRead(t, y)
					if b.equal(v, w) != (i == j) || slices.Equal(b.key(nil, v), b.key(nil, w)) != (i == j) {
						t.Errorf("%s and %s: equal %v, keys %q and %q", x, y, b.equal(v, w), b.key(nil, v), b.key(nil, w))
					}
				}
			}
		}
	}
}

func TestBudget(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	b := newBudget(ctx, baseSteps)
	if !b.spend(1) {
		t.Fatal("no step allowed")
	}
	cancel(cause)
	steps := 0
	for b.spend(1) {
		steps++
	}
	if steps > stepsBetween || b.failure(ctx) != cause || b.spend(1) {
		t.Errorf("ended after %d steps with %v", steps, b.failure(ctx))
	}
	b = newBudget(t.Context(), 10_000)
	for steps = 0; b.spend(1); steps++ {
	}
	var unsupported *UnsupportedError
	if steps > 10_000 || steps < 9_990 || !errors.As(b.failure(t.Context()), &unsupported) || b.spend(1) {
		t.Errorf("ended after %d steps with %v", steps, b.failure(t.Context()))
	}
}
