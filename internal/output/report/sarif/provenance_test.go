package sarif

import (
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

func TestProvenance(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		origin            finding.Provenance
		category          string
		id, uri, revision string
	}{
		"unknown":          {finding.Provenance{}, "", "salint/", "", ""},
		"of git":           {finding.Provenance{Repository: "example.org/a b/c", Revision: "1f"}, "", "salint/1f", "https://example.org/a%20b/c", "1f"},
		"named":            {finding.Provenance{Repository: "example.org:8443/a/b", Revision: "1f", Named: true}, "", "salint/example.org:8443/a/b/1f", "https://example.org:8443/a/b", "1f"},
		"another command":  {finding.Provenance{Repository: "a/b", Revision: "1f"}, "diff", "salint/diff/1f", "", ""},
		"no revision":      {finding.Provenance{Repository: "example.org/a"}, "", "salint/", "https://example.org/a", ""},
		"a name, no host":  {finding.Provenance{Repository: "acme/payments", Named: true}, "", "salint/acme/payments/", "", ""},
		"a name, one word": {finding.Provenance{Repository: "payments", Named: true}, "", "salint/payments/", "", ""},
	} {
		r := &finding.Result{}
		r.Origin, r.Category = test.origin, test.category
		run := runIn(t, r)
		if *run.AutomationDetails.ID != test.id {
			t.Errorf("%s: ID %q, want %q", name, *run.AutomationDetails.ID, test.id)
		}
		uri, revision := "", ""
		for _, details := range run.VersionControlProvenance {
			uri = *details.RepositoryURI
			if details.RevisionID != nil {
				revision = *details.RevisionID
			}
		}
		if uri != test.uri || revision != test.revision {
			t.Errorf("%s: %q at %q, want %q at %q", name, uri, revision, test.uri, test.revision)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	const page = "https://github.com/salint/salint/blob/"
	for version, want := range map[string]struct {
		semantic bool
		uri      string
	}{
		"0.1.0":            {true, page + "v0.1.0/docs/rules.md#a"},
		"1.2.3-rc.1":       {true, page + "v1.2.3-rc.1/docs/rules.md#a"},
		"0.1.0-5-g1a2b3c4": {true, page + "main/docs/rules.md#a"},
		"0.1.0-dirty":      {true, page + "main/docs/rules.md#a"},
		"devel":            {false, page + "main/docs/rules.md#a"},
		"1a2b3c4":          {false, page + "main/docs/rules.md#a"},
	} {
		r := &finding.Result{}
		r.Version, r.Rules = version, []finding.RuleInfo{{Name: "a/b", HelpURI: page + "main/docs/rules.md#a", SecuritySeverity: "8.0"}}
		driver := runIn(t, r).Tool.Driver
		if got := driver.SemanticVersion != nil; got != want.semantic {
			t.Errorf("%s: semanticVersion is set: %t", version, got)
		}
		rule := driver.Rules[0]
		if *rule.HelpURI != want.uri || rule.Properties["security-severity"] != "8.0" {
			t.Errorf("%s: %s with %v", version, *rule.HelpURI, rule.Properties)
		}
	}
}
