package fixtext_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/fixtext"
)

func TestFixTexts(t *testing.T) {
	t.Parallel()
	for description, want := range map[string][2]string{
		"Remove spec.serviceAccount":                   {"remove spec.serviceAccount", "removed spec.serviceAccount"},
		"Remove a, and first grant User x ClusterRole": {"remove a, and first grant User x ClusterRole", "removed a, and first granted User x ClusterRole"},
		"Project a token, and drop the comments":       {"project a token, and drop the comments", "projected a token, and dropped the comments"},
		"Set a; b already holds it":                    {"set a; b already holds it", "set a; b already holds it"},
		"Let x expire at noon, which rotates it":       {"let x expire at noon, which rotates it", "let x expire at noon, which rotates it"},
		"Something else":                               {"Something else", "Something else"},
		"":                                             {"", ""},
	} {
		f := &finding.Fix{Description: description}
		if got := [2]string{fixtext.Offered(f), fixtext.Made(f)}; got != want {
			t.Errorf("%q: %q, want %q", description, got, want)
		}
	}
}

// capital finds offers and results whose verb is missing in pastTense: they keep their capital letter.
var capital = regexp.MustCompile(`(?m)(?:^ += fix|: fixed): [A-Z].*`)

// Every fix in the golden cases begins with a verb whose past tense is known.
func TestVerbsOfFixes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../fixtures/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d golden cases: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range capital.FindAll(data, -1) {
			t.Errorf("%s: pastTense lacks the verb of %q", filepath.Base(file), line)
		}
	}
}
