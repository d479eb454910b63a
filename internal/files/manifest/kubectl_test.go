package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// TestScalarsAsKubectl compares with sigs.k8s.io/yaml, which kubectl uses: booleans, numbers, and strings must be the same.
func TestScalarsAsKubectl(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, word := range []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nope", "o"} {
		texts = append(texts, word, strings.ToUpper(word), strings.ToUpper(word[:1])+word[1:], strings.ToLower(word[:1])+strings.ToUpper(word[1:]),
			"'"+word+"'", `"`+word+`"`, "!!str "+word, "|-\n  "+word, ">-\n  "+word, "&x "+word)
	}
	texts = append(texts, "!!binary aW5zdGFsbGVy", "!!binary 'aW5zdGFsbGVy'", "!<tag:yaml.org,2002:binary> aW5zdGFsbGVy",
		"!!binary |\n  aW5z\n  dGFsbGVy", "012", "1.5", "~", "2001-01-01", "O''Brien", "'O''Brien'", "Domain\n  Admins", ">-\n  Domain\n  Admins")
	for _, text := range texts {
		source := "a: " + text + "\n"
		var want map[string]any
		if err := yaml.Unmarshal([]byte(source), &want); err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		doc := manifest.Scan("a.yaml", []byte(source)).Docs[0]
		if err := doc.Parse(); err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		got := doc.Root.Decode()
		if number, ok := got.(map[string]any)["a"].(int64); ok {
			got = map[string]any{"a": float64(number)}
		}
		if diff := cmp.Diff(any(want), got); diff != "" {
			t.Errorf("%q: %s", source, diff)
		}
		if _, isText := want["a"].(string); isText != doc.Root.Get("a").IsString() {
			t.Errorf("%q: a text is %v", source, !isText)
		}
	}
	doc := manifest.Scan("a.yaml", []byte("%TAG !x! tag:yaml.org,2002:\n---\na: !x!binary aW5zdGFsbGVy\n")).Docs
	last := doc[len(doc)-1]
	if err := last.Parse(); err == nil && last.Root.Get("a").String() != "installer" {
		t.Errorf("by a shorthand: %q", last.Root.Get("a").String())
	} else if err != nil {
		t.Log(err)
	}
}
