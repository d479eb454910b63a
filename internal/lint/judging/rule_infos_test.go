package judging

import (
	"testing"

	"github.com/salint/salint/rules/metadata"
)

// The page of a rule of a user is the first of its links that is an address of the web.
func TestHelpURI(t *testing.T) {
	t.Parallel()
	links := func(urls ...string) (r metadata.Rule) {
		r.Name, r.User = "bakery/owner", true
		for _, url := range urls {
			r.Links = append(r.Links, metadata.Link{URL: url})
		}
		return r
	}
	for _, c := range []struct {
		rule metadata.Rule
		want string
	}{
		{links(), ""},
		{links("docs/owners.md"), ""},
		{links("docs/owners.md", "https://wiki.example.com/owners", "https://example.com"), "https://wiki.example.com/owners"},
		{metadata.Rule{Name: "pod/token-mounted", Texts: metadata.Texts{Links: []metadata.Link{{URL: "https://example.com"}}}},
			"https://github.com/salint/salint/blob/main/docs/rules.md#podtoken-mounted"},
	} {
		if got := HelpURI(c.rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule.Name, got, c.want)
		}
	}
}
