package danger

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Danger is an entry of the order of danger: powers that allow much more than they state, or an object that ranks with such powers.
type Danger struct {
	// Text says why, in a few words.
	Text string
	// Rank orders dangers by gravity: 0 is the gravest.
	Rank  int
	Class Class
	// On follows the quoted verb of a direct power in messages, as in `"bind" on roles`.
	On string
	// Source is where upstream documents it.
	Source string
	// Conditional is true for what has an effect only together with another permission, and is limited by it.
	Conditional bool
	powers      []*Power
	// custom is true for custom resources, which a bundle can define itself.
	custom bool
	// ineffective is true for what a rule grants only for cluster-scoped resources, so that a grant in a namespace has no effect.
	ineffective bool
}

// Class groups dangers by what they lead to. The order of the classes is the order in which a reviewer reads them.
type Class string

// The classes, in their order.
const (
	// ClusterAdmin is every verb on every resource of the cluster.
	ClusterAdmin Class = "cluster-admin"
	// Escalation are permissions with which an identity gives itself others, or acts as others.
	Escalation Class = "escalation"
	// Secrets are tokens of accounts, and Secrets.
	Secrets Class = "secrets"
	// Pods are permissions to run something in pods or on nodes.
	Pods Class = "pods"
	// Admission are webhooks and policies that decide what the API server admits, and definitions of the API.
	Admission Class = "admission"
	// Extensions are permissions to write extensions, which OLM installs.
	Extensions Class = "extensions"
	// Other are the remaining dangers.
	Other Class = "other"
	// None are permissions without a known danger.
	None Class = "none"
)

// Classes returns all classes in their order.
func Classes() []Class {
	return []Class{ClusterAdmin, Escalation, Secrets, Pods, Admission, Extensions, Other, None}
}

var (
	reading  = []string{"get", "list", "watch"}
	updating = []string{"update", "patch"}
	writing  = []string{"create", "update", "patch"}
	deleting = []string{"delete", "deletecollection"}
	changing = slices.Concat(writing, deleting)
	calling  = []string{"get", "create"}
)

const (
	rbacGroup      = "rbac.authorization.k8s.io"
	admissionGroup = "admissionregistration.k8s.io"
	signingGroup   = "certificates.k8s.io"
	olmGroup       = "olm.operatorframework.io"
	machineGroup   = "machineconfiguration.openshift.io"

	authenticationGroup = "authentication.k8s.io"
)

const (
	// WildcardRank is the first rank of wildcards on harmless resources.
	WildcardRank = 900
	// NotDangerous ranks after all dangers.
	NotDangerous = 1000
)

func sortedByRank(all []*Danger) []*Danger {
	slices.SortStableFunc(all, func(a, b *Danger) int { return a.Rank - b.Rank })
	return all
}

// The dangers of wildcards rank first and last: cluster-admin is the gravest, every verb on a harmless resource the least.
var (
	everything     = Danger{Text: "effectively cluster-admin", Rank: 0, Class: ClusterAdmin}
	everythingHere = Danger{Text: "every verb on every resource of the namespace", Rank: 1, Class: Escalation}
	everyResource  = Danger{Text: "*: every resource, including Secrets", Rank: 2, Class: Secrets}
	groupResources = Danger{Text: "*: every resource of the group", Rank: WildcardRank, Class: Other}
	everyVerb      = Danger{Text: "*: every verb", Rank: 901, Class: Other}
	everyURL       = Danger{Text: "*: every URL", Rank: 902, Class: Other}
)

// Of returns the dangers of a rule that is granted in a namespace, or with "" cluster-wide, the gravest first. Rules with resource names
// count as well, because the named objects are unknown.
func Of(rule rbacv1.PolicyRule, namespace string) []Danger {
	var found []Danger
	wild := IsWildcard(rule) && touches(rule)
	for _, entry := range dangers {
		d, has := entry.in(rule, namespace)
		if has && entry == addsAttributes {
			has = !slices.ContainsFunc(found, func(other Danger) bool { return other.Text == actsAsOthers.Text })
		}
		repeated := func(other Danger) bool { return other.Text == d.Text }
		if has && (!wild || d.special(rule)) && !slices.ContainsFunc(found, repeated) {
			found = append(found, d)
		}
	}
	if wild {
		return append(found, wildcard(rule, namespace))
	}
	switch {
	case slices.Contains(rule.Resources, "*") && touches(rule):
		found = append(found, groupResources)
	case slices.Contains(rule.NonResourceURLs, "*"):
		found = append(found, everyURL)
	}
	if slices.Contains(rule.Verbs, "*") && len(found) == 0 {
		found = append(found, everyVerb)
	}
	return found
}

// OfObjects returns the dangers of a rule for all objects of a kind in a namespace that are about single objects, of which the names exist there.
func OfObjects(rule rbacv1.PolicyRule, namespace string, names []string) []Danger {
	if len(names) == 0 || len(rule.ResourceNames) > 0 || IsWildcard(rule) {
		return nil
	}
	rule.ResourceNames = names
	return slices.DeleteFunc(Of(rule, namespace), func(d Danger) bool {
		return !slices.ContainsFunc(d.powers, func(p *Power) bool { return p.Object != "" })
	})
}

// NamedObjects returns the names of ConfigMaps that dangers are about in a namespace.
func NamedObjects(namespace string) []string {
	var names []string
	for _, p := range powers {
		if p.Object != "" && slices.Contains(p.Namespaces, namespace) {
			names = append(names, p.Object)
		}
	}
	return names
}

// EffectiveIn reports whether a grant in a namespace, or with "" cluster-wide, has the danger.
func (d Danger) EffectiveIn(namespace string) bool { return namespace == "" || !d.ineffective }

// Gains reports whether the danger is a way to all permissions of where it is granted that needs no other identity.
func (d Danger) Gains() bool {
	return d.Class == Escalation || slices.ContainsFunc(d.powers, func(p *Power) bool { return p.Reach == Direct })
}

// special reports whether a danger consists of verbs that are neither reading nor writing, and a rule lists one of them.
func (d Danger) special(rule rbacv1.PolicyRule) bool {
	return d.Class == Escalation && !slices.Contains(rule.Verbs, "*") && slices.ContainsFunc(rule.Verbs, func(verb string) bool {
		return !slices.Contains(changing, verb) && slices.ContainsFunc(d.powers, func(p *Power) bool { return slices.Contains(p.Verbs, verb) })
	})
}

// touches reports whether a rule allows to read or write objects. Verbs such as approve and impersonate alone do not.
func touches(rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rule.Verbs, func(verb string) bool {
		return verb == "*" || slices.Contains(reading, verb) || slices.Contains(changing, verb)
	})
}

// IsWildcard reports whether a rule is about every resource of every group.
func IsWildcard(rule rbacv1.PolicyRule) bool {
	return slices.Contains(rule.Resources, "*") && slices.Contains(rule.APIGroups, "*") && len(rule.ResourceNames) == 0
}

// InGroup reports whether a danger is about resources of an API group, other than custom resources of tools.
func InGroup(group string) bool {
	return slices.ContainsFunc(dangers, func(d *Danger) bool { return !d.custom && d.about(group) })
}

// about reports whether a danger has a power over resources of an API group.
func (d *Danger) about(group string) bool {
	return slices.ContainsFunc(d.powers, func(p *Power) bool { return p.Group == group })
}

func wildcard(rule rbacv1.PolicyRule, namespace string) Danger {
	switch {
	case !slices.Contains(rule.Verbs, "*"):
		return everyResource
	case namespace == "":
		return everything
	}
	return everythingHere
}

// in returns the danger as far as a rule has it.
func (d *Danger) in(rule rbacv1.PolicyRule, namespace string) (of Danger, has bool) {
	of = *d
	of.ineffective = true
	for _, p := range d.powers {
		if verb, _ := p.request(rule, false); verb != "" && p.MeantBy(rule) && (p.Object == "" || p.EffectiveIn(namespace)) {
			has, of.ineffective = true, of.ineffective && p.ClusterScoped
		}
	}
	return of, has
}

// Texts returns the texts of dangers.
func Texts(found []Danger) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.Text)
	}
	return list
}

// RankOf returns the rank of the gravest of sorted dangers, or NotDangerous.
func RankOf(found []Danger) int {
	if len(found) == 0 {
		return NotDangerous
	}
	return found[0].Rank
}
