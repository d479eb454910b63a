package conditions

import (
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/policy"
)

// objectCondition reports whether a rule can find something about the evaluated object. It can be true without need, but is never
// false if the rule would find something. It asks only the unit of the object, so no deferred unit is missing in its answer.
type objectCondition func(*Evaluated) bool

// objectConditions are those that METADATA names under `evaluate_if`; docs/policies.md describes them. Most objects of a repository
// have no problem, and a condition costs a hundredth of an evaluation.
var objectConditions = map[string]objectCondition{
	"account-empty":       func(s *Evaluated) bool { return s.hasAccount(olm.Null, olm.Empty, olm.EmptyName, olm.Malformed) },
	"account-named":       func(s *Evaluated) bool { return s.hasAccount(olm.Named, olm.Templated) },
	"account-not-applied": accountNotApplied,
	"account-unbound":     func(s *Evaluated) bool { return s.hasAccount(olm.Named) && len(s.bindingsOfInstaller()) == 0 },
	"account-unused":      accountUnused,
	"acts-as-account":     func(s *Evaluated) bool { return s.Delivery.MayAct(s.Object) },
	"controller-limited":  controllerLimited,
	"everything-granted":  everythingGranted,
	"everything-held":     everythingHeld,
	"extensions-granted":  extensionsGranted,
	"field-immutable":     fieldImmutable,
	"finalizers-not-held": finalizersNotHeld,
	"gate-off":            gateOff,
	"grants-late":         grantsLate,
	"identity-unbound":    identityUnbound,
	"layout-outdated":     layoutOutdated,
	"subject-mistyped":    subjectMistyped,
	"sync-destructive":    syncDestructive,
	"user-unknown":        userUnknown,
	"version-open":        versionOpen,
}

// Names returns the names of all conditions, sorted.
func Names() []string { return slices.Sorted(maps.Keys(objectConditions)) }

// New returns the conditions of the object of an evaluation.
func New(s *evalcontext.Evaluation) *Evaluated { return &Evaluated{Evaluation: s} }

// Exclude reports that none of the named conditions holds, so that a rule which names them (Rule.EvaluateIf) finds nothing.
func (s *Evaluated) Exclude(names []string) bool {
	return len(names) > 0 && !mayHold(func() bool {
		return slices.ContainsFunc(names, func(name string) bool { return objectConditions[name](s) })
	})
}

// mayHold returns the value of a condition. One that fails may hold: the rule is evaluated.
func mayHold(condition func() bool) (holds bool) {
	failed := policy.Contain(func() error {
		holds = condition()
		return nil
	})
	return holds || failed != nil
}

// Evaluated is an object on which rules are evaluated, with facts about the extension that it is. Several conditions need them.
type Evaluated struct {
	*evalcontext.Evaluation
	read, bound bool
	isExtension bool
	extension   olm.Extension
	bindings    []rbac.Binding
}

// installedExtension returns the evaluated object as an extension.
func (s *Evaluated) installedExtension() (olm.Extension, bool) {
	if !s.read {
		s.read = true
		s.extension, s.isExtension = s.Object.Extension()
	}
	return s.extension, s.isExtension
}

// hasAccount reports whether the evaluated object is an extension with an account in one of the states.
func (s *Evaluated) hasAccount(states ...olm.AccountState) bool {
	e, ok := s.installedExtension()
	return ok && slices.Contains(states, e.Account.State)
}

// installerSubject returns the account that an extension names, or its synthetic user.
func installerSubject(e olm.Extension) rbac.Subject {
	if e.Account.Name != "" && e.Account.Name != olm.Placeholder {
		return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(e.Name)}
}

// bindingsOfInstaller returns the bindings of the identity that installs the evaluated extension.
func (s *Evaluated) bindingsOfInstaller() []rbac.Binding {
	if e, ok := s.installedExtension(); ok && !s.bound {
		s.bound = true
		s.bindings = rbac.BindingsOf(s.Unit, s.Object, installerSubject(e))
	}
	return s.bindings
}

// accountNotApplied is for olm/service-account-not-found. An account with the name and namespace that the extension names is meant.
func accountNotApplied(s *Evaluated) bool {
	e, ok := s.installedExtension()
	if !ok || e.Account.State != olm.Named {
		return ok && e.Account.State == olm.Templated
	}
	core := ""
	return e.Namespace == "" || len(s.Unit.Find(objects.Query{Kind: "ServiceAccount", Group: &core, Namespace: e.Namespace, Name: e.Account.Name})) == 0
}

// accountUnused is for olm/installer-orphaned. An extension that names an account means the only one of this name in a unit.
func accountUnused(s *Evaluated) bool {
	namespace, name := textAt(s.Object, metadataNamespace), textAt(s.Object, metadataName)
	if namespace == "" || name == "" {
		return true
	}
	group, core := olm.APIGroup, ""
	query := fieldquery.Query{Query: objects.Query{Kind: olm.ClusterExtensionKind, Group: &group}, Fields: map[string]string{"account": name}}
	names := func(o *objects.Object) bool {
		return textAt(o, v1AccountName) == name && textAt(o, v1Namespace) == namespace
	}
	if !slices.ContainsFunc(query.In(s.Unit), names) {
		return true
	}
	return s.Unit.Kind == objects.PlainUnit &&
		len(s.Unit.Find(objects.Query{Kind: "ServiceAccount", Group: &core, Namespace: namespace, Name: name})) > 1
}

// textAt returns a field of an object that is a string in the form of policies, otherwise "".
func textAt(o *objects.Object, path manifest.Path) string {
	if value := o.Node.Lookup(path); value.IsString() {
		return value.String()
	}
	return ""
}

var (
	metadataName      = manifest.Path{"metadata", "name"}
	metadataNamespace = manifest.Path{"metadata", "namespace"}
	v1Namespace       = manifest.Path{"spec", "namespace"}
	v1AccountName     = manifest.Path{"spec", "serviceAccount", "name"}
)

// everythingGranted is for the rules about cluster-admin, on a binding.
func everythingGranted(s *Evaluated) bool {
	if !slices.Contains(define.BindingKinds, s.Object.Kind) {
		return false
	}
	return s.Object.Node.Lookup(roleNamePath).String() == clusterAdmin || s.grantsAny("everything", concernsEverything)
}

var roleNamePath = manifest.Path{"roleRef", "name"}

const clusterAdmin = "cluster-admin"

// everythingHeld is for olm/cluster-admin-grant: of several bindings that make an identity cluster-admin together, each allows
// something on everything.
func everythingHeld(s *Evaluated) bool {
	return slices.ContainsFunc(s.bindingsOfInstaller(), func(b rbac.Binding) bool {
		return s.bindingGrants(b.Object, "everything", concernsEverything)
	})
}

func concernsEverything(r rbacv1.PolicyRule) bool {
	return slices.Contains(r.APIGroups, rbacv1.APIGroupAll) && slices.Contains(r.Resources, rbacv1.ResourceAll)
}

// extensionsGranted is for olm/extension-write-access.
func extensionsGranted(s *Evaluated) bool {
	return s.grantsAny("extensions", func(r rbacv1.PolicyRule) bool {
		return policyrules.Has(r.APIGroups, olm.APIGroup) && slices.ContainsFunc(openedResources, func(resource string) bool {
			return policyrules.Has(r.Resources, resource)
		}) && slices.ContainsFunc(writingVerbs, func(verb string) bool { return policyrules.Has(r.Verbs, verb) })
	})
}

var (
	// openedResources and writingVerbs are those of rego/olm/extension_writers.rego.
	openedResources = []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}
	writingVerbs    = []string{"create", "update", "patch"}
)

// grantsAny reports whether a role that the evaluated binding can grant has a rule that concerns something; what is its name.
func (s *Evaluated) grantsAny(what string, concerns func(rbacv1.PolicyRule) bool) bool {
	if s.bindingGrants(s.Object, what, concerns) {
		return true
	}
	group := rbac.Group
	name := s.Object.Node.Lookup(roleNamePath).String()
	return slices.ContainsFunc(define.RoleKinds, func(kind string) bool {
		return slices.ContainsFunc(evalcontext.HomesOf(s.Context, s.Object), func(home *objects.Unit) bool {
			return slices.ContainsFunc(home.Find(objects.Query{Kind: kind, Group: &group, Name: name}), func(role *objects.Object) bool {
				return s.bindingGrants(role, what, concerns)
			})
		})
	})
}

// concernKey identifies the answer of bindingGrants for a role or binding, with which the unit keeps it.
type concernKey struct {
	object, home any
	what         string
}

// bindingGrants reports whether the role of a binding, or a role, has a rule that concerns something; true for a role that cannot be
// read.
func (s *Evaluated) bindingGrants(object *objects.Object, what string, concerns func(rbacv1.PolicyRule) bool) bool {
	return s.Unit.Cached(concernKey{object, evalcontext.HomesOf(s.Context, s.Object)[0], what}, func() any {
		granted, ok := evalcontext.GrantedBy(s.Context, s.Object, object)
		return !ok || slices.ContainsFunc(granted.Rules, concerns) || len(granted.Unknown) > 0 && s.mayBePending(define.RoleKinds)
	}).(bool)
}

// mayBePending reports whether a unit that is not built yet can have an object of some kinds.
func (s *Evaluated) mayBePending(kinds []string) bool {
	return slices.ContainsFunc(s.Deferred, func(unit *objects.Unit) bool {
		return unit.Pending() && slices.ContainsFunc(kinds, func(kind string) bool { return unit.MayHold(objects.Query{Kind: kind}) })
	})
}

// fieldImmutable is for olm/fields-immutable: a definition that still requires the field, or a release with the placeholder.
func fieldImmutable(s *Evaluated) bool {
	if !s.hasAccount(olm.Named, olm.Templated) {
		return false
	}
	if s.Target.Model != olm.Required {
		return s.TargetAsked && slices.ContainsFunc(s.Signals, func(signal olm.Signal) bool { return signal.Target.Model == olm.Required })
	}
	e, _ := s.installedExtension()
	if e.Account.Name == olm.Placeholder || e.Name == "" || e.NameTemplated {
		return true
	}
	return len(rbac.BindingsOf(s.Unit, s.Object, rbac.Subject{Kind: rbac.KindUser, Name: olm.User(e.Name)})) > 0
}

// finalizersNotHeld is for olm/finalizer-permission. The objects of Boxcutter have generated names, so the permission must be for all
// names.
func finalizersNotHeld(s *Evaluated) bool {
	e, ok := s.installedExtension()
	if !ok || len(s.bindingsOfInstaller()) == 0 {
		return false
	}
	runtime, known := olm.RuntimeOf(s.Target, gatesIn(s.Signals))
	if !known || runtime.Finalizers == "" {
		return false
	}
	request := rbac.Request{Verb: "update", Group: olm.APIGroup, Resource: runtime.Finalizers, Subresource: "finalizers"}
	if request.Resource == "clusterextensions" {
		request.Name = e.Name
	}
	return !rbac.Ask(s.Unit, s.Object, installerSubject(e).Identity(), request).Allowed
}

// gatesIn returns the feature gates of signals; one that is on in any of them is on.
func gatesIn(signals []olm.Signal) map[string]bool {
	gates := map[string]bool{}
	for _, signal := range signals {
		for name, on := range signal.Gates {
			gates[name] = gates[name] || on
		}
	}
	return gates
}

// grantsLate is for olm/apply-order. Where units are deferred, a grant can be in one of them.
func grantsLate(s *Evaluated) bool {
	e, ok := s.installedExtension()
	return ok && (len(s.Deferred) > 0 || len(s.Delivery.LateGrants(s.Unit, s.Object, installerSubject(e))) > 0)
}

// layoutOutdated is for olm/layout-outdated.
func layoutOutdated(s *Evaluated) bool {
	e, ok := s.installedExtension()
	return ok && (e.Kind == olm.ExtensionKind || strings.HasSuffix(e.APIVersion, "/v1alpha1") || len(e.Mixed) > 0)
}

// syncDestructive is for olm/destructive-sync, which also judges applications.
func syncDestructive(s *Evaluated) bool {
	if _, ok := s.installedExtension(); !ok || len(s.Deferred) > 0 {
		return true
	}
	return len(s.Delivery.DestructiveAnnotations(s.Unit, s.Object)) > 0
}

// versionOpen is for olm/version-not-pinned: a range of versions, and a grant that is made for a bundle.
func versionOpen(s *Evaluated) bool {
	e, ok := s.installedExtension()
	if !ok {
		return false
	}
	if _, pinned := e.Pinned(); pinned {
		return false
	}
	prefix := "olm-clusterextension-" + e.Name + "-"
	return s.Bundles != nil && s.Bundles.Any() || slices.ContainsFunc(s.bindingsOfInstaller(), func(b rbac.Binding) bool { return strings.HasPrefix(b.Role.Name, prefix) })
}
