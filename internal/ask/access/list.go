package access

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Listing is the answer to `can-i --list`: the rules of an identity that apply in a namespace.
type Listing struct {
	Identity rbac.Identity
	// Namespace is "" for the rules that apply everywhere.
	Namespace string
	Views     []ViewListing
	// Default are the default rules of every cluster, if the repository has no bindings at all.
	Default []rbacv1.PolicyRule
	// DefaultBindings are the names of the default bindings that apply to the identity in every cluster. Every list contains
	// their rules.
	DefaultBindings []string
	// Reached is true if a binding in the repository applies to the identity.
	Reached  bool
	Doubts   []Doubt
	Warnings []string
	// Versions are the versions of Kubernetes of which the default rules are.
	Versions kubeversion.Range
}

// ViewListing is the list for one view. Rules are in the form and order of kubectl.
type ViewListing struct {
	View  View
	Rules []rbacv1.PolicyRule
	// Namespaces are other namespaces in which the identity has rules.
	Namespaces []string
	// Reached is true if a binding applies to the identity.
	Reached bool
}

// List lists what an identity can do in a namespace, or with "" everywhere. As in kubectl's list, the default grants of
// every cluster are included.
func (s Scene) List(who rbac.Identity, namespace string) Listing {
	listing := Listing{Identity: who, Namespace: namespace}
	if who.Privileged() {
		listing.Warnings = []string{mastersWarning}
		return listing
	}
	units, nothing := s.units(), s.Repository.EmptyUnit()
	listing.Versions = nothing.KubernetesVersions()
	for _, view := range s.views(units, who) {
		v, doubts := list(view, who, namespace)
		listing.Views = append(listing.Views, v)
		listing.Doubts = append(listing.Doubts, doubts...)
		listing.Reached = listing.Reached || v.Reached
	}
	listing.Warnings = append(s.Tests(), s.Elsewhere()...)
	if len(listing.Views) == 0 {
		listing.Default = asListed(rbac.DefaultRules(nothing, who), nil)
	}
	for _, b := range rbac.DefaultsFor(nothing, who) {
		listing.DefaultBindings = append(listing.DefaultBindings, b.Object.Name)
	}
	slices.Sort(listing.DefaultBindings)
	listing.DefaultBindings = slices.Compact(listing.DefaultBindings)
	listing.Doubts = joined(listing.Doubts, s.grantedElsewhere(who, namespace), s.UnreadSources(), s.NotRead(units), s.general())
	return listing
}

func list(view View, who rbac.Identity, namespace string) (ViewListing, []Doubt) {
	effective := rbac.EffectiveFor(view.Unit, view.From, who)
	cluster := slices.Concat(effective.Cluster, rbac.DefaultRules(view.Unit, who))
	v := ViewListing{View: view, Rules: asListed(cluster, effective.Namespaces[namespace])}
	for name := range effective.Namespaces {
		if name != namespace {
			v.Namespaces = append(v.Namespaces, name)
		}
	}
	slices.Sort(v.Namespaces)
	bindings := rbac.BindingsFor(view.Unit, view.From, who)
	v.Reached = len(bindings) > 0
	unknown := view.notFound(effective.Unknown, bindings)
	doubts := doubtsOf(view, bindings, rbac.Answer{Unknown: unknown, Partial: effective.Partial})
	doubts = append(doubts, view.possibleRoles(effective.Unknown, unknown, bindings)...)
	doubts = append(doubts, newerRoles(view, who)...)
	for _, b := range bindings {
		if doubt, may := MayBeMissing(view.Unit, b); may {
			doubts = append(doubts, in(view.Unit, []Doubt{doubt})...)
		}
	}
	for _, b := range effective.Uncertain {
		doubts = append(doubts, Doubt{Position: b.Object.Position(nil), unit: view.Unit,
			Message: BindingName(b) + " may apply, but " + uncertainty(b)})
	}
	return v, doubts
}

// newerRoles returns one doubt for each role that has more rules in newer versions of Kubernetes.
func newerRoles(view View, who rbac.Identity) []Doubt {
	var doubts []Doubt
	for _, ref := range rbac.NewerRoles(view.Unit, view.From, who) {
		doubts = append(doubts, Doubt{Message: fmt.Sprintf("%s has more rules in newer versions of Kubernetes, and %s", RoleName(ref), versionUnknown)})
	}
	return in(view.Unit, doubts)
}

// asListed splits rules and merges those about one resource, as kubectl does before it prints them, and sorts them as
// kubectl does. URL rules in a namespace are left out, because they allow nothing. Source: k8s.io/kubectl/pkg/cmd/auth
// (printStatus), k8s.io/kubectl/pkg/util/rbac (CompactRules).
func asListed(cluster, namespaced []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	single := policyrules.Breakdown(cluster)
	for _, rule := range policyrules.Breakdown(namespaced) {
		if len(rule.NonResourceURLs) == 0 {
			single = append(single, rule)
		}
	}
	var listed []rbacv1.PolicyRule
	places := map[string]int{}
	for _, rule := range single {
		key := fmt.Sprintf("%q%q%q", rule.APIGroups, rule.Resources, rule.ResourceNames)
		if len(rule.NonResourceURLs) > 0 {
			key = fmt.Sprintf("%q%q", rule.NonResourceURLs, rule.Verbs)
		}
		place, known := places[key]
		if !known {
			places[key] = len(listed)
			rule.Verbs = slices.Clone(rule.Verbs)
			listed = append(listed, rule)
			continue
		}
		for _, verb := range rule.Verbs {
			if !slices.Contains(listed[place].Verbs, verb) {
				listed[place].Verbs = append(listed[place].Verbs, verb)
			}
		}
	}
	slices.SortStableFunc(listed, func(a, b rbacv1.PolicyRule) int { return strings.Compare(a.String(), b.String()) })
	return listed
}

// resourceOf returns a resource with its group, as in kubectl's table: deployments.apps/scale.
func resourceOf(rule rbacv1.PolicyRule) string {
	var names []string
	for _, resource := range rule.Resources {
		for _, group := range rule.APIGroups {
			name, sub, hasSub := strings.Cut(resource, "/")
			if group != "" {
				name += "." + group
			}
			if hasSub {
				name += "/" + sub
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// sections returns the lists to print: views with the same list are merged, and views that do not reach the identity are
// left out if another does.
func (l Listing) sections() []section {
	if len(l.Views) == 0 {
		return []section{{rules: l.Default}}
	}
	var found []section
	for _, v := range l.Views {
		if l.Reached && !v.Reached {
			continue
		}
		text := fmt.Sprint(v.Rules)
		i := slices.IndexFunc(found, func(s section) bool { return s.text == text })
		if i < 0 {
			found = append(found, section{text: text, rules: v.Rules})
			i = len(found) - 1
		}
		found[i].views = append(found[i].views, v.View)
	}
	return found
}

type section struct {
	text  string
	views []View
	rules []rbacv1.PolicyRule
}
