package danger

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// ReadSecrets is the name of the power to read Secrets.
const ReadSecrets = "read secrets"

// Power is a row of the table: requests with one consequence, which are any of the verbs on any of the resources.
type Power struct {
	// Name identifies the power, also in messages.
	Name  string
	Verbs []string
	Group string
	// Resources can have a subresource, as in pods/exec. The subresource "*" stands for any, and so does the resource "*" in a group that a rule names.
	Resources []string
	// ClusterScoped is true for cluster-scoped resources, for which a grant in a namespace has no effect.
	ClusterScoped bool
	// Object is the name of the only object that the power is about, and Namespaces are those where it means something. A rule has to name the
	// object: whether the cluster has it is unknown.
	Object     string
	Namespaces []string
	// Explicit is true if a rule has to name the group to lead anywhere: whether the cluster has a custom resource is unknown.
	Explicit bool
	Reach    Reach
	// Opens are names of objects that every cluster has, with which the power is not limited if resourceNames list one of them.
	Opens []string
	// Needs is what a direct power has no effect without; nil if it needs nothing.
	Needs *Complement
	// danger is the entry of the row in the order of danger.
	danger *Danger
}

// Reach is how far a power leads, and with it, which commands report it.
type Reach int

// All powers have a place in the order of danger, in which diff and bundle-diff print them.
const (
	// Ranked powers disturb or reveal something. No chain of salint begins with one.
	Ranked Reach = iota
	// Steps lead to another identity through something that the cluster contains or runs, perhaps together with others. They are steps
	// of who-can --become in addition.
	Steps
	// CreatesAny are steps that create objects whose pods run as any account of their namespace, and ChangesAny those that change the
	// account of such objects. CreatesCustom do both with custom resources.
	CreatesAny
	ChangesAny
	CreatesCustom
	// Controls are steps that write objects of the table of controllers.
	Controls
	// Direct powers let the holder act as others, or grant what it does not have, in the API server itself. Preflight and the rule
	// rbac/escalation-verbs report them in addition.
	Direct
)

// Complement is a permission that another one needs.
type Complement struct {
	// Text is the permission in a message.
	Text string
	// Any of the verbs on any of the resources is sufficient.
	Verbs     []string
	Group     string
	Resources []string
}

// Rule returns a rule that grants the power, and nothing else.
func (p *Power) Rule() rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{Verbs: p.Verbs, APIGroups: []string{p.Group}, Resources: p.Resources}
	if p.Object != "" {
		rule.ResourceNames = []string{p.Object}
	}
	return rule
}

// Danger returns the entry of the power in the order of danger; the zero value for a complement, which is none alone.
func (p *Power) Danger() Danger {
	if p.danger == nil {
		return Danger{}
	}
	return *p.danger
}

// OfAccounts reports whether the power reaches only accounts.
func (p *Power) OfAccounts() bool {
	return !slices.ContainsFunc(p.Resources, func(r string) bool { return r != "serviceaccounts" && r != "serviceaccounts/token" })
}

// EffectiveIn reports whether a grant in a namespace, or with "" cluster-wide, has an effect.
func (p *Power) EffectiveIn(namespace string) bool {
	return namespace == "" || !p.ClusterScoped && (len(p.Namespaces) == 0 || slices.Contains(p.Namespaces, namespace))
}

// MeantBy reports whether a rule names the object of the power; true for a power over all objects. A rule for all objects of the kind, such as
// that of a controller that elects a leader, is not meant for it.
func (p *Power) MeantBy(rule rbacv1.PolicyRule) bool {
	return p.Object == "" || slices.Contains(rule.ResourceNames, p.Object)
}

// In returns the names of objects for which a rule has the power, with one of the requests that it allows: an empty name
// stands for all objects. The API server does not know the name of an object when it authorizes its creation, so a rule with
// names does not allow that.
func (p *Power) In(rule rbacv1.PolicyRule) (names []string, verb, resource string) {
	if p.Explicit && !slices.Contains(rule.APIGroups, p.Group) {
		return nil, "", ""
	}
	verb, resource = p.request(rule, len(rule.ResourceNames) > 0)
	switch {
	case verb == "":
		return nil, "", ""
	case len(rule.ResourceNames) == 0:
		return []string{""}, verb, resource
	case p.Object != "" && !slices.Contains(rule.ResourceNames, p.Object):
		return nil, "", ""
	case p.Object != "":
		return []string{p.Object}, verb, resource
	}
	return slices.Compact(slices.Sorted(slices.Values(rule.ResourceNames))), verb, resource
}

// request returns the first request of the power that a rule allows, whatever its names are, "" if there is none.
func (p *Power) request(rule rbacv1.PolicyRule, named bool) (verb, resource string) {
	if !policyrules.Has(rule.APIGroups, p.Group) {
		return "", ""
	}
	for _, verb := range p.Verbs {
		if !policyrules.Has(rule.Verbs, verb) {
			continue
		}
		for _, written := range p.Resources {
			resource, sub, _ := strings.Cut(written, "/")
			if named && verb == "create" && sub == "" {
				continue
			}
			if allows(rule, rbac.Request{Verb: verb, Group: p.Group, Resource: resource, Subresource: sub}) {
				return verb, resource
			}
		}
	}
	return "", ""
}

// allows is rbac.Allows without regard to names. Some subresources, such as those of userextras, have any name.
func allows(rule rbacv1.PolicyRule, r rbac.Request) bool {
	if r.Resource == rbacv1.ResourceAll {
		return slices.Contains(rule.APIGroups, r.Group) && slices.ContainsFunc(rule.Resources, func(s string) bool { return !strings.Contains(s, "/") })
	}
	if r.Subresource == "*" && slices.ContainsFunc(rule.Resources, func(s string) bool { return strings.HasPrefix(s, r.Resource+"/") }) {
		return true
	}
	rule.ResourceNames = nil
	return rbac.Allows(rule, r)
}

// names reports whether a rule lists one of the resources of the power, and not only a wildcard.
func (p *Power) names(rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rule.Resources, func(listed string) bool {
		return slices.ContainsFunc(p.Resources, func(resource string) bool {
			_, sub, found := strings.Cut(resource, "/")
			return listed == resource || found && listed == "*/"+sub
		})
	})
}

// Limited reports whether resourceNames limit a power to objects of which none opens everything in each cluster.
func (p *Power) Limited(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return name == "" || slices.Contains(p.Opens, name) })
}

// Grant is what a rule grants of one entry of the order of danger: its direct powers that have an effect.
type Grant struct {
	Danger
	Powers []*Power
	// The rule has the power only by a wildcard.
	WildcardVerb, WildcardResource, WildcardGroup bool
}

// DirectIn returns the direct powers that a rule grants in a namespace, or with "" cluster-wide, in the order of danger. Rules with
// resourceNames count.
func DirectIn(rule rbacv1.PolicyRule, namespace string) []Grant {
	var grants []Grant
	for _, p := range direct {
		if verb, _ := p.request(rule, false); verb == "" || !p.EffectiveIn(namespace) {
			continue
		}
		if n := len(grants); n == 0 || grants[n-1].Text != p.danger.Text {
			grants = append(grants, Grant{Danger: *p.danger, WildcardVerb: true, WildcardResource: true, WildcardGroup: true})
		}
		g := &grants[len(grants)-1]
		g.Powers = append(g.Powers, p)
		g.WildcardVerb = g.WildcardVerb && !slices.ContainsFunc(p.Verbs, func(verb string) bool { return slices.Contains(rule.Verbs, verb) })
		g.WildcardResource = g.WildcardResource && !p.names(rule)
		g.WildcardGroup = g.WildcardGroup && !slices.Contains(rule.APIGroups, p.Group)
	}
	return grants
}
