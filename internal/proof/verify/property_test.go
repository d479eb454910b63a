package verify_test

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// In random units, random plans that change roles and bindings without declarations are verified exactly if no single
// permission of any identity changes.
func TestAgreesWithSinglePermissions(t *testing.T) {
	t.Parallel()
	counts := map[bool]int{}
	for seed := range int64(long.Runs(400, 2000)) {
		g := generator{rand.New(rand.NewSource(seed))}
		repo := g.repository()
		c := repo.Context(t, verifytest.Options{Target: "synthetic"})
		plan := g.plan(c)
		proof, err := verify.Prove(c, []*engine.Plan{plan})
		if err != nil {
			t.Fatal(err)
		}
		after := write(t, c, repo, plan)
		changed := differences(t, repo, after)
		if proven := len(proof.Plans) == 1; proven != (len(changed) == 0) {
			t.Fatalf("seed %d: proven is %t (%v), and what changes is %v\n%s\nafterwards\n%s",
				seed, proven, proof.Refused, changed, dump(repo), dump(after))
		}
		counts[len(changed) == 0]++
	}
	if counts[true] < 50 || counts[false] < 50 {
		t.Errorf("changes nothing, or something: %v: the plans are not worth much", counts)
	}
}

// Declared changes are verified, and reported exactly: permission by permission for subjects bound by name.
func TestReportsSinglePermissions(t *testing.T) {
	t.Parallel()
	reported := 0
	for seed := range int64(long.Runs(300, 1500)) {
		g := generator{rand.New(rand.NewSource(seed))}
		repo := g.repository()
		c := repo.Context(t, verifytest.Options{Target: "ignored"})
		plan := g.plan(c)
		after := write(t, c, repo, plan)
		if differentRoles(t, repo, after) {
			continue // this cannot be declared
		}
		old, new := bindingsOf(t, repo), bindingsOf(t, after)
		declareAll(plan, old, new)
		proof, err := verify.Prove(c, []*engine.Plan{plan})
		if err != nil || len(proof.Plans) != 1 {
			t.Fatalf("seed %d: %v %v", seed, err, proof.Refused)
		}
		want := differences(t, repo, after)
		reports := slices.Clone(proof.Permissions.Identities)
		for id, names := range identities(slices.Concat(decode(t, repo), decode(t, after))) {
			isBoundAlike := func(name string) bool { return cmp.Equal(old[name], new[name]) }
			groupsAlike := !slices.ContainsFunc(names[1:], func(group string) bool { return !isBoundAlike(group) })
			if isBoundAlike(id) || !groupsAlike {
				delete(want, id) // changes by groups are reported for the groups
			}
			if !groupsAlike {
				reports = slices.DeleteFunc(reports, func(i permission.Identity) bool { return subjectText(i.Subject) == id })
			}
		}
		reported += len(want)
		if wrong := compareReport(reports, want); wrong != "" {
			t.Fatalf("seed %d: %s\n%s\nafterwards\n%s", seed, wrong, dump(repo), dump(after))
		}
	}
	if reported < 100 {
		t.Errorf("only %d differences in all", reported)
	}
}

func subjectText(s rbac.Subject) string {
	return s.Kind + " " + strings.TrimPrefix(s.Namespace+"/"+s.Name, "/")
}

// compareReport describes the errors in a report: it must contain every changed single permission, and no rule without one.
// A rule with wildcards can also include permissions that did not change.
func compareReport(identities []permission.Identity, want map[string][2]permissions) string {
	for _, i := range identities {
		id := subjectText(i.Subject)
		if _, ok := want[id]; !ok {
			return id + " is reported, and nothing changes"
		}
		for n, side := range []func(permission.Scope) permission.Side{permission.Scope.Gained, permission.Scope.Lost} {
			if wrong := compareSide(i.Scopes(), side, want[id][n]); wrong != "" {
				return id + ": " + wrong
			}
		}
		delete(want, id)
	}
	if len(want) > 0 {
		return fmt.Sprintf("not reported: %v", want)
	}
	return ""
}

func compareSide(scopes []permission.Scope, side func(permission.Scope) permission.Side, want permissions) string {
	reported := permissions{}
	for _, s := range scopes {
		single := policyrules.Breakdown(side(s).Rules)
		parts := make([][]string, len(single))
		for i, rule := range single {
			parts[i] = ruleAllows(rule, s.Namespace == "")
		}
		for _, role := range side(s).Roles {
			parts = append(parts, []string{"whatever " + role.Kind + " " + role.Name + " allows"})
		}
		for _, part := range parts {
			changes := false
			for _, p := range part {
				reported[[2]string{s.Namespace, p}] = true
				changes = changes || want[[2]string{s.Namespace, p}]
			}
			if !changes {
				return fmt.Sprintf("in %q nothing changes about %v", s.Namespace, part)
			}
		}
	}
	for p := range want {
		if !reported[p] && !reported[[2]string{"", p[1]}] {
			return fmt.Sprintf("%v is not reported", p)
		}
	}
	return ""
}

// differences returns what every identity gains and loses.
func differences(t *testing.T, before, after verifytest.Repo) map[string][2]permissions {
	t.Helper()
	old, new := decode(t, before), decode(t, after)
	all := identities(old)
	maps.Copy(all, identities(new))
	oldGrants, newGrants := grants(old), grants(new)
	changed := map[string][2]permissions{}
	for id, names := range all {
		had, has := granted(oldGrants, names), granted(newGrants, names)
		gained, lost := has.without(had), had.without(has)
		if len(gained)+len(lost) > 0 {
			changed[id] = [2]permissions{gained, lost}
		}
	}
	return changed
}

// differentRoles reports whether any role differs.
func differentRoles(t *testing.T, before, after verifytest.Repo) bool {
	t.Helper()
	isRole := func(o object) bool { return !strings.HasSuffix(o.text("kind"), "Role") }
	return !cmp.Equal(slices.DeleteFunc(decode(t, before), isRole), slices.DeleteFunc(decode(t, after), isRole))
}

// bindingsOf returns the direct grants by identity.
func bindingsOf(t *testing.T, repo verifytest.Repo) map[string][]rbac.Grant {
	t.Helper()
	found := map[string][]rbac.Grant{}
	for _, o := range decode(t, repo) {
		g := rbac.Grant{Scope: o.text("metadata", "namespace"), Role: rbac.RoleRef{Kind: o.text("roleRef", "kind"), Name: o.text("roleRef", "name")}}
		if g.Role.Kind == "Role" {
			g.Role.Namespace = g.Scope
		}
		for _, s := range o.list("subjects") {
			id := subjectText(rbac.Subject{Kind: s.text("kind"), Namespace: s.text("namespace"), Name: s.text("name")})
			found[id] = append(found[id], g)
		}
	}
	return found
}

// declareAll declares every grant that is added or removed.
func declareAll(plan *engine.Plan, before, after map[string][]rbac.Grant) {
	changes := func(a, b map[string][]rbac.Grant) []engine.GrantChange {
		var all []engine.GrantChange
		for id, bound := range a {
			kind, name, _ := strings.Cut(id, " ")
			s := rbac.Subject{Kind: kind, Name: name}
			if namespace, account, ok := strings.Cut(name, "/"); ok {
				s.Namespace, s.Name = namespace, account
			}
			for _, g := range bound {
				if !slices.Contains(b[id], g) {
					all = append(all, engine.GrantChange{Subject: s, Grant: g})
				}
			}
		}
		return all
	}
	plan.Gains, plan.Losses = changes(after, before), changes(before, after)
}

// write returns the repository with a plan applied, verified or not.
func write(t *testing.T, c *engine.Context, repo verifytest.Repo, plan *engine.Plan) verifytest.Repo {
	t.Helper()
	combined, err := engine.Merge(c, []*engine.Plan{plan})
	if err != nil || len(combined.Refused) > 0 {
		t.Fatalf("%v %v\n%s", err, combined.Refused, dump(repo))
	}
	after := maps.Clone(repo)
	for _, w := range combined.Writes() {
		after[w.Path] = string(w.After)
	}
	return after
}

func dump(r verifytest.Repo) string {
	var b strings.Builder
	for _, file := range r.Tree().Names() {
		fmt.Fprintf(&b, "-- %s --\n%s", file, r[file])
	}
	return b.String()
}
