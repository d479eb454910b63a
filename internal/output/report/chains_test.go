package report

import (
	"fmt"
	"testing"
)

// chained returns chains of one account, which can do everything, and of a group that can create its pods.
func chained(name string) *Chains {
	direct := ChainStep{Text: "is allowed everything", By: []ChainGrant{{Text: "ClusterRoleBinding " + name, Rules: []string{"{verbs: [*]} " + name}}}}
	pod := ChainStep{Text: "creates a pod as " + name, Known: "known " + name, By: []ChainGrant{{Text: "RoleBinding " + name}}}
	return &Chains{
		Goal: "cluster-admin", Assumptions: []string{"only RBAC counts"}, Unknown: []string{"roles of " + name},
		Entries: []Chain{
			{Title: name + " can become cluster-admin in 1 step", Subject: name, Steps: []ChainStep{direct}},
			{Title: "Group developers can become cluster-admin in 2 steps", Subject: "Group developers", Steps: []ChainStep{pod, direct}},
		},
	}
}

// TestChainsVerdict checks that nothing is called impossible that is unknown, and that an identity of several units counts once.
func TestChainsVerdict(t *testing.T) {
	t.Parallel()
	entries := func(subjects ...string) (all []Chain) {
		for _, s := range subjects {
			all = append(all, Chain{Subject: s})
		}
		return all
	}
	many := make([]string, 250)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, c := range []struct {
		chains               Chains
		verdict, class, left string
	}{
		{Chains{Goal: "cluster-admin"}, "Under the assumptions below, no identity can become cluster-admin.", "good", ""},
		{Chains{Goal: "jane", Unknown: []string{"a role"}}, "As far as known, no identity can become jane.", "warn", ""},
		{Chains{Goal: "jane", Entries: entries("a", "b", "a")}, "2 identities can become jane. The shortest way of each is shown.", "warn", ""},
		{
			Chains{Goal: "jane", Entries: entries(many...)}, "250 identities can become jane. The shortest way of each is shown.", "warn",
			"150 more chains are not shown: salint who-can --become jane lists all.",
		},
	} {
		got := htmlChainsOf(&c.chains)
		if got.Verdict != c.verdict || got.Class != c.class || got.Left != c.left {
			t.Errorf("%q (%s), %q, want %q (%s), %q", got.Verdict, got.Class, got.Left, c.verdict, c.class, c.left)
		}
	}
	if htmlChainsOf(nil) != nil {
		t.Error("a page without chains has a section about them")
	}
}
