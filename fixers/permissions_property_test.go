package fixers_test

import (
	"fmt"
	"maps"
	"math/rand"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// TestPermissionsArePreserved fixes random repositories: the identities that count keep what they had and gain nothing, and a
// second run changes nothing.
func TestPermissionsArePreserved(t *testing.T) {
	t.Parallel()
	fixed := 0
	for seed := range int64(long.Runs(600, 3000)) {
		g := generator{rand.New(rand.NewSource(seed))}
		before, options := g.repository(), g.options()
		var requests []verifytest.Request
		for _, name := range extensionNames {
			requests = append(requests,
				verifytest.Request{Fixer: g.fixer(options), Kind: "ClusterExtension", Name: name})
		}
		result := before.Run(t, options, requests...)
		fixed += len(result.Proof.Plans)
		if ok := checkPreserved(t, before, result.After, options); !ok {
			t.Fatalf("seed %d, %+v:\n%s\n%s", seed, options, before.Tree().Dump(), result.Report())
		}
		again := result.After.Run(t, options, requests...)
		if diff := cmp.Diff(result.After, again.After); diff != "" {
			t.Fatalf("seed %d: the second run changes\n%s\n%s\n%s", seed, diff, before.Tree().Dump(), result.Report())
		}
	}
	if fixed < 600 {
		t.Errorf("only %d fixes in all: the repositories are not worth much", fixed)
	}
}

func checkPreserved(t *testing.T, before, after verifytest.Repo, options verifytest.Options) bool {
	t.Helper()
	ok := true
	fail := func(format string, args ...any) {
		t.Errorf(format, args...)
		ok = false
	}
	old, new := worlds(t, before), worlds(t, after)
	for unit, was := range old {
		is := new[unit]
		for _, o := range was {
			name := o.text("metadata", "name")
			switch o.text("kind") {
			case "ClusterExtension":
				now := find(is, "ClusterExtension", name)
				if now == nil {
					fail("%s: extension %s is gone", unit, name)
				} else if options.Target != "ignored" && !strings.HasPrefix(options.Grant, "role=") {
					had, has := may(was, actor(o)), may(is, actor(now))
					if options.Target == "required" {
						if len(had) == 0 { // migrated back to an existing account, which is granted nothing
							had = may(was, actor(now))
						}
						// An account is in the groups of accounts, whether or not it is new.
						maps.Copy(had, may(was, account(now.text("spec", "namespace"), "nobody")))
						maps.Copy(has, had)
					}
					compareGrants(fail, unit+": "+name, had, has, options.Grant == "group")
				}
			case "Pod":
				who := account(o.text("metadata", "namespace"), o.text("spec", "serviceAccountName"))
				compareGrants(fail, unit+": pod "+name, may(was, who), may(is, who), false)
				if defines(was, o) && !defines(is, o) {
					fail("%s: pod %s has lost its account", unit, name)
				}
			}
		}
		for _, o := range is {
			kind, role := o.text("roleRef", "kind"), o.text("roleRef", "name")
			if role != "" && find(was, kind, role) != nil && find(is, kind, role) == nil {
				fail("%s: %s still refers to %s %s", unit, o.text("metadata", "name"), kind, role)
			}
		}
		who := identity{"User jane"}
		compareGrants(fail, unit+": jane", may(was, who), may(is, who), false)
		who = identity{"Group system:serviceaccounts"}
		compareGrants(fail, unit+": accounts", may(was, who), may(is, who), false)
	}
	return ok
}

func compareGrants(fail func(string, ...any), who string, old, new map[string]bool, moreAllowed bool) {
	if lost := missing(old, new); len(lost) > 0 {
		fail("%s lost %v", who, lost)
	}
	for _, grant := range missing(new, old) {
		role, scope, _ := strings.Cut(grant, " in ")
		covered := old["ClusterRole cluster-admin in everywhere"] || old["ClusterRole cluster-admin in "+scope] || old[role+" in everywhere"]
		if !moreAllowed && !covered {
			fail("%s gained %s", who, grant)
		}
	}
}

// defines reports whether the account of a pod exists.
func defines(world []object, pod object) bool {
	return slices.ContainsFunc(world, func(o object) bool {
		return o.text("kind") == "ServiceAccount" && o.text("metadata", "name") == pod.text("spec", "serviceAccountName") &&
			o.text("metadata", "namespace") == pod.text("metadata", "namespace")
	})
}

func find(world []object, kind, name string) object {
	for _, o := range world {
		if o.text("kind") == kind && o.text("metadata", "name") == name {
			return o
		}
	}
	return nil
}

var (
	extensionNames = []string{"argo", "argo-cd", "loki", "quay"}
	accountNames   = []string{"installer", "loki-installer", "quay-installer", "default"}
	namespaces     = []string{"ops", "apps"}
	roleNames      = []string{"cluster-admin", "edit", "installing", "cd-installing"}
)

// generator generates random repositories.
type generator struct{ *rand.Rand }

func (g generator) one(of []string) string { return of[g.Intn(len(of))] }

func (g generator) options() verifytest.Options {
	return verifytest.Options{
		Target: g.one([]string{"synthetic", "synthetic", "ignored", "required"}),
		Grant:  g.one([]string{"carry-over", "carry-over", "carry-over", "group", "role=edit"}),
		Prune:  g.Intn(2) == 0,
	}
}

func (g generator) fixer(o verifytest.Options) string {
	if o.Target == "required" {
		return "add-service-account"
	}
	return "remove-service-account"
}

// repository returns one or two kustomizations that list nearly all files, or one folder of plain files.
func (g generator) repository() verifytest.Repo {
	repo := verifytest.Repo{}
	switch g.Intn(3) {
	case 0:
		g.unit(repo, "plain", false)
	case 1:
		g.unit(repo, "prod", true)
	default:
		g.unit(repo, "prod", true)
		g.unit(repo, "dev", true)
	}
	if g.Intn(5) == 0 {
		repo["notes.txt"] = "ask before touching " + g.one(accountNames) + "\n"
		if _, kustomized := repo["prod/kustomization.yaml"]; !kustomized {
			delete(repo, "notes.txt")
		}
	}
	return repo
}

func (g generator) unit(repo verifytest.Repo, dir string, kustomized bool) {
	files := []string{"a.yaml", "b.yaml", "c.yaml"}
	for _, text := range g.objects() {
		file := path.Join(dir, g.one(files))
		if repo[file] != "" {
			repo[file] += "---\n"
		}
		repo[file] += text
	}
	if !kustomized {
		return
	}
	list := "resources:\n"
	for _, file := range files {
		if _, ok := repo[path.Join(dir, file)]; ok {
			list += g.one([]string{"- ", "- ./", "# here\n- "}) + file + "\n"
		}
	}
	repo[path.Join(dir, "kustomization.yaml")] = list
}

func (g generator) objects() []string {
	var all []string
	for _, name := range extensionNames {
		if g.Intn(4) > 0 {
			all = append(all, g.extension(name))
		}
	}
	for _, namespace := range namespaces {
		for _, name := range accountNames {
			if g.Intn(3) > 0 {
				all = append(all, fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: %s\n  namespace: %s\n", name, namespace))
			}
		}
	}
	for i := range 2 + g.Intn(5) {
		all = append(all, g.binding(i))
	}
	for _, name := range roleNames[2:] {
		if g.Intn(2) == 0 {
			all = append(all, fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: %s}\nrules: [{apiGroups: [''], resources: [%s], verbs: [get]}]\n", name, name))
		}
	}
	if g.Intn(3) == 0 {
		all = append(all, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata:\n  name: puller\n  namespace: %s\nspec:\n  serviceAccountName: %s\n",
			g.one(namespaces), g.one(accountNames)))
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (g generator) extension(name string) string {
	text := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: " + name + "\nspec:\n"
	text += "  namespace: " + g.one(namespaces) + "\n"
	switch g.Intn(6) {
	case 0:
	case 1:
		text += "  serviceAccount: {name: " + g.one(accountNames) + "}\n"
	default:
		text += "  serviceAccount: # who\n    name: " + g.one(accountNames) + "\n"
	}
	return text + "  source: {sourceType: Catalog}\n"
}

func (g generator) binding(i int) string {
	kind, metadata, role := "ClusterRoleBinding", fmt.Sprintf("{name: binding-%d}", i), "ClusterRole"
	if g.Intn(2) == 0 {
		kind, metadata = "RoleBinding", fmt.Sprintf("{name: binding-%d, namespace: %s}", i, g.one(namespaces))
		role = g.one([]string{"Role", "ClusterRole"})
	}
	text := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\nroleRef: {kind: %s, name: %s, apiGroup: rbac.authorization.k8s.io}\nsubjects:\n",
		kind, metadata, role, g.one(roleNames))
	for range 1 + g.Intn(3) {
		text += "- " + g.subject() + "\n"
	}
	return text
}

func (g generator) subject() string {
	switch g.Intn(12) {
	case 0:
		return "{kind: User, name: jane}"
	case 1:
		return "{kind: Group, name: system:serviceaccounts:" + g.one(namespaces) + "}"
	case 2:
		return "{kind: User, name: 'system:serviceaccount:" + g.one(namespaces) + ":" + g.one(accountNames) + "'}"
	case 3:
		return "{kind: User, name: 'olm:clusterextension:" + g.one(extensionNames) + "'}"
	case 4:
		return "{kind: Group, name: olm:clusterextensions}"
	default:
		return "{kind: ServiceAccount, name: " + g.one(accountNames) + ", namespace: " + g.one(namespaces) + "}"
	}
}
