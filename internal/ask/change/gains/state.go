package gains

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Entry is one subject of a binding, with the rules that it holds by it.
type Entry struct {
	rbac.Binding

	Who   rbac.Subject // an account, also if the binding names its user
	Rules rbac.BindingRules
	// content identifies the rules.
	content string
	// Possible is why it is unknown whether the binding and the role are on one cluster, "" if they are.
	Possible string
	// whyMissing is why the binding may be missing from the cluster, "" if it is not.
	whyMissing string
	// Member is how an object makes the subject a member of the group that the binding names; nil if the binding names the subject.
	Member *rbac.Member
}

// State is one of the two states of a unit.
type State struct {
	Unit *objects.Unit
	// Scope is the unit as the repository has it, without what is added for the comparison; nil for one that is only possible.
	Scope *objects.Unit
	// name is that of the unit, also in a state without it.
	name string
	// Entries are the subjects of its bindings.
	Entries []*Entry
	// ByWho are the entries of each subject.
	ByWho map[rbac.Subject][]*Entry
	// held caches what subjects hold by any means, and holdings what is held by roles: most subjects hold the same as others.
	held     map[holdingKey]*Holding
	holdings map[string]*Holding
	// differences caches what entries of the other state add.
	differences map[differenceKey]*Difference
	contents    map[*rbacv1.PolicyRule]string
	numbers     map[string]int
}

// NewState reads the bindings of a unit, and the default ones of every cluster.
func NewState(u, scope *objects.Unit, name string) *State {
	s := &State{
		Unit: u, Scope: scope, name: name, ByWho: map[rbac.Subject][]*Entry{}, held: map[holdingKey]*Holding{}, holdings: map[string]*Holding{},
		differences: map[differenceKey]*Difference{}, contents: map[*rbacv1.PolicyRule]string{}, numbers: map[string]int{},
	}
	members := map[string][]rbac.Member{}
	for _, o := range u.Objects {
		members[o.Name] = append(members[o.Name], rbac.Members(o)...)
	}
	for _, b := range slices.Concat(rbac.Bindings(u), rbac.DefaultBindings(u)) {
		s.add(b, nil)
		if b.Subject.Kind != rbac.KindGroup {
			continue
		}
		for _, m := range members[b.Subject.Name] {
			b.Subject = rbac.Subject{Kind: rbac.KindUser, Name: m.User}
			s.add(b, &m)
		}
	}
	return s
}

// Names returns the names of the deployment units that have an object; that of the whole if the object is in none.
func (s *State) Names(o *objects.Object) []string {
	if s.Unit.Kind != objects.ClusterUnit {
		return []string{s.name}
	}
	var names []string
	for _, part := range s.Unit.PartsWith(o) {
		names = append(names, matching.NameOf(part))
	}
	if len(names) == 0 {
		return []string{s.name}
	}
	return names
}

func (s *State) add(b rbac.Binding, member *rbac.Member) {
	e := &Entry{Binding: b, Who: Normal(b.Subject), Rules: rbac.RulesOfBinding(s.Unit, b), Member: member}
	e.content, e.whyMissing = s.content(e.Rules), whyMissing(s.Unit, b)
	s.Entries = append(s.Entries, e)
	s.ByWho[e.Who] = append(s.ByWho[e.Who], e)
}

// Normal returns the account for a user with an account's user name, because the API server treats them alike.
func Normal(s rbac.Subject) rbac.Subject {
	if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
		return rbac.Account(account)
	}
	return s
}

// content identifies rules. Most bindings share their rules with others, so the result is cached by the address of the first.
func (s *State) content(r rbac.BindingRules) string {
	if len(r.Rules) == 0 {
		return fmt.Sprint(r.Unknown)
	}
	key := &r.Rules[0]
	known, ok := s.contents[key]
	if !ok || !strings.HasPrefix(known, fmt.Sprint(len(r.Rules), " ")) {
		var b strings.Builder
		fmt.Fprint(&b, len(r.Rules), " ")
		for _, rule := range r.Rules {
			b.WriteString(policyrules.Key(rule))
		}
		known = b.String()
		s.contents[key] = known
	}
	if len(r.Unknown) == 0 {
		return known
	}
	return fmt.Sprint(r.Unknown) + known
}

// number returns a short text for a content.
func (s *State) number(content string) string {
	n, known := s.numbers[content]
	if !known {
		n = len(s.numbers)
		s.numbers[content] = n
	}
	return strconv.Itoa(n) + " "
}

// holdingKey identifies what a subject holds, as seen from a folder of the plain files.
type holdingKey struct {
	who    rbac.Subject
	folder string
}

// Holding is what a subject holds by any means. Certain leaves out bindings that are not certain, see Entry.isCertain.
type Holding struct {
	All, Certain permission.Effect
	// The signatures identify the effects in each scope.
	signatures, certainSignatures map[string]string
}

// Holdings returns what a subject holds through its own bindings, its groups, and the defaults of every cluster, as seen from an
// entry. Plain files in folders beside each other can belong to several clusters, so that what is in one of them is not held in
// the other.
func (s *State) Holdings(who rbac.Subject, folder string) *Holding {
	if s.Unit.Kind != objects.PlainUnit {
		folder = ""
	}
	key := holdingKey{who, folder}
	if s.held[key] == nil {
		s.held[key] = s.holding(identityOf(who), folder)
	}
	return s.held[key]
}

// holding returns what an identity holds. Identities with the same rules in the same scopes share it.
func (s *State) holding(identity rbac.Identity, folder string) *Holding {
	var parts []part
	var key strings.Builder
	for _, b := range slices.Concat(rbac.BindingsFor(s.Unit, nil, identity), rbac.DefaultsFor(s.Unit, identity)) {
		if s.Unit.Kind == objects.PlainUnit && !b.Default && !matching.SameCluster(path.Dir(b.Object.File), folder) {
			continue
		}
		p := part{scope: b.Scope, rules: rbac.RulesOfBinding(s.Unit, b), certain: b.Certain() && whyMissing(s.Unit, b) == ""}
		p.signature = s.number(s.content(p.rules))
		parts = append(parts, p)
		fmt.Fprintf(&key, "%q %s%t ", p.scope, p.signature, p.certain)
	}
	fmt.Fprint(&key, identity.Privileged())
	known := s.holdings[key.String()]
	if known == nil {
		known = join(parts, identity.Privileged())
		s.holdings[key.String()] = known
	}
	return known
}

// part is what an identity holds by one binding.
type part struct {
	scope, signature string
	rules            rbac.BindingRules
	certain          bool
}

func join(parts []part, privileged bool) *Holding {
	h := &Holding{signatures: map[string]string{}, certainSignatures: map[string]string{}}
	for _, p := range parts {
		effect := EffectOf(p.scope, p.rules)
		h.All.Include(effect)
		h.signatures[p.scope] += p.signature
		if p.certain {
			h.Certain.Include(effect)
			h.certainSignatures[p.scope] += p.signature
		}
	}
	if privileged {
		everything := []rbacv1.PolicyRule{{Verbs: all, APIGroups: all, Resources: all}, {Verbs: all, NonResourceURLs: all}}
		h.signatures[""], h.certainSignatures[""] = "privileged", "privileged"
		h.All.Add("", everything)
		h.Certain.Add("", everything)
	}
	return h
}

var all = []string{rbacv1.VerbAll}

// isCertain reports whether it is known that a binding applies, in which namespace, and that nothing keeps it off the cluster.
func (e *Entry) isCertain() bool { return e.Certain() && e.whyMissing == "" }

// whyMissing returns why a binding may be missing from the cluster, "" if it is not.
func whyMissing(u *objects.Unit, b rbac.Binding) string {
	if why, may := b.Missing(u); may {
		return why.Message
	}
	return ""
}

// identityOf returns a subject with all groups that its members are known to be in.
func identityOf(who rbac.Subject) rbac.Identity {
	identity := who.Identity()
	if who.Kind != rbac.KindGroup {
		return identity
	}
	const accounts, authenticated = "system:serviceaccounts", "system:authenticated"
	switch {
	case who.Name == "system:unauthenticated", who.Name == authenticated:
	case strings.HasPrefix(who.Name, accounts+":"):
		identity.Groups = append(identity.Groups, accounts, authenticated)
	default:
		identity.Groups = append(identity.Groups, authenticated)
	}
	return identity
}

// EffectOf returns the permissions of rules in a scope. A role with unknown rules counts by its name.
func EffectOf(scope string, rules rbac.BindingRules) permission.Effect {
	var e permission.Effect
	e.Add(scope, rules.Rules)
	for _, role := range rules.Unknown {
		e.AddRole(rbac.Grant{Role: role, Scope: scope})
	}
	return e
}

// EntryOf returns the entry of a subject of a binding, nil if there is none.
func (s *State) EntryOf(binding *objects.Object, subject int) *Entry {
	i := slices.IndexFunc(s.Entries, func(e *Entry) bool { return e.Object == binding && e.SubjectIndex == subject })
	if i < 0 {
		return nil
	}
	return s.Entries[i]
}

// RulesOf returns the rules that a controller grants.
func (s *State) RulesOf(g controlled.Grant) rbac.BindingRules {
	if g.Role.Name == "" {
		return rbac.BindingRules{Rules: g.Rules}
	}
	rules, complete, _ := rbac.RoleRulesOf(s.Unit, g.Role, nil)
	of := rbac.BindingRules{Rules: rules}
	if !complete {
		of.Unknown = []rbac.RoleRef{g.Role}
	}
	return of
}

// NamesOf returns the names of the units with the binding of a gain; of the default bindings of every cluster, those with the role.
func (s *State) NamesOf(g *Gain) []string {
	if g.Default && g.RoleObject != nil {
		return s.Names(g.RoleObject)
	}
	return s.Names(g.Object)
}

// Doubt returns why it is unknown whether a binding applies, "" if it is known.
func (e *Entry) Doubt() string {
	switch {
	case e.isCertain():
		return e.Possible
	case e.Refused != "":
		return "the API server rejects the binding because of " + e.Refused
	case e.whyMissing != "":
		return "the binding may be missing or different on the cluster: " + e.whyMissing
	case e.Duplicate:
		return "the binding exists more than once, and only one of them takes effect"
	case e.Scope == rbac.UnknownNamespace:
		return "the binding sets no namespace"
	}
	return "the namespace is substituted later"
}
