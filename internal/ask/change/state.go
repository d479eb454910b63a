package change

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// entry is one subject of a binding, with the rules that it holds by it.
type entry struct {
	rbac.Binding

	who   rbac.Subject // an account, also if the binding names its user
	rules rbac.BindingRules
	// content identifies the rules.
	content string
	// possible is why it is unknown whether the binding and the role are on one cluster, "" if they are.
	possible string
	// whyMissing is why the binding may be missing from the cluster, "" if it is not.
	whyMissing string
	// member is how an object makes the subject a member of the group that the binding names; nil if the binding names the subject.
	member *rbac.Member
}

// state is one of the two states of a unit.
type state struct {
	unit *objects.Unit
	// scope is the unit as the repository has it, without what is added for the comparison; nil for one that is only possible.
	scope *objects.Unit
	// name is that of the unit, also in a state without it.
	name    string
	entries []*entry
	// byWho are the entries of each subject.
	byWho map[rbac.Subject][]*entry
	// held caches what subjects hold by any means.
	held map[holdingKey]holding
	// differences caches what entries of the other state add.
	differences map[differenceKey]*difference
	contents    map[*rbacv1.PolicyRule]string
	numbers     map[string]int
}

func newState(u, scope *objects.Unit, name string) *state {
	s := &state{
		unit: u, scope: scope, name: name, byWho: map[rbac.Subject][]*entry{}, held: map[holdingKey]holding{},
		differences: map[differenceKey]*difference{}, contents: map[*rbacv1.PolicyRule]string{}, numbers: map[string]int{},
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

// names returns the names of the deployment units that have an object; that of the whole if the object is in none.
func (s *state) names(o *objects.Object) []string {
	if s.unit.Kind != objects.ClusterUnit {
		return []string{s.name}
	}
	var names []string
	for _, part := range s.unit.PartsWith(o) {
		names = append(names, matching.NameOf(part))
	}
	if len(names) == 0 {
		return []string{s.name}
	}
	return names
}

func (s *state) add(b rbac.Binding, member *rbac.Member) {
	e := &entry{Binding: b, who: normal(b.Subject), rules: rbac.RulesOfBinding(s.unit, b), member: member}
	e.content, e.whyMissing = s.content(e.rules), whyMissing(s.unit, b)
	s.entries = append(s.entries, e)
	s.byWho[e.who] = append(s.byWho[e.who], e)
}

// normal returns the account for a user with an account's user name, because the API server treats them alike.
func normal(s rbac.Subject) rbac.Subject {
	if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
		return rbac.Account(account)
	}
	return s
}

// content identifies rules. Most bindings share their rules with others, so the result is cached by the address of the first.
func (s *state) content(r rbac.BindingRules) string {
	text := fmt.Sprint(r.Unknown)
	if len(r.Rules) == 0 {
		return text
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
	return text + known
}

// number returns a short text for a content.
func (s *state) number(content string) string {
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

// holding is what a subject holds by any means. Certain leaves out bindings that are not certain, see isCertain.
type holding struct {
	all, certain permission.Effect
	// The signatures identify the effects in each scope.
	signatures, certainSignatures map[string]string
}

// holdings returns what a subject holds through its own bindings, its groups, and the defaults of every cluster, as seen from an
// entry. Plain files in folders beside each other can belong to several clusters, so that what is in one of them is not held in
// the other.
func (s *state) holdings(who rbac.Subject, folder string) holding {
	if s.unit.Kind != objects.PlainUnit {
		folder = ""
	}
	key := holdingKey{who, folder}
	known, ok := s.held[key]
	if ok {
		return known
	}
	h := holding{signatures: map[string]string{}, certainSignatures: map[string]string{}}
	identity := identityOf(who)
	for _, b := range slices.Concat(rbac.BindingsFor(s.unit, nil, identity), rbac.DefaultsFor(s.unit, identity)) {
		if s.unit.Kind == objects.PlainUnit && !b.Default && !sameCluster(path.Dir(b.Object.File), folder) {
			continue
		}
		rules := rbac.RulesOfBinding(s.unit, b)
		effect := effectOf(b.Scope, rules)
		signature := s.number(s.content(rules))
		h.all.Include(effect)
		h.signatures[b.Scope] += signature
		if b.Certain() && whyMissing(s.unit, b) == "" {
			h.certain.Include(effect)
			h.certainSignatures[b.Scope] += signature
		}
	}
	if identity.Privileged() {
		everything := []rbacv1.PolicyRule{{Verbs: all, APIGroups: all, Resources: all}, {Verbs: all, NonResourceURLs: all}}
		h.signatures[""], h.certainSignatures[""] = "privileged", "privileged"
		h.all.Add("", everything)
		h.certain.Add("", everything)
	}
	s.held[key] = h
	return h
}

var all = []string{rbacv1.VerbAll}

// isCertain reports whether it is known that a binding applies, in which namespace, and that nothing keeps it off the cluster.
func (e *entry) isCertain() bool { return e.Certain() && e.whyMissing == "" }

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

// sameCluster reports whether plain files of two folders count as files of one cluster: one of the folders contains the other.
func sameCluster(a, b string) bool { return below(a, b) || below(b, a) }

func below(folder, other string) bool {
	return folder == "." || folder == other || strings.HasPrefix(other, folder+"/")
}

// effectOf returns the permissions of rules in a scope. A role with unknown rules counts by its name.
func effectOf(scope string, rules rbac.BindingRules) permission.Effect {
	var e permission.Effect
	e.Add(scope, rules.Rules)
	for _, role := range rules.Unknown {
		e.AddRole(rbac.Grant{Role: role, Scope: scope})
	}
	return e
}
