package args

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
)

const (
	maxDistance = 2      // slips that still count as a misspelling
	maxNearest  = 3      // suggestions worth reading
	maxNameLen  = 100    // longer names are not typed by hand
	maxKnown    = 20_000 // names that are looked through
	maxMisspelt = 10     // misspelt names worth explaining
)

// Nearest gives the known names that name may be a misspelling of, the nearest
// first: at most two letters inserted, dropped, changed or swapped with their
// neighbour, in either case of letters, and at most half of the letters.
func Nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	folded := []rune(strings.ToLower(name))
	if len(folded) > maxNameLen {
		return nil
	}
	for _, k := range known[:min(len(known), maxKnown)] {
		if len(k) > maxNameLen || k == name {
			continue
		}
		other := []rune(strings.ToLower(k))
		if d := distance(folded, other); d <= maxDistance && 2*d <= min(len(folded), len(other)) {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found[:min(len(found), maxNearest)] {
		names = append(names, c.name)
	}
	return names
}

// Names gives the names of the arguments that an inputSchema lists itself, in
// its order.
func Names(schema json.RawMessage) []string {
	object, err := rawjson.ParseObject(schema)
	if err != nil {
		return nil
	}
	raw, _ := object.Get("properties")
	properties, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil
	}
	names := make([]string, len(properties))
	for i, m := range properties {
		names[i] = m.Key
	}
	return names
}

// Unlisted gives the names of arguments that the schema does not list, if it
// lists any and leaves open whether there may be others: a schema that speaks of
// others, or that is put together from several, is believed to mean what it says.
// There are at most as many as are worth explaining.
func Unlisted(arguments, schema json.RawMessage) []string {
	root, err := rawjson.ParseObject(schema)
	if err != nil {
		return nil
	}
	for _, m := range root {
		switch m.Key {
		case "additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef", "$recursiveRef",
			"allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies":
			return nil
		}
	}
	listed := nameSet(Names(schema))
	object, err := rawjson.ParseObject(arguments)
	if err != nil || len(listed) == 0 {
		return nil
	}
	var names []string
	for _, m := range object {
		if !listed[m.Key] && len(names) < maxMisspelt {
			names = append(names, m.Key)
		}
	}
	return names
}

func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Misspelt gives, for every argument that the schema does not list but that is
// near one it does, the names it may have been meant for. It is for explaining
// a violation: by itself such an argument may be right.
func Misspelt(arguments, schema json.RawMessage) map[string][]string {
	object, err := rawjson.ParseObject(arguments)
	if err != nil {
		return nil
	}
	known := Names(schema)
	listed := nameSet(known)
	found := map[string][]string{}
	looked := 0
	for _, m := range object {
		if listed[m.Key] {
			continue
		}
		if looked++; looked > maxMisspelt {
			break
		}
		if near := Nearest(m.Key, known); near != nil {
			found[m.Key] = near
		}
	}
	return found
}

// distance counts the edits from a to b, a swap of neighbours being one
// (optimal string alignment). It gives up beyond maxDistance: what is further
// from the diagonal than that is not looked at.
func distance(a, b []rune) int {
	if len(a)-len(b) > maxDistance || len(b)-len(a) > maxDistance {
		return maxDistance + 1
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		first, last := max(i-maxDistance, 1), min(i+maxDistance, len(b))
		if first == 1 {
			next[0] = i
		} else {
			next[first-1] = maxDistance + 1
		}
		if last == i+maxDistance {
			row[last] = maxDistance + 1
		}
		for j := first; j <= last; j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(change, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
