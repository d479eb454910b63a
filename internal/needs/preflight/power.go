package preflight

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
)

// Powers returns the names of those direct powers among rules for the whole cluster or a namespace with which an identity can make
// itself an administrator there; all of them if a rule allows everything. A power that is limited to resourceNames counts if one of them
// opens everything in each cluster. Those of escalate do not limit it: the holder writes everything into the role.
func Powers(all []Scoped) []string {
	var found []string
	list := danger.With(danger.Direct)
	for _, p := range list {
		if slices.ContainsFunc(all, func(s Scoped) bool { return p.EffectiveIn(s.Namespace) && hasPower(s.Rules, p) }) {
			found = append(found, p.Name)
		}
	}
	everything := slices.ContainsFunc(all, func(s Scoped) bool { return slices.ContainsFunc(s.Rules, allowsEverything) })
	if everything {
		return []string{"every verb on every resource"}
	}
	return found
}

// AdministratorOf returns the namespaces to which the powers of [Powers] are limited; none if they are not.
func AdministratorOf(all []Scoped) []string {
	var namespaces []string
	for _, s := range all {
		switch {
		case len(Powers([]Scoped{s})) == 0:
		case s.Namespace == "":
			return nil
		default:
			namespaces = append(namespaces, s.Namespace)
		}
	}
	slices.Sort(namespaces)
	return slices.Compact(namespaces)
}

// Reaching returns what rules for the whole cluster allow in running pods, whose accounts they reach. No chain of steps begins with it,
// because which pods run is unknown.
func Reaching(all []Scoped) []string {
	var found []string
	for _, p := range danger.With(danger.Steps) {
		text := p.Danger().Text
		if p.Danger().Class != danger.Pods || slices.Contains(found, text) {
			continue
		}
		if slices.ContainsFunc(all, func(s Scoped) bool { return s.Namespace == "" && hasPower(s.Rules, p) }) {
			found = append(found, text)
		}
	}
	return found
}

// ReadsSecrets reports whether rules for the whole cluster allow to read all Secrets, which can contain tokens of accounts.
func ReadsSecrets(all []Scoped) bool {
	return slices.ContainsFunc(danger.With(danger.Steps), func(p *danger.Power) bool {
		return p.Name == danger.ReadSecrets && slices.ContainsFunc(all, func(s Scoped) bool { return s.Namespace == "" && hasPower(s.Rules, p) })
	})
}

func allowsEverything(r rbacv1.PolicyRule) bool {
	return danger.IsWildcard(r) && slices.Contains(r.Verbs, rbacv1.VerbAll)
}

func hasPower(rules []rbacv1.PolicyRule, p *danger.Power) bool {
	return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool {
		names, _, _ := p.In(r)
		return len(names) > 0 && (!p.Limited(names) || slices.Contains(p.Verbs, "escalate"))
	})
}
