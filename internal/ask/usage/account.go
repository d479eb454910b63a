package usage

import (
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/secrets"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// isInert reports whether OLM installs an extension as its own account, whatever account the extension names.
func isInert(r *loader.Repository, e loader.Extension) bool {
	who, err := installer.Of(e, r.Units)
	return err == nil && (who.Acting == installer.AsOwnAccount || who.Acting == installer.AsLimitedAccount)
}

// accountUses returns the places of an object that use an account.
func (f *finder) accountUses(unit *objects.Unit, o *objects.Object, s Subject) []Use {
	var found []Use
	for _, ref := range o.References() {
		if ref.What == objects.Definition {
			continue
		}
		if ref.Account.Name != s.Name {
			if u, may := mayBeFilledIn(ref); may {
				found = append(found, s.inNamespace(ref.Account.Namespace, u)...)
			}
			continue
		}
		u := f.accountUse(o, ref)
		if same, _ := sameNamespace(ref.Account.Namespace, s.Namespace); same && ref.What == objects.TokenSecret {
			found = append(found, tokenUses(unit, o, f.Pods)...)
		}
		found = append(found, s.inNamespace(ref.Account.Namespace, u)...)
	}
	return append(found, s.namedInRules(o, "serviceaccounts")...)
}

// accountUse returns what a reference does with the account.
func (f *finder) accountUse(o *objects.Object, ref objects.Reference) Use {
	u := Use{Path: ref.Path, Effect: Needs}
	switch ref.What {
	case objects.PodAccount:
		u.How = "runs its pods as it"
	case objects.PodDefault:
		u.How = "runs its pods as it, because it sets no account"
	case objects.TokenSecret:
		u.Effect, u.How = May, "holds a token of it that does not expire; who uses that token is not known"
	case objects.Subject:
		u.Effect, u.How = Belongs, "binds it"
	case objects.Installer:
		u.How = "is installed with it"
		if f.inert[o] {
			u.Effect, u.How = Belongs, "names it, which has no effect on its target: remove the field first"
		}
	case objects.UserName:
		u.Effect, u.How = May, "names its user"
		if o.Kind == "SecurityContextConstraints" {
			u.Effect = Belongs
		}
	default:
		u.How = "names it as its account"
	}
	return u
}

// mayBeFilledIn returns the use of a field that names an account by nothing but placeholders.
func mayBeFilledIn(ref objects.Reference) (Use, bool) {
	if ref.What == objects.Subject || !rbac.OnlyPlaceholders(ref.Account.Name) {
		return Use{}, false
	}
	return Use{Path: ref.Path, Effect: May, How: "may name it once its placeholders are filled in"}, true
}

// tokenUses returns the pods and accounts that use a token Secret of an account.
func tokenUses(unit *objects.Unit, o *objects.Object, more []objects.PodSpecKind) []Use {
	var found []Use
	for _, user := range secrets.Users(unit, o, more...) {
		if user.Object.Kind != account {
			found = append(found, Use{
				Position: user.Object.Position(user.Path), Path: user.Path, Effect: Needs, Accounts: podAccounts(user.Object),
				How: "is the token with which " + user.Object.Kind + " " + user.Object.Name + " acts as it",
			})
		}
	}
	return found
}

// namedInRules returns the rules of a role that name the subject: who has the role can use it.
func (s Subject) namedInRules(o *objects.Object, resource string) []Use {
	if o.Group != rbac.Group || o.Kind != role && o.Kind != clusterRole || o.Kind == role && s.Kind == clusterRole {
		return nil
	}
	rules, err := rbac.Rules(o)
	if err != nil {
		return nil // the doubts have the invalid role
	}
	var found []Use
	for i, rule := range rules {
		at := slices.Index(rule.ResourceNames, s.Name)
		if at < 0 || !slices.ContainsFunc(rule.Resources, func(r string) bool { return r == "*" || r == resource || r == resource+"/token" }) {
			continue
		}
		u := Use{Path: rulePath(i, at), Effect: May, How: "lets its holders use it by its name"}
		if o.Kind == clusterRole {
			found = append(found, u)
			continue
		}
		found = append(found, s.inNamespace(o.Namespace, u)...)
	}
	return found
}
