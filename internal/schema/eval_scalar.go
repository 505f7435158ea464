package schema

import "unicode/utf8"

func (r *run) number(l *numberRules, v *value) bool {
	d := readDecimal(v.text)
	ok := true
	within := func(keyword string, l *limit, fits func(order int) bool) {
		if l != nil && !fits(d.compare(l.decimal)) {
			ok = r.fail(failure{keyword: keyword, got: v, want: &value{kind: numberKind, text: l.spelled}})
		}
	}
	within("minimum", l.least, func(order int) bool { return order >= 0 })
	within("maximum", l.most, func(order int) bool { return order <= 0 })
	within("exclusiveMinimum", l.above, func(order int) bool { return order > 0 })
	within("exclusiveMaximum", l.below, func(order int) bool { return order < 0 })
	within("multipleOf", l.multipleOf, func(int) bool {
		digits := len(d.digits) + len(l.multipleOf.digits) + max(d.point, -d.point) + max(l.multipleOf.point, -l.multipleOf.point)
		return r.spend(digits) && d.isMultipleOf(l.multipleOf.decimal)
	})
	return ok
}

func (r *run) text(t *textRules, v *value) bool {
	ok := true
	if t.least != noCount || t.most != noCount {
		ok = r.size(utf8.RuneCountInString(v.text), t.least, t.most, "minLength", "maxLength")
	}
	if t.pattern != nil && !r.match(t.pattern, v.text) {
		ok = r.fail(failure{keyword: "pattern", got: v, want: &value{kind: stringKind, text: t.pattern.source}})
	}
	return ok
}
