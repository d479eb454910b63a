package change

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// fleet is a repository with several clusters of Flux, and kustomizations that nothing applies.
type fleet struct {
	// resource is what the role of a unit allows to read, by the unit and the name of the role; bound is the role of a user, by the unit and the user.
	resource, bound map[[2]string]string
	// placed are the units of each cluster.
	placed map[string][]string
}

var fleetUnits = []string{"units/a", "units/b", "units/c", "units/d", "other/e"}

func randomFleet(random *rand.Rand) fleet {
	f := fleet{map[[2]string]string{}, map[[2]string]string{}, map[string][]string{}}
	for _, unit := range fleetUnits {
		for _, role := range []string{"r", "s"} {
			if random.IntN(2) == 0 {
				f.resource[[2]string{unit, role}] = []string{"secrets", "configmaps"}[random.IntN(2)]
			}
		}
		for _, user := range []string{"u", "v"} {
			if random.IntN(3) > 0 {
				f.bound[[2]string{unit, user + "-" + strings.ReplaceAll(unit, "/", "-")}] = []string{"r", "s"}[random.IntN(2)]
			}
		}
	}
	for _, cluster := range []string{"clusters/north", "clusters/south"} {
		for _, unit := range fleetUnits {
			if random.IntN(3) == 0 {
				f.placed[cluster] = append(f.placed[cluster], unit)
			}
		}
	}
	return f
}

func (f fleet) files() map[string]string {
	files := map[string]string{}
	for _, unit := range fleetUnits {
		files[unit+"/kustomization.yaml"] = "resources: [all.yaml]\n"
		files[unit+"/all.yaml"] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n"
	}
	for _, at := range slices.SortedFunc(maps.Keys(f.resource), compareKeys) {
		files[at[0]+"/all.yaml"] += fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: %s}\n"+
			"rules: [{apiGroups: [''], resources: [%s], verbs: [get]}]\n", at[1], f.resource[at])
	}
	for _, at := range slices.SortedFunc(maps.Keys(f.bound), compareKeys) {
		files[at[0]+"/all.yaml"] += fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: %[1]s}\n"+
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[2]s}\nsubjects: [{kind: User, name: %[1]s, apiGroup: rbac.authorization.k8s.io}]\n", at[1], f.bound[at])
	}
	for cluster, units := range f.placed {
		text := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {interval: 1m, url: 'https://git.example.org/x'}\n"
		for i, unit := range units {
			text += fmt.Sprintf("---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k%d, namespace: flux-system}\n"+
				"spec: {interval: 1m, path: ./%s, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n", i, unit)
		}
		files[cluster+"/flux.yaml"] = text
	}
	return files
}

func compareKeys(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }

// scopes are the units of each cluster, and each unit that no cluster gets.
func (f fleet) scopes() map[string][]string {
	scopes := maps.Clone(f.placed)
	for _, unit := range fleetUnits {
		if !slices.ContainsFunc(slices.Collect(maps.Values(f.placed)), func(units []string) bool { return slices.Contains(units, unit) }) {
			scopes[unit] = []string{unit}
		}
	}
	return scopes
}

// readers returns who can read Secrets in a scope: certainly, or by a role that only scopes of unknown clusters have. The latter is nil for users of whom it
// depends on which of several roles is the nearest.
func (f fleet) readers(scope string) (certain map[string]bool, possible map[string]*bool) {
	scopes := f.scopes()
	certain, possible = map[string]bool{}, map[string]*bool{}
	resourcesIn := func(units []string, role string) (found []string) {
		for _, unit := range units {
			if resource := f.resource[[2]string{unit, role}]; resource != "" {
				found = append(found, resource)
			}
		}
		return found
	}
	for at, role := range f.bound {
		if !slices.Contains(scopes[scope], at[0]) {
			continue
		}
		if own := resourcesIn(scopes[scope], role); len(own) > 0 {
			certain[at[1]] = slices.Contains(own, "secrets")
			continue
		}
		var others []string
		for other, units := range scopes {
			isApart := strings.HasPrefix(scope, "clusters/") && strings.HasPrefix(other, "clusters/")
			if other != scope && !isApart {
				others = append(others, resourcesIn(units, role)...)
			}
		}
		slices.Sort(others)
		if others = slices.Compact(others); len(others) < 2 {
			is := slices.Contains(others, "secrets")
			possible[at[1]] = &is
		} else {
			possible[at[1]] = nil
		}
	}
	return certain, possible
}

// `who-can` on random fleets, compared with a search cluster by cluster: nothing certain is made of two clusters, and nothing possible is missed.
func TestReadersOfFleets(t *testing.T) {
	t.Parallel()
	compared := 0
	for seed := range uint64(150) {
		f := randomFleet(rand.New(rand.NewPCG(seed, 7)))
		side := sideOf(t, f.files())
		got := access.Scene{Repository: side.Repository, Selected: side.Selected}.Who(access.Asked{Request: rbac.Request{Verb: "get", Resource: "secrets", Namespace: rbac.AnyNamespace}})
		certain, possible := map[string][]string{}, map[string][]string{}
		for _, v := range got.Views {
			for _, g := range v.Holders {
				certain[v.View.Unit.Name] = append(certain[v.View.Unit.Name], g.Binding.Subject.Name)
			}
			for _, g := range v.Possible {
				possible[v.View.Unit.Name] = append(possible[v.View.Unit.Name], g.Binding.Subject.Name)
			}
		}
		for scope := range f.scopes() {
			wantCertain, wantPossible := f.readers(scope)
			var want []string
			for user, is := range wantCertain {
				if is {
					want = append(want, user)
				}
			}
			slices.Sort(want)
			slices.Sort(certain[scope])
			if diff := cmp.Diff(want, certain[scope]); diff != "" {
				t.Fatalf("seed %d, certain in %s (-want +got):\n%s", seed, scope, diff)
			}
			for user, is := range wantPossible {
				if is != nil && *is != slices.Contains(possible[scope], user) {
					t.Fatalf("seed %d: possible in %s for %s: %v", seed, scope, user, !*is)
				}
				compared++
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d possible readers were compared", compared)
	}
}

// `diff` on random fleets: who certainly gains the right to read Secrets is who has it in a scope afterwards, and had it not before in the same cluster or unit.
func TestGainsOfFleets(t *testing.T) {
	t.Parallel()
	gained := 0
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 8))
		before := randomFleet(random)
		after := fleet{maps.Clone(before.resource), maps.Clone(before.bound), maps.Clone(before.placed)}
		next := randomFleet(random)
		switch random.IntN(3) {
		case 0:
			after.resource = next.resource
		case 1:
			after.bound = next.bound
		default:
			after.placed = next.placed
		}
		want := map[string]bool{}
		for scope := range after.scopes() {
			now, _ := after.readers(scope)
			then, _ := before.readers(scope)
			if _, wasScope := before.scopes()[scope]; !wasScope && !strings.HasPrefix(scope, "clusters/") {
				then, _ = fleet{before.resource, before.bound, map[string][]string{}}.readers(scope) // a unit that leaves its cluster is compared with itself
			}
			for user, is := range now {
				if is && !then[user] {
					want[user] = true
				}
			}
		}
		got := map[string]bool{}
		for _, c := range Compare(sideOf(t, before.files()), sideOf(t, after.files())).Gained {
			for _, g := range c.gains {
				if allowed, _ := policyrules.Covers(g.Permissions, secretsRule); allowed && g.Possible == "" {
					got[g.Who.Name] = true
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\nbefore %v\nafter %v", seed, diff, before, after)
		}
		gained += len(got)
	}
	if gained < 100 {
		t.Errorf("only %d gains were compared", gained)
	}
}

var secretsRule = []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"secrets"}}}
