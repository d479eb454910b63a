package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evaluate"
)

// TestCases checks what the case of a finding is made of.
func TestCases(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	for source, want := range map[string][]string{
		`lib.finding([], "m")`:                                                                    {"m"},
		`lib.case(lib.finding([], "m"), "named")`:                                                 {"named"},
		`lib.case(lib.finding([], "m"), ["a", "b"])`:                                              {"a\x00b"},
		`lib.case(lib.finding([], "m"), {"b", "a"})`:                                              {"a\x00b"},
		`lib.case(lib.finding([], "m"), ["a", ["data", "x"]])`:                                    {"a\x00y"},
		`lib.case(lib.finding([], "m"), [["data", "missing"]])`:                                   {""},
		`lib.case(lib.finding([], "m"), [{"ref": "maps.yaml#1/", "path": ["metadata", "name"]}])`: {"two"},
		`lib.case(lib.at(lib.finding([], "m"), "maps.yaml#1/"), [["metadata", "name"]])`:          {"two"},
		// A rule that says two things under one name still has two findings.
		`[lib.case(lib.finding([], "m"), "same"), lib.case(lib.finding([], "n"), "same")][_]`:       {"same", "same\x00n"},
		`[lib.case(lib.finding([], "m"), "same"), lib.case(lib.finding(["data"], "n"), "same")][_]`: {"same", "same"},
	} {
		evaluator := policyOf(t, rules.Options{}, nil, "report contains f if {\n\tinput.resource\n\tsome f in {x | x := "+source+"}\n}\n")
		reports, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		var got []string
		for _, r := range reports {
			got = append(got, r.Case)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}

func TestCasesOfTheWrongShape(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	for value, want := range map[string]string{
		`[""]`:                             "a case must be a name, or a list of names, paths, and {ref, path}",
		`[]`:                               "a case must be a name, or a list",
		`[3]`:                              "not a number",
		`["a", true]`:                      "not a boolean",
		`[["data", 1.5]]`:                  "must be an index",
		`[{"ref": "nowhere", "path": []}]`: `case: there is no object with the ref "nowhere"`,
		`[{"ref": "maps.yaml#0/"}]`:        "a path must be an array",
	} {
		evaluator := policyOf(t, rules.Options{}, nil, "report contains lib.case(lib.finding([], \"m\"), "+value+") if input.resource\n")
		_, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
		var failed *evaluate.Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v and lacks %q", value, err, want)
		}
	}
}
