package schema

import "slices"

type vs = []string

// allCases are checked by TestKeywords, and where FuzzAgainstOracle begins.
func allCases() []keywordCase { return slices.Concat(keywordCases, referenceCases) }

var keywordCases = []keywordCase{
	// Types and values.
	{"4+", `{}`, vs{`1`, `null`, `[]`, `{}`, `"x"`}, nil},
	{"6+", `true`, vs{`1`, `null`}, nil},
	{"6+", `false`, nil, vs{`1`, `null`}},
	{"4+", `{"type":"integer"}`, vs{`1`, `-0`, `1.0`, `1e2`, `10e-1`, `12345678901234567890`}, vs{`1.5`, `1e-1`, `"1"`, `true`, `null`}},
	{"4+", `{"type":"number"}`, vs{`1`, `1.5`, `1e400`}, vs{`"1"`, `false`}},
	{"4+", `{"type":"string"}`, vs{`""`, `"\u0000"`}, vs{`1`, `[]`}},
	{"4+", `{"type":"boolean"}`, vs{`true`, `false`}, vs{`0`, `"true"`, `null`}},
	{"4+", `{"type":"null"}`, vs{`null`}, vs{`0`, `""`, `false`}},
	{"4+", `{"type":"array"}`, vs{`[]`}, vs{`{}`}},
	{"4+", `{"type":"object"}`, vs{`{}`}, vs{`[]`}},
	{"4+", `{"type":["string","null"]}`, vs{`"x"`, `null`}, vs{`1`, `[]`}},
	{"4+", `{"type":["integer","array"]}`, vs{`1`, `[]`}, vs{`1.5`, `{}`}},
	{"4+", `{"enum":[1,"a",null,[1,2],{"a":1,"b":[]}]}`, vs{`1.0`, `"a"`, `null`, `[1,2.0]`, `{"b":[],"a":1e0}`}, vs{`"1"`, `[2,1]`, `{"a":1}`, `{"a":1,"b":[],"c":1}`, `false`}},
	{"4+", `{"enum":[false]}`, vs{`false`}, vs{`0`, `null`, `[]`}},
	{"4+", `{"enum":[0]}`, vs{`0`, `-0`, `0.00`, `0e5`}, vs{`false`, `""`, `0.1`}},
	{"6+", `{"const":{"a":[1,{"b":2}]}}`, vs{`{"a":[1.0,{"b":2}]}`}, vs{`{"a":[{"b":2},1]}`, `{}`}},
	{"6+", `{"const":null}`, vs{`null`}, vs{`0`, `""`}},
	{"6+", `{"const":123456789012345678901234567890}`, vs{`123456789012345678901234567890`, `12345678901234567890123456789e1`}, vs{`123456789012345678901234567891`}},
	{"4", `{"const":1}`, vs{`2`}, nil},
	{"4+", `{"enum":["\u00e9"]}`, vs{`"é"`, `"\u00E9"`}, vs{`"e\u0301"`}},

	// Numbers.
	{"4+", `{"minimum":1.5}`, vs{`1.5`, `15e-1`, `2`, `"x"`}, vs{`1.4999999999999999999999999`, `-2`}},
	{"4+", `{"maximum":-1}`, vs{`-1`, `-1.1`, `-1e300`}, vs{`0`, `-0.9999999999999999999999`, `1e300`}},
	{"4", `{"minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":true}`, vs{`1.1`, `2`}, vs{`1`, `3`, `0`}},
	{"4", `{"minimum":1,"exclusiveMinimum":false}`, vs{`1`}, vs{`0`}},
	{"6+", `{"exclusiveMinimum":1,"exclusiveMaximum":3}`, vs{`1.1`, `2`}, vs{`1`, `3`, `0`, `1.0`}},
	{"4+", `{"multipleOf":0.01}`, vs{`0.07`, `0`, `-4.35`, `1e300`, `"x"`}, vs{`0.075`, `1e-3`}},
	{"4+", `{"multipleOf":7}`, vs{`14`, `-7`, `0`, `7e0`, `70`}, vs{`1`, `7.1`}},
	{"4+", `{"multipleOf":1e-8}`, vs{`12391239123`, `1e-8`}, vs{`1e-9`}},
	{"4+", `{"multipleOf":0.5,"type":"integer"}`, vs{`1e308`, `3`}, vs{`0.5`, `0.7`}},
	{"4+", `{"minimum":9007199254740993}`, vs{`9007199254740993`}, vs{`9007199254740992`}},

	// Texts.
	{"4+", `{"minLength":2,"maxLength":3}`, vs{`"ab"`, `"äöü"`, `"💩💩"`, `"\ud83d\udca9\ud83d\udca9"`, `1`}, vs{`"a"`, `"💩"`, `"abcd"`}},
	{"6+", `{"minLength":2.0}`, vs{`"ab"`}, vs{`"a"`}},
	{"4+", `{"pattern":"^a*$"}`, vs{`"aaa"`, `""`, `1`, `null`}, vs{`"ab"`}},
	{"4+", `{"pattern":"b"}`, vs{`"abc"`}, vs{`"ac"`}},
	{"4+", `{"pattern":"^\\u0041[\\u0042-\\u0044]\\cA$"}`, vs{`"AC\u0001"`}, vs{`"AE\u0001"`}},
	{"4+", `{"pattern":"^\\p{Lu}+\\d$"}`, vs{`"ÄÖ1"`}, vs{`"äÖ1"`}},
	{"4+", `{"format":"date-time","contentEncoding":"base64","title":"x"}`, vs{`"x"`}, nil},

	// Arrays.
	{"4+", `{"minItems":1,"maxItems":2}`, vs{`[1]`, `[1,2]`, `{}`}, vs{`[]`, `[1,2,3]`}},
	{"4+", `{"uniqueItems":true}`, vs{`[]`, `[1,"1",true,null,[1],{}]`, `[[1],[2]]`, `[{"a":1},{"a":2}]`, `[0,false]`, `[1,true]`, `["a:","a"]`}, vs{`[1,1.0]`, `[[1,[2]],[1,[2.0]]]`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `["a",1,"\u0061"]`, `[null,null]`, `[0,-0]`}},
	{"4+", `{"uniqueItems":false}`, vs{`[1,1]`}, nil},
	{"4+", `{"items":{"type":"integer"}}`, vs{`[]`, `[1,2]`, `{"0":"x"}`}, vs{`[1,"x"]`}},
	{"6+", `{"items":false}`, vs{`[]`}, vs{`[1]`}},
	{"4 6 7 2019", `{"items":[{"type":"integer"},{"type":"string"}]}`, vs{`[]`, `[1]`, `[1,"a",null]`}, vs{`["a"]`, `[1,2]`}},
	{"4 6 7 2019", `{"items":[{"type":"integer"}],"additionalItems":false}`, vs{`[]`, `[1]`}, vs{`[1,2]`}},
	{"4 6 7 2019", `{"items":[{}],"additionalItems":{"type":"null"}}`, vs{`[1]`, `[1,null,null]`}, vs{`[1,null,2]`}},
	{"4+", `{"items":{},"additionalItems":false}`, vs{`[1,2]`}, nil},
	{"4+", `{"additionalItems":false}`, vs{`[1,2]`}, nil},
	{"2020", `{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"null"}}`, vs{`[]`, `[1]`, `[1,"a",null]`}, vs{`["a"]`, `[1,2]`, `[1,"a",1]`}},
	{"2020", `{"prefixItems":[{}],"items":false}`, vs{`[]`, `[1]`}, vs{`[1,2]`}},
	{"4 6 7 2019", `{"prefixItems":[false]}`, vs{`[1]`}, nil},
	{"6+", `{"contains":{"minimum":5}}`, vs{`[3,5]`, `[6]`, `{}`}, vs{`[]`, `[1,2]`}},
	{"4", `{"contains":{"minimum":5}}`, vs{`[]`}, nil},
	{"6+", `{"contains":true}`, vs{`[1]`}, vs{`[]`}},
	{"6+", `{"contains":false}`, nil, vs{`[1]`, `[]`}},
	{"2019+", `{"contains":{"const":1},"minContains":2,"maxContains":3}`, vs{`[1,1]`, `[1,2,1,1]`}, vs{`[]`, `[1]`, `[1,1,1,1]`}},
	{"2019+", `{"contains":{"const":1},"minContains":0}`, vs{`[]`, `[2]`, `[1]`}, nil},
	{"2019+", `{"contains":{"const":1},"minContains":0,"maxContains":1}`, vs{`[]`, `[1]`}, vs{`[1,1]`}},
	{"2019+", `{"minContains":2,"maxContains":1}`, vs{`[]`, `[1,1,1]`}, nil},
	{"6 7", `{"contains":{"const":1},"minContains":2,"maxContains":0}`, vs{`[1]`}, vs{`[]`}},

	// Objects.
	{"4+", `{"minProperties":1,"maxProperties":2}`, vs{`{"a":1}`, `[]`}, vs{`{}`, `{"a":1,"b":2,"c":3}`}},
	{"4+", `{"required":["a","toString"]}`, vs{`{"a":null,"toString":1}`, `1`}, vs{`{"a":1}`, `{}`}},
	{"6+", `{"required":[]}`, vs{`{}`}, nil},
	{"4+", `{"properties":{"a":{"type":"integer"},"b":{}}}`, vs{`{"a":1}`, `{"b":"x","c":1}`, `[]`}, vs{`{"a":"x"}`}},
	{"6+", `{"properties":{"a":true,"b":false}}`, vs{`{"a":1}`, `{}`}, vs{`{"b":1}`}},
	{"4+", `{"properties":{"a":{}},"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, vs{`{"a":1,"x1":2}`, `{}`}, vs{`{"b":1}`, `{"x":"a"}`}},
	{"4+", `{"properties":{"ab":{"minimum":1}},"patternProperties":{"a":{"maximum":3},"b":{"type":"integer"}}}`, vs{`{"ab":2}`, `{"c":"x"}`}, vs{`{"ab":0}`, `{"ab":4}`, `{"ab":2.5}`, `{"b":"x"}`}},
	{"4+", `{"additionalProperties":{"type":"boolean"}}`, vs{`{}`, `{"a":true}`}, vs{`{"a":1}`}},
	{"4+", `{"additionalProperties":true}`, vs{`{"a":true}`}, nil},
	{"6+", `{"propertyNames":{"maxLength":2,"pattern":"^a"}}`, vs{`{}`, `{"ab":1}`, `[]`}, vs{`{"abc":1}`, `{"b":1}`}},
	{"6+", `{"propertyNames":false}`, vs{`{}`}, vs{`{"a":1}`}},
	{"4", `{"propertyNames":{"maxLength":1}}`, vs{`{"ab":1}`}, nil},
	{"4+", `{"dependencies":{"a":["b","c"],"d":{"required":["e"]}}}`, vs{`{}`, `{"a":1,"b":1,"c":1}`, `{"d":1,"e":1}`, `[]`}, vs{`{"a":1,"b":1}`, `{"d":1}`}},
	{"6+", `{"dependencies":{"a":[],"b":false,"c":true}}`, vs{`{"a":1,"c":1}`}, vs{`{"b":1}`}},
	{"2019+", `{"dependentRequired":{"a":["b"],"c":[]}}`, vs{`{}`, `{"a":1,"b":1}`, `{"c":1}`, `1`}, vs{`{"a":1}`}},
	{"2019+", `{"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}},"n":false}}`, vs{`{"b":"x"}`, `{"a":1,"b":1}`}, vs{`{"a":1,"b":"x"}`, `{"n":1}`}},
	{"4 6 7", `{"dependentRequired":{"a":["b"]},"dependentSchemas":{"a":{"required":["b"]}}}`, vs{`{"a":1}`}, nil},
	{"4+", `{"properties":{"a":{"type":"integer"}}}`, vs{`{"a":"x","a":1}`}, vs{`{"a":1,"a":"x"}`}},
	{"4+", `{"properties":{"1":{},"2":{},"3":{},"4":{},"5":{},"6":{},"7":{},"8":{},"9":{"type":"null"}},"required":["9"]}`, vs{`{"9":null,"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"10":1}`}, vs{`{"9":1}`, `{"1":1}`}},

	// Combinations.
	{"4+", `{"allOf":[{"minimum":1},{"maximum":3}]}`, vs{`2`, `"x"`}, vs{`0`, `4`}},
	{"4+", `{"anyOf":[{"type":"integer"},{"minimum":2}]}`, vs{`1`, `2.5`, `3`, `"x"`}, vs{`1.5`}},
	{"4+", `{"oneOf":[{"type":"integer"},{"minimum":2}]}`, vs{`1`, `2.5`}, vs{`3`, `1.5`}},
	{"4+", `{"not":{"type":["integer","null"]}}`, vs{`"x"`, `1.5`}, vs{`1`, `null`}},
	{"4+", `{"not":{"not":{"type":"integer"}}}`, vs{`1`}, vs{`"x"`}},
	{"7+", `{"if":{"type":"integer"},"then":{"minimum":1},"else":{"type":"string"}}`, vs{`1`, `"x"`}, vs{`0`, `null`}},
	{"7+", `{"if":{"type":"integer"},"else":{"type":"string"}}`, vs{`0`, `"x"`}, vs{`1.5`}},
	{"7+", `{"then":false,"else":false}`, vs{`0`}, nil},
	{"7+", `{"if":true,"then":{"minimum":1},"else":{"minimum":9}}`, vs{`1`}, vs{`0`}},
	{"7+", `{"if":false,"then":{"minimum":9},"else":{"minimum":1}}`, vs{`1`}, vs{`0`}},
	{"4 6", `{"if":true,"then":{"minimum":1}}`, vs{`0`}, nil},
}
