package helm_test

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/engine/enginetest"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
)

// chartRepo is a repository of charts in memory, which can be rendered and fixed.
type chartRepo filestest.Tree

func (r chartRepo) tree() filestest.Tree { return filestest.Tree(r) }

// units renders every chart with its own values and those in ci/.
func (r chartRepo) units(t *testing.T) []*objects.Unit {
	t.Helper()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	files := render.FromFS(r.tree().FS())
	units, err := charts.Build(t.Context(), charts.Sets(r.tree().Names(), files, charts.Settings{}), charts.Options{Files: files, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		if u.NotBuilt {
			t.Fatalf("%s: %v", u, u.Problems)
		}
	}
	return units
}

// context returns a context for fixers. The targets are by the names of units.
func (r chartRepo) context(t *testing.T, grant string, targets map[string]string) *engine.Context {
	t.Helper()
	chosen, err := engine.ParseGrant(grant)
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Context{
		Repo:   &applied.Repository{Units: r.units(t), Read: r.tree().Read},
		Policy: engine.Policy{Grant: chosen},
		Lookups: &enginetest.Lookups{Targets: func(u *objects.Unit, _ *objects.Object) olm.Target {
			target, err := olm.ParseTarget(targets[u.Name])
			if targets[u.Name] == "" {
				target, err = olm.ParseTarget("synthetic")
			}
			if err != nil {
				t.Fatal(err)
			}
			return target
		}},
	}
}

// fixAll asks for the removal of all accounts.
func (r chartRepo) fixAll(t *testing.T, c *engine.Context) engine.Work {
	t.Helper()
	return r.ask(t, c, "remove-service-account", func(state olm.AccountState) bool { return state != olm.Absent })
}

// ask asks for a fix of the extensions whose accounts are in some states.
func (r chartRepo) ask(t *testing.T, c *engine.Context, fixer string, wanted func(olm.AccountState) bool) engine.Work {
	t.Helper()
	var requests []engine.Request
	for _, u := range c.Repo.Units {
		for _, o := range u.Objects {
			if read, ok := olm.ReadExtension(o.Node); ok && wanted(read.Account.State) {
				requests = append(requests, engine.Request{Fixer: fixer, Object: o, Path: read.Account.Path})
			}
		}
	}
	work, err := fixers.All(c, requests)
	if err != nil {
		t.Fatal(err)
	}
	return work
}

// carriedOut returns the repository with the changes of plans.
func (r chartRepo) carriedOut(plans []*engine.Plan) chartRepo {
	after := maps.Clone(r)
	var texts []engine.TextChange
	for _, p := range plans {
		texts = append(texts, p.Texts...)
		for _, d := range p.Documents {
			after[d.File] += d.Text
			if d.CRLF {
				after[d.File] = strings.ReplaceAll(after[d.File], "\n", "\r\n")
			}
		}
	}
	slices.SortFunc(texts, func(a, b engine.TextChange) int { return b.Span.Start - a.Span.Start })
	for _, change := range texts {
		text := after[change.File]
		after[change.File] = text[:change.Span.Start] + change.New + text[change.Span.End:]
	}
	return after
}

// declared returns what the plans declare for the objects of units, as sorted JSON.
func declared(t *testing.T, c *engine.Context, plans []*engine.Plan) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, u := range c.Repo.Units {
		for _, o := range u.Objects {
			value, gone := jsonOf(t, o.JSON()), false
			for _, p := range plans {
				for _, change := range p.Applied {
					if change.Unit == u && change.Object == o {
						if gone = gone || change.Op == engine.RemoveDocument; gone {
							break
						}
						if change.Path[0] == "subjects" {
							value["subjects"] = withoutSubject(t, value["subjects"], change.Path[1])
							continue
						}
						remove(value, change.Path)
					}
				}
			}
			if gone {
				continue
			}
			all[u.Name] = append(all[u.Name], text(t, value))
		}
		for _, p := range plans {
			for _, added := range p.Added {
				if added.Unit == u {
					all[u.Name] = append(all[u.Name], text(t, added.JSON))
				}
			}
		}
		slices.Sort(all[u.Name])
	}
	return all
}

func remove(value map[string]any, path manifest.Path) {
	for _, key := range path[:len(path)-1] {
		value, _ = value[key].(map[string]any)
	}
	delete(value, path[len(path)-1])
}

func jsonOf(t *testing.T, value any) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text(t, value)), &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func text(t *testing.T, value any) string {
	t.Helper()
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withoutSubject returns the subjects without one of them.
func withoutSubject(t *testing.T, subjects any, index string) any {
	t.Helper()
	all, ok := subjects.([]any)
	i, err := strconv.Atoi(index)
	if !ok || err != nil || i >= len(all) {
		t.Fatalf("no subject %s in %v", index, subjects)
	}
	return slices.Delete(slices.Clone(all), i, i+1)
}

// checkDeclared renders all sets of values again, and compares the result with what the plans declare.
func (r chartRepo) checkDeclared(t *testing.T, c *engine.Context, plans []*engine.Plan) (after chartRepo) {
	t.Helper()
	after = r.carriedOut(plans)
	if diff := cmp.Diff(declared(t, c, plans), appliedObjects(t, after.units(t))); diff != "" {
		t.Errorf("-declared +rendered:\n%s\n%s", diff, after.generatedSince(r))
	}
	return after
}

// generatedSince returns the files that were not there before.
func (r chartRepo) generatedSince(before chartRepo) string {
	var all string
	for _, file := range r.tree().Names() {
		if _, ok := before[file]; !ok {
			all += r[file]
		}
	}
	return all
}

// checkValues renders with values that the fix did not have: every extension loses its account, and its synthetic user has
// what the account had.
func (r chartRepo) checkValues(t *testing.T, after chartRepo, values string) {
	t.Helper()
	with := func(r chartRepo) chartRepo {
		r = maps.Clone(r)
		r["ops/values.yaml"] = values
		return r
	}
	want := map[string][]string{}
	for name, account := range accounts(with(r).units(t)) {
		want[name] = boundTo(with(r).units(t), "ServiceAccount", account)
	}
	got := map[string][]string{}
	for name, account := range accounts(with(after).units(t)) {
		if account != "" {
			t.Errorf("%s still has %s with %s", name, account, values)
		}
		got[name] = boundTo(with(after).units(t), "User", "olm:clusterextension:"+name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -account +user:\n%s\n%s", values, diff, after.generatedSince(r))
	}
}

// accounts returns the accounts of the extensions of the first unit, by the name of the extension.
func accounts(units []*objects.Unit) map[string]string {
	all := map[string]string{}
	for _, o := range units[0].Objects {
		if read, ok := olm.ReadExtension(o.Node); ok {
			all[read.Name] = read.Account.Name
		}
	}
	return all
}

// boundTo returns the roles of a subject in the first unit.
func boundTo(units []*objects.Unit, kind, name string) []string {
	var roles []string
	for _, o := range units[0].Objects {
		subjects := o.Node.Get("subjects")
		if name == "" || !subjects.IsSequence() {
			continue
		}
		for _, subject := range subjects.Items() {
			if subject.Get("kind").String() == kind && subject.Get("name").String() == name {
				roles = append(roles, o.Namespace+"/"+o.Node.Lookup(manifest.Path{"roleRef", "name"}).String())
			}
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

func appliedObjects(t *testing.T, units []*objects.Unit) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, u := range units {
		for _, o := range u.Objects {
			all[u.Name] = append(all[u.Name], text(t, o.JSON()))
		}
		slices.Sort(all[u.Name])
	}
	return all
}

// The beginning of an extension, a template of helpers, and the grant of the account, for the charts of tests.
const (
	extensionHead = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: "
	opsHelpers    = `{{- define "ops.fullname" -}}
{{- printf "%s-%s" .Release.Name "installer" | trunc 40 | trimSuffix "-" }}
{{- end }}
`
)

func extensionText(name, account string) string {
	return extensionHead + name + "\nspec:\n  namespace: olm\n" + account + "  source: {}\n"
}

func accountText(name string) string { return "  serviceAccount:\n    name: " + name + "\n" }

func bindingText(name, role, account string) string {
	return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: " + name +
		"\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + role +
		"}\nsubjects:\n- kind: ServiceAccount\n  name: " + account + "\n  namespace: olm\n"
}

func opsChart(files ...string) chartRepo {
	r := chartRepo{"ops/Chart.yaml": "apiVersion: v2\nname: ops\nversion: 1.0.0\n", "ops/templates/_helpers.tpl": opsHelpers}
	for i := 0; i < len(files); i += 2 {
		r[path.Join("ops", files[i])] = files[i+1]
	}
	return r
}
