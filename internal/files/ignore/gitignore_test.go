package ignore

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestGitignoreCost checks that hostile patterns take no more than a moment.
func TestGitignoreCost(t *testing.T) {
	t.Parallel()
	glob := strings.Repeat("a*", 2000) + "b"
	rules := parseGitignore([]byte(glob + "\n" + strings.Repeat("**/a", 2000) + "/b\n"))
	if len(rules.rules) != 2 {
		t.Fatal(fmt.Sprint(len(rules.rules), " rules"))
	}
	if rules.lastMatch(strings.Repeat("a", 4000), false) != nil {
		t.Error("matched")
	}
	if rules.lastMatch(strings.Repeat("a/", 1500)+"c", false) != nil {
		t.Error("matched")
	}
}

// TestGitignoreOfManyRules compares a large file with many paths.
func TestGitignoreOfManyRules(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "name-%d.yaml\n/dir/path-%d.yaml\n*.suffix-%d\n", i, i, i)
	}
	text.WriteString("!name-7.yaml\nname-8.yaml/\n")
	start := time.Now()
	rules := parseGitignore([]byte(text.String()))
	for i := range 30_000 {
		for p, want := range map[string]bool{
			fmt.Sprintf("x/name-%d.yaml", i): i != 7, fmt.Sprintf("dir/path-%d.yaml", i): true, fmt.Sprintf("x/path-%d.yaml", i): false,
			fmt.Sprintf("x.suffix-%d", i): true,
		} {
			if r := rules.lastMatch(p, false); (r != nil && !r.negate) != want {
				t.Fatalf("%s: %+v", p, r)
			}
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
