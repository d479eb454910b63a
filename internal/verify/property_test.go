package verify_test

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/permission"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/verify"
	"github.com/salint/salint/internal/verify/verifytest"
)

// In random units, plans that change roles and bindings at random and declare nothing are proven when, and only when, not
// a single permission of anybody changes.
func TestAgreesWithSinglePermissions(t *testing.T) {
	t.Parallel()
	counts := map[bool]int{}
	for seed := range int64(400) {
		g := generator{rand.New(rand.NewSource(seed))}
		repo := g.repository()
		c := repo.Context(t, verifytest.Options{Target: "synthetic"})
		plan := g.plan(c)
		proof, err := verify.Prove(c, repo.Files(), []*fixers.Plan{plan})
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

// What is declared is proven, and reported as it is: permission by permission for those who are bound by name.
func TestReportsSinglePermissions(t *testing.T) {
	t.Parallel()
	reported := 0
	for seed := range int64(300) {
		g := generator{rand.New(rand.NewSource(seed))}
		repo := g.repository()
		c := repo.Context(t, verifytest.Options{Target: "ignored"})
		plan := g.plan(c)
		after := write(t, c, repo, plan)
		if differentRoles(t, repo, after) {
			continue // nobody can declare that
		}
		old, new := bindingsOf(t, repo), bindingsOf(t, after)
		declareAll(plan, old, new)
		proof, err := verify.Prove(c, repo.Files(), []*fixers.Plan{plan})
		if err != nil || len(proof.Plans) != 1 {
			t.Fatalf("seed %d: %v %v", seed, err, proof.Refused)
		}
		want := differences(t, repo, after)
		reports := slices.Clone(proof.Permissions.Identities)
		for id, names := range identities(slices.Concat(decode(t, repo), decode(t, after))) {
			isBoundAlike := func(name string) bool { return cmp.Equal(old[name], new[name]) }
			groupsAlike := !slices.ContainsFunc(names[1:], func(group string) bool { return !isBoundAlike(group) })
			if isBoundAlike(id) || !groupsAlike {
				delete(want, id) // what comes or goes by groups is reported for them
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

// compareReport says what is wrong with a report: it must have every single permission that changes, and no rule without
// one. A rule with wildcards may stand for permissions besides that are still held.
func compareReport(identities []permission.Identity, want map[string][2]permissions) string {
	for _, i := range identities {
		id := subjectText(i.Subject)
		if _, ok := want[id]; !ok {
			return id + " is reported, and nothing changes"
		}
		for n, side := range []func(permission.Scope) permission.Side{permission.Scope.Gained, permission.Scope.Lost} {
			if wrong := compareSide(i.Scopes, side, want[id][n]); wrong != "" {
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
		single := rbac.Breakdown(side(s).Rules)
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

// differences lists what everybody gains and loses.
func differences(t *testing.T, before, after verifytest.Repo) map[string][2]permissions {
	t.Helper()
	old, new := decode(t, before), decode(t, after)
	everybody := identities(old)
	maps.Copy(everybody, identities(new))
	oldGrants, newGrants := grants(old), grants(new)
	changed := map[string][2]permissions{}
	for id, names := range everybody {
		had, has := granted(oldGrants, names), granted(newGrants, names)
		gained, lost := has.without(had), had.without(has)
		if len(gained)+len(lost) > 0 {
			changed[id] = [2]permissions{gained, lost}
		}
	}
	return changed
}

// differentRoles tells whether any role differs.
func differentRoles(t *testing.T, before, after verifytest.Repo) bool {
	t.Helper()
	isRole := func(o object) bool { return !strings.HasSuffix(o.text("kind"), "Role") }
	return !cmp.Equal(slices.DeleteFunc(decode(t, before), isRole), slices.DeleteFunc(decode(t, after), isRole))
}

// bindingsOf lists by identity what it is bound to by name.
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

// declareAll declares every grant that comes or goes.
func declareAll(plan *fixers.Plan, before, after map[string][]rbac.Grant) {
	changes := func(a, b map[string][]rbac.Grant) []fixers.GrantChange {
		var all []fixers.GrantChange
		for id, bound := range a {
			kind, name, _ := strings.Cut(id, " ")
			s := rbac.Subject{Kind: kind, Name: name}
			if namespace, account, ok := strings.Cut(name, "/"); ok {
				s.Namespace, s.Name = namespace, account
			}
			for _, g := range bound {
				if !slices.Contains(b[id], g) {
					all = append(all, fixers.GrantChange{Subject: s, Grant: g})
				}
			}
		}
		return all
	}
	plan.Gains, plan.Losses = changes(after, before), changes(before, after)
}

// write gives the repository with a plan carried out, proven or not.
func write(t *testing.T, c *fixers.Context, repo verifytest.Repo, plan *fixers.Plan) verifytest.Repo {
	t.Helper()
	combined, err := fixers.Combine(c, []*fixers.Plan{plan})
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
	for _, file := range r.Files() {
		fmt.Fprintf(&b, "-- %s --\n%s", file, r[file])
	}
	return b.String()
}

// generator makes small random units, and plans that change them.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.Intn(len(of))] }

func (g generator) some(of ...string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(string) bool { return g.Intn(2) == 0 })
}

const (
	clusterRoles = 4
	bindingCount = 5
)

func (g generator) repository() verifytest.Repo {
	var roles, bindings []string
	for i := range clusterRoles {
		roles = append(roles, g.role("ClusterRole", fmt.Sprintf("{name: role-%d, labels: {part: '%s'}}", i, g.one("yes", "no")), ""))
	}
	roles = append(roles,
		g.role("Role", "{name: role-0, namespace: ops}", ""),
		g.role("ClusterRole", "{name: all-parts}", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n"))
	for i := range bindingCount {
		bindings = append(bindings, g.binding(i))
	}
	return verifytest.Repo{
		"kustomization.yaml": "resources: [roles.yaml, bindings.yaml, extension.yaml]\n",
		"roles.yaml":         strings.Join(roles, "---\n"),
		"bindings.yaml":      strings.Join(bindings, "---\n"),
		"extension.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: argo}\nspec:\n  namespace: ops\n" +
			g.one("", "  serviceAccount: {name: installer}\n"),
	}
}

func (g generator) role(kind, metadata, more string) string {
	text := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\n%srules:\n", kind, metadata, more)
	for range 1 + g.Intn(3) {
		text += "- " + g.rule(kind) + "\n"
	}
	return text
}

func (g generator) rule(kind string) string {
	verbs := g.one("[get]", "[get, list]", "[list]", "['*']")
	if kind == "ClusterRole" && g.Intn(4) == 0 {
		return fmt.Sprintf("{verbs: %s, nonResourceURLs: [%s]}", verbs, g.one("/metrics", "/api/v1", "/api/*", "'*'"))
	}
	names := g.one("", "", ", resourceNames: [one]", ", resourceNames: [one, two]", ", resourceNames: []")
	return fmt.Sprintf("{verbs: %s, apiGroups: [%s], resources: [%s]%s}", verbs, g.one("''", "apps", "'', apps", "'*'"),
		g.one("pods", "secrets", "pods, secrets", "'*'", "pods/scale", "'*/scale'"), names)
}

func (g generator) binding(i int) string {
	kind, metadata, role := "ClusterRoleBinding", fmt.Sprintf("{name: binding-%d}", i), "ClusterRole"
	if g.Intn(2) == 0 {
		kind, metadata = "RoleBinding", fmt.Sprintf("{name: binding-%d, namespace: %s}", i, g.one("ops", "apps"))
		role = g.one("Role", "ClusterRole", "ClusterRole")
	}
	text := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\nroleRef: {kind: %s, name: %s, apiGroup: rbac.authorization.k8s.io}\nsubjects:\n",
		kind, metadata, role, g.roleName())
	for range 1 + g.Intn(3) {
		text += "- " + g.subject() + "\n"
	}
	return text
}

func (g generator) roleName() string {
	return g.one("role-0", "role-1", "role-2", "role-3", "all-parts", "role-elsewhere")
}

func (g generator) subject() string {
	return g.one("{kind: User, name: jane}", "{kind: User, name: 'olm:clusterextension:argo'}", "{kind: Group, name: 'olm:clusterextensions'}",
		"{kind: Group, name: 'system:serviceaccounts'}", "{kind: Group, name: 'system:serviceaccounts:ops'}", "{kind: Group, name: 'system:authenticated'}",
		"{kind: ServiceAccount, name: installer, namespace: ops}", "{kind: ServiceAccount, name: installer, namespace: apps}")
}

// plan changes one or two things about roles and bindings. It is none of a safe fix, which must not grant anything.
func (g generator) plan(c *fixers.Context) *fixers.Plan {
	plan := &fixers.Plan{Fixer: "tampering", Kind: finding.Unsafe, Description: "tamper", Object: c.Units[0].Objects[0]}
	g.change(c, plan)
	if g.Intn(3) == 0 {
		g.generate(plan)
	}
	return plan
}

func (g generator) change(c *fixers.Context, plan *fixers.Plan) {
	change := fixers.Change{File: "roles.yaml", Document: g.Intn(clusterRoles + 2)}
	switch g.Intn(9) {
	case 0:
		change.Op, change.Path = fixers.RemoveValue, path("rules[0]")
	case 1:
		change.Op, change.Path, change.Value = fixers.ReplaceField, path("rules[0].verbs"), []any{g.one("get", "list", "*")}
	case 2:
		change.Op, change.Path, change.Value = fixers.AppendItem, path("rules[0].verbs"), g.one("get", "list", "*")
	case 3:
		change.Document = g.Intn(clusterRoles)
		change.Op, change.Path, change.Value = fixers.SetText, path("metadata.labels.part"), g.one("yes", "no")
	case 4:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path, change.Value = fixers.SetText, path("roleRef.name"), g.roleName()
	case 5:
		change.File, change.Document, change.Op = "bindings.yaml", g.Intn(bindingCount), fixers.RemoveDocument
	case 6:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path = fixers.RemoveValue, path("subjects[0]")
	case 7:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path, change.Value = fixers.SetText, path("subjects[0].name"), g.one("jane", "installer")
	case 8:
		g.generate(plan)
		return
	}
	if !isSame(c, change) {
		plan.Changes = append(plan.Changes, change)
	}
}

// isSame tells whether a change would set what is there already, which the editor has nothing to do for.
func isSame(c *fixers.Context, change fixers.Change) bool {
	for _, o := range c.Units[0].Objects {
		if o.File == change.File && o.Doc.Index == change.Document {
			return change.Op == fixers.SetText && o.Node.Lookup(change.Path).String() == change.Value
		}
	}
	return false
}

// generate adds a binding.
func (g generator) generate(plan *fixers.Plan) {
	text := g.binding(bindingCount)
	id := fixers.Identity{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: fmt.Sprint("binding-", bindingCount)}
	for _, namespace := range []string{"ops", "apps"} {
		if strings.Contains(text, "namespace: "+namespace+"}\nroleRef") {
			id.Kind, id.Namespace = "RoleBinding", namespace
		}
	}
	plan.Documents = []fixers.Document{{File: "more.yaml", Object: id, Text: text}}
	entry := fixers.Change{File: "kustomization.yaml", Op: fixers.AppendItem, Path: path("resources"), Value: "more.yaml"}
	if !slices.ContainsFunc(plan.Changes, func(c fixers.Change) bool { return c.File == entry.File }) {
		plan.Changes = append(plan.Changes, entry)
	}
}
