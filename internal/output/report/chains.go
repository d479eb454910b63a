package report

import (
	"fmt"

	"github.com/salint/salint/internal/base/words"
)

// Chains are the identities that can become an administrator, and their steps. All strings are safe for a terminal.
type Chains struct {
	// Goal is the identity to become, such as cluster-admin.
	Goal    string
	Entries []Chain
	// Assumptions are what the answer does not consider, and Unknown is what could add to it.
	Assumptions, Unknown []string
}

// Chain is one identity with its steps.
type Chain struct {
	// Title is a sentence about who can become what, and Subject is who.
	Title, Subject string
	Steps          []ChainStep
}

// ChainStep is what the holder does, and what allows it.
type ChainStep struct {
	Text string
	// To is the identity that the step leads to; "" if the holder stays the same.
	To    string
	Known string // why the step is possible without a grant of the repository; otherwise ""
	By    []ChainGrant
}

// ChainGrant is a binding with the rules of its role.
type ChainGrant struct {
	Text  string
	Rules []string
}

// pageChains limits the chains of a page.
const pageChains = 100

// htmlChains are the chains that a page shows.
type htmlChains struct {
	Chains

	Verdict string
	Class   string
	Left    string
}

// htmlChainsOf returns nil if nothing was asked.
func htmlChainsOf(c *Chains) *htmlChains {
	if c == nil {
		return nil
	}
	out := &htmlChains{Chains: *c, Class: "warn"}
	subjects := map[string]bool{} // an identity has an entry for each deployment unit
	for _, entry := range c.Entries {
		subjects[entry.Subject] = true
	}
	switch n := len(subjects); {
	case n > 0:
		out.Verdict = fmt.Sprintf("%s can become %s. The shortest way of each is shown.", words.Count(n, "identity"), c.Goal)
	case len(c.Unknown) > 0:
		out.Verdict = fmt.Sprintf("As far as known, no identity can become %s.", c.Goal)
	default:
		out.Verdict, out.Class = fmt.Sprintf("Under the assumptions below, no identity can become %s.", c.Goal), "good"
	}
	if left := len(c.Entries) - pageChains; left > 0 {
		out.Entries = out.Entries[:pageChains]
		out.Left = fmt.Sprintf("%s are not shown: salint who-can --become %s lists all.", words.Count(left, "more chain"), c.Goal)
	}
	return out
}
