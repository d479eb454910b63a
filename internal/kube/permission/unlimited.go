package permission

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rbac"
)

// Unlimited is an extension that its account no longer limits: its target ignores the account, and a fix removes it from the
// manifest. No binding needs to change for that, so it is no difference of an identity.
type Unlimited struct {
	Name, File string
	// Account is the identity that the manifest named before, and Rules the number of rules that the repository grants to it
	// by name or through the groups of its namespace. Roles is the number of granted roles whose rules are not all known.
	Account      rbac.Subject
	Rules, Roles int
	// Granted are these rules and roles, as added.
	Granted []Scope
	// Doubtful is true if some of the rules may not apply to the account.
	Doubtful bool
	// Admin is true if the account is a cluster-admin by these rules, so that it did not limit the extension.
	Admin bool
	// Elsewhere are other deployment units that bind the account if this unit does not, sorted; Renamed are the accounts that
	// bindings written for this one are applied for. What they grant is not counted, because the unit may be on another cluster.
	Elsewhere, Renamed []string
	// OwnRestricted is true if the repository installs OLM so that its account is not known to be a cluster-admin.
	OwnRestricted bool
	Context
}

// key identifies an entry apart from its units.
func (u Unlimited) key() string {
	return strings.Join([]string{u.Name, u.File, text(u.Account), fmt.Sprint(u.Rules, u.Roles, u.Doubtful, u.Admin, u.OwnRestricted), fmt.Sprintf("%q%q", u.Elsewhere, u.Renamed)}, "\x00")
}

// String tells in numbers what no longer limits the extension, and as which identity OLM acts instead. Control characters are not
// escaped.
func (u Unlimited) String() string {
	return fmt.Sprintf("ClusterExtension %s: %s", u.Name, u.clauses())
}

// Sentence is String without the name of the extension.
func (u Unlimited) Sentence() string {
	s := u.clauses()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func (u Unlimited) clauses() string {
	own := "OLM acts as its own account, a cluster-admin"
	if u.OwnRestricted {
		own = "OLM acts as its own account, which the repository does not show as a cluster-admin"
	}
	return u.limit() + "; " + own
}

func (u Unlimited) limit() string {
	account := u.identity()
	switch {
	case u.Admin:
		return account + " did not limit it either, as a cluster-admin"
	case u.Rules+u.Roles == 0:
		return account + u.whyNothing() + ", no longer limits it"
	}
	var parts []string
	if u.Rules > 0 {
		parts = append(parts, words.Count(u.Rules, "rule"))
	}
	if u.Roles > 0 {
		parts = append(parts, words.Count(u.Roles, "role")+" with unknown rules")
	}
	verb := "limit"
	if u.Rules+u.Roles == 1 {
		verb = "limits"
	}
	most := ""
	if u.Doubtful {
		most = "at most "
	}
	return fmt.Sprintf("%s%s of %s no longer %s it", most, strings.Join(parts, " and "), account, verb)
}

func (u Unlimited) identity() string {
	if u.Account.Namespace != "" {
		return u.Account.Kind + " " + u.Account.Namespace + "/" + u.Account.Name
	}
	return u.Account.Kind + " " + u.Account.Name
}

// whyNothing returns what the repository has instead of bindings of the account in this unit.
func (u Unlimited) whyNothing() string {
	switch {
	case len(u.Elsewhere) == 1:
		return ", which only " + u.Elsewhere[0] + " binds"
	case len(u.Elsewhere) > 0:
		return ", which only other deployment units bind (" + firstOf(u.Elsewhere) + ")"
	case len(u.Renamed) > 0:
		return ", whose bindings are applied for another account (" + firstOf(u.Renamed) + ")"
	}
	return ", to which the repository grants nothing"
}

// maxNames limits the names in a sentence.
const maxNames = 3

func firstOf(names []string) string { return words.First(maxNames, names) }
