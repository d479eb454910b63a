package permission

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/words"
)

// Change is what the permissions of an extension become when OLM begins to act as its own account for it.
type Change string

// The changes.
const (
	// Gains means that nothing limits the extension any longer, and Same that nothing did before.
	Gains Change = "gains"
	Same  Change = "same"
	// Unknown means that the permissions of OLM's own account are not known.
	Unknown Change = "unknown"
)

// maxItems limits the lists in a sentence.
const maxItems = 4

// Upcoming says what changes for an extension with the step in which its target begins to ignore its identity. The sentence does not name
// the extension, and has no full stop.
func (u Unlimited) Upcoming() (Change, string) {
	change, after := Gains, "nothing does after it"
	if u.OwnRestricted {
		change, after = Unknown, "OLM's own account after it, which the repository does not show as a cluster-admin"
	}
	switch {
	case u.Admin && !u.OwnRestricted:
		return Same, u.identity() + " does not limit it, as a cluster-admin: nothing changes"
	case u.Admin:
		return change, u.identity() + ", a cluster-admin, does not limit it until this step, and it can lose permissions: it is limited by " + after
	case u.Rules+u.Roles == 0:
		return change, u.identity() + u.whyNothing() + ", limits it until this step, and " + after
	}
	most := ""
	if u.Doubtful {
		most = "at most "
	}
	return change, fmt.Sprintf("%s limits it until this step, and %s (%s%s)", u.identity(), after, most, u.granted())
}

// granted lists what is granted to the identity.
func (u Unlimited) granted() string {
	var parts []string
	for _, s := range u.Granted {
		rules := RuleTexts(s.Added, maxItems)
		for _, role := range s.AddedRoles {
			rules = append(rules, "unknown rules of "+role.Kind+" "+role.Name)
		}
		if more := len(rules) - maxItems; more > 0 {
			rules = append(rules[:maxItems], fmt.Sprintf("and %d more", more))
		}
		parts = append(parts, ScopeText(s.Namespace)+": "+strings.Join(rules, "; "))
	}
	if more := len(parts) - maxItems; more > 0 {
		parts = append(parts[:maxItems], words.Count(more, "more namespace"))
	}
	return strings.Join(parts, "; ")
}
