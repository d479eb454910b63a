package change

import (
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// Extension is an extension that OLM installs as another identity than before, or that is new: From is "" then.
type Extension struct {
	Name     string
	From, To string
	Severity finding.Severity
	Place    objects.Position
	Units    []string

	// rejectedBy names the release whose API server rejects it, so that nothing is installed.
	rejectedBy string
	// wasAdmin is set if the identity before was a cluster-admin, too.
	wasAdmin bool
	object   *objects.Object
}

// The identities of OLM that are no subject.
const (
	ownAccount      = "OLM's own account"
	unknownIdentity = "an unknown identity"
	// possiblyOwnAccount is that of an extension without an account if the release is unknown: earlier releases reject it.
	possiblyOwnAccount = "OLM's own account, where the release accepts it"
	noIdentity         = "no identity"
)

// actors returns the identity as which OLM installs each extension of a unit, by the name of the extension. Namesakes in plain
// files are left out: which of them is which is unknown.
func actors(w *loader.Repository, s *gains.State) map[string]*actor {
	found := map[string]*actor{}
	twice := map[string]bool{}
	for _, e := range w.ExtensionsIn(s.Unit) {
		_, known := found[e.Name]
		twice[e.Name] = known || twice[e.Name]
		found[e.Name] = actorOf(e, s, w.Units)
		found[e.Name].units = s.Names(e.Object)
	}
	for name, is := range twice {
		if is {
			delete(found, name)
		}
	}
	return found
}

type actor struct {
	name       string
	object     *objects.Object
	units      []string
	rejectedBy string
	// isAdmin is set if the account that the extension names is a cluster-admin.
	isAdmin bool
}

func actorOf(e loader.Extension, s *gains.State, units []*objects.Unit) *actor {
	a := &actor{object: e.Object}
	target := e.Resolved.Target
	switch {
	case namesAccount(e.Account):
		a.name = identityName(e, units)
		a.isAdmin = actsAsAdmin(e, s, units)
	case target.Model == olm.Required:
		a.name, a.rejectedBy = noIdentity, target.Name
	case target.Model == olm.Unknown:
		a.name = possiblyOwnAccount
	default:
		a.name = identityName(e, units)
	}
	return a
}

// actsAsAdmin reports whether the account as which OLM installs an extension is a cluster-admin in its unit.
func actsAsAdmin(e loader.Extension, s *gains.State, units []*objects.Unit) bool {
	who, err := installer.Of(e, units)
	if err != nil || who.Acting == installer.AsOwnAccount {
		return false
	}
	account, isAccount := objects.ParseUser(who.Identity.User)
	return isAccount && s.IsAdministrator(account, e.Object.File)
}

// namesAccount reports whether an extension names an account, or can name one after a placeholder is replaced.
func namesAccount(a olm.Account) bool {
	return !slices.Contains([]olm.AccountState{olm.Absent, olm.Null, olm.Empty, olm.EmptyName}, a.State)
}

// identityName names the identity as which OLM installs an extension.
func identityName(e loader.Extension, units []*objects.Unit) string {
	who, err := installer.Of(e, units)
	switch {
	case err != nil:
		return unknownIdentity
	case who.Acting == installer.AsOwnAccount:
		return ownAccount
	}
	if account, ok := objects.ParseUser(who.Identity.User); ok {
		return access.SubjectName(rbac.Account(account))
	}
	return access.SubjectName(rbac.Subject{Kind: rbac.KindUser, Name: who.Identity.User})
}

// extensionsOf compares the identities of the extensions of a unit. Those that nothing had before, as exists tells, are new.
func extensionsOf(before, after map[string]*actor, exists func(name string) bool) []Extension {
	var found []Extension
	for name, now := range after {
		then, known := before[name]
		if !known {
			then = &actor{}
		}
		if !known && exists(name) || then.name == now.name {
			continue
		}
		severity := finding.Note
		if now.name == possiblyOwnAccount || now.name == ownAccount && !then.isAdmin { // OLM's own is a cluster-admin as it is shipped
			severity = finding.Warning
		}
		found = append(found, Extension{name, then.name, now.name, severity, now.object.Position(nil), now.units, now.rejectedBy, then.isAdmin, now.object})
	}
	return found
}

// mergedExtensions joins what is the same in several units, and sorts it.
func mergedExtensions(all []Extension) []Extension {
	at := map[[3]string]int{}
	var merged []Extension
	for _, e := range all {
		key := [3]string{e.Name, e.From, e.To}
		if i, known := at[key]; known {
			merged[i].Units = append(merged[i].Units, e.Units...)
			continue
		}
		at[key] = len(merged)
		merged = append(merged, e)
	}
	for i := range merged {
		slices.Sort(merged[i].Units)
	}
	slices.SortFunc(merged, func(a, b Extension) int { return compareText(a.Name, b.Name, a.From, b.From, a.To, b.To) })
	return merged
}

// hasExtension reports whether any unit has an extension of a name.
func (s Side) hasExtension(name string) bool {
	return slices.ContainsFunc(s.Repository.Units, func(u *objects.Unit) bool {
		return len(u.Find(objects.Query{Kind: olm.ClusterExtensionKind, Name: name})) > 0
	})
}
