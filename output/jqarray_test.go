package output

import "testing"

// TestArraysKeepTheirBytes holds arrays that pass a filter untouched against
// what was sent, and those that it changes against what jq makes of them.
func TestArraysKeepTheirBytes(t *testing.T) {
	const doc = `{"a":["\u0041",1.50,["\/"]],"b":[],"a2":["x","y","z"]}`
	for expr, want := range map[string]string{
		`.a`:                             `["\u0041",1.50,["\/"]]`,
		`.a[2]`:                          `["\/"]`,
		`[.a]`:                           `[["\u0041",1.50,["\/"]]]`,
		`.a[0:2]`:                        `["A",1.50]`,
		`.a[0:3]`:                        `["\u0041",1.50,["\/"]]`,
		`.a + []`:                        `["\u0041",1.50,["\/"]]`,
		`.b, [], (.b + [1])`:             "[]\n[]\n[1]",
		`(.a[0] = 9 | .a), .a`:           "[9,1.50,[\"\\/\"]]\n[\"\\u0041\",1.50,[\"\\/\"]]",
		`del(.a[0]).a, .a`:               "[1.50,[\"\\/\"]]\n[\"\\u0041\",1.50,[\"\\/\"]]",
		`(.a += ["x"] | .a), .a`:         "[\"A\",1.50,[\"\\/\"],\"x\"]\n[\"\\u0041\",1.50,[\"\\/\"]]",
		`(.a2 | reverse), .a2`:           "[\"z\",\"y\",\"x\"]\n[\"x\",\"y\",\"z\"]",
		`(.a2 | sort_by(. == "x")), .a2`: "[\"y\",\"z\",\"x\"]\n[\"x\",\"y\",\"z\"]",
		`reduce range(3) as $i (.a2; .[$i] = $i), .a2`: "[0,1,2]\n[\"x\",\"y\",\"z\"]",
		`(.a2 | .[1:] = [7]), (.a2 | map(.)), .a2`:     "[\"x\",7]\n[\"x\",\"y\",\"z\"]\n[\"x\",\"y\",\"z\"]",
	} {
		f, err := CompileFilter(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := formatted(t, false, Options{Filter: f}, doc); got != want+"\n" {
			t.Errorf("%s:\ngot  %swant %s", expr, got, want)
		}
	}
}
