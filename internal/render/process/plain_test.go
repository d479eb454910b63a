package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resource"
)

// resources returns the objects of a text as kustomize reads them; none if it cannot.
func resources(text string) []*resource.Resource {
	all, err := provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte(text))
	if err != nil {
		return nil
	}
	return all
}

// compareJSON compares the JSON of objects with that of kustomize, and returns how many were written without it.
func compareJSON(t *testing.T, text string) (plain, all int) {
	t.Helper()
	if strings.Count(text, "*") > 10 || len(text) > 1<<16 {
		return 0, 0 // the parent refuses documents that aliases make large
	}
	for _, r := range resources(text) {
		if _, ok := plainValue(r.YNode()); ok {
			plain++
		}
		all++
		got, gotErr := objectJSON(r)
		want, wantErr := r.MarshalJSON()
		if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("got %s, %v\nwant %s, %v", got, gotErr, want, wantErr)
		}
	}
	return plain, all
}

// TestObjectJSON compares all manifests of the golden cases.
func TestObjectJSON(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../../fixtures/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	plain, all := 0, 0
	for _, archive := range archives {
		data, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq(string(data), "\n-- ") {
			_, text, _ := strings.Cut(section, " --\n")
			for doc := range strings.SplitSeq(text, "\n---\n") {
				p, n := compareJSON(t, doc+"\n")
				plain, all = plain+p, all+n
			}
		}
	}
	if plain < all/2 || all < 1000 {
		t.Errorf("%d of %d objects were written without kustomize", plain, all)
	}
}

// oddValues are values of fields that YAML can write and read in surprising ways.
var oddValues = []string{
	"yes", "on", "~", "null", "Null", "", "\"\"", "''", "true", "True", "\"true\"", "!!str true", "0x1F", "0o17", "017", "1_000", "+1", "-0", "-1", "1.0", "1e3", ".inf", ".nan",
	"12345678901234567890", "123456789012345678901234567890", "9223372036854775807", "2020-01-01", "12:30:45", "\"2020-01-01\"", "a: b", "'a: b'", "\"# a\"", "'- a'", "'? a'",
	"|\n    a\n    b\n", "|-\n    a\n", ">\n    a\n    b\n", "|+\n    a\n\n", "\" a\"", "\"a \"", "\"a\\tb\"", "\"a\\nb\"", "\"\\u00e9\"", "é", "\"<&>\"", "\"\\x7f\"", "\"a\\\\b\"", "[]", "{}",
	"# c\n    a", "\n    # c\n    - a # d\n    # e\n    - b\n    # f\n", "\n    # c\n\n    # d\n    b: c # d\n    # e\n\n    f: g", "\n    # c: |\n    b: | # c\n      d\n    # e\n    f: g", "a #", "\n    - # c\n      a: b",
	"\n    b: # c\n      # d\n      e: f", "\n    # é #\u2028x\n    a: b", "{a: b} # c", "[] # c", "\n    # c\n    {a: b}", "\n    # c\n    ? a\n    : b # d", "\n    a: b\n\n    # foot\n", "'a' # c", "\"a\" # c", "null # c", "1 # c", "# c", "\n    # c",
	"[1, a, null]", "{a: 1, b: [c]}", "[a, # c\n    b]", "a # c", "&x a", "!!binary aGk=", "!custom a", "{1: a}", "{true: a}", "{null: a}", "{\"<<\": {a: b}}", "{a: 1, a: 2}",
	"---x", "'---'", "...", "=", "<<", "\"%a\"", "@a", "`a`", "'`a`'", "a'b", "\"a'b\"", "'a\"b'", "\"" + strings.Repeat("long words ", 40) + "x\"", strings.Repeat("x", 300), "*", "'*a'", "'&a'", "'!a'", "0b11", "1__2", "y", "n", "~a", "-", "'-'", ":", "'a:'", "a:b",
}

// TestObjectJSONOfOddValues does the same with odd values, as values, as keys, and as changed by a transformer.
func TestObjectJSONOfOddValues(t *testing.T) {
	t.Parallel()
	const begin = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for _, value := range oddValues {
		compareJSON(t, begin+"data:\n  a: "+value+"\n")
		compareJSON(t, begin+"data:\n- "+value+"\n")
		compareJSON(t, begin+"data:\n  a: [b, "+value+"]\n")
		if !strings.Contains(value, "\n") {
			compareJSON(t, begin+"data:\n  "+value+": a\n")
		}
		for _, r := range resources(begin) {
			if err := r.SetAnnotations(map[string]string{
				"a": value, "c": "a: " + value + "\n", "d": value + "\nb", "e": "\n" + value, "f": value + "\n\n", "b" + strings.Trim(value, "\n"): "c"}); err == nil {
				if got, _ := objectJSON(r); string(got) != string(must(r.MarshalJSON())) {
					t.Errorf("%q as annotation: %s", value, got)
				}
			}
		}
	}
}

func must(data []byte, _ error) []byte { return data }

// FuzzObjectJSON searches for an object that is written in another way.
func FuzzObjectJSON(f *testing.F) {
	for _, value := range oddValues {
		f.Add("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: " + value + "\n")
	}
	f.Fuzz(func(t *testing.T, text string) { compareJSON(t, text) })
}
