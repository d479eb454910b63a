package judging

import (
	"regexp"
	"testing"

	"github.com/salint/salint/rules"
)

func TestSecuritySeverities(t *testing.T) {
	t.Parallel()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	score := regexp.MustCompile(`^[0-8]\.\d$`)
	for name, severity := range securitySeverities {
		if _, _, ok := registry.Find(name); !ok {
			t.Errorf("there is no rule %s", name)
		}
		if !score.MatchString(severity) || severity == "0.0" {
			t.Errorf("%s: the score %q is not between 0.1 and 8.9", name, severity)
		}
	}
}
