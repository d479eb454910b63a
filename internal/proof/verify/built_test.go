package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// overlays are two overlays of one base: prod adds a name prefix, dev sets the account with a patch.
func overlays() verifytest.Repo {
	return verifytest.Repo{
		"base/kustomization.yaml": "resources: [harbor.yaml, rbac.yaml]\n",
		"base/harbor.yaml":        harbor,
		"base/rbac.yaml":          account + "---\n" + role + "---\n" + bindingFor("User", "olm:clusterextension:harbor"),
		"prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\n",
		"dev/kustomization.yaml":  "resources: [../base]\npatches: [{path: account.yaml}]\n",
		"dev/account.yaml":        "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: harbor}\nspec: {serviceAccount: {name: other}}\n",
	}
}

func bindingFor(kind, name string) string {
	return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: grant}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: installing}\n" +
		"subjects: [{kind: " + kind + ", name: '" + name + "', apiGroup: rbac.authorization.k8s.io}]\n"
}

// builtCase is a handwritten plan.
type builtCase struct {
	repo func(verifytest.Repo)
	// plan declares its changes of files and units.
	plan func(*testing.T, *engine.Context, *engine.Plan)
	want string // part of the reason of the refusal; "" if it is verified
}

// unitNamed returns a unit by name.
func unitNamed(t *testing.T, c *engine.Context, name string) *objects.Unit {
	t.Helper()
	for _, u := range c.Repo.Units {
		if u.Name == name {
			return u
		}
	}
	t.Fatalf("no unit %s", name)
	return nil
}

// extensionIn returns the only ClusterExtension of a unit.
func extensionIn(t *testing.T, u *objects.Unit) *objects.Object {
	t.Helper()
	for _, o := range u.Objects {
		if o.Kind == "ClusterExtension" {
			return o
		}
	}
	t.Fatalf("no extension in %s", u)
	return nil
}

const field = "spec.serviceAccount"

// removed declares that the field is removed in a unit.
func removed(t *testing.T, c *engine.Context, unit string) engine.AppliedChange {
	t.Helper()
	u := unitNamed(t, c, unit)
	return engine.AppliedChange{Unit: u, Object: extensionIn(t, u), Op: engine.RemoveValue, Path: path(field)}
}

// removal removes the field in a file.
func removal(file string) engine.Change {
	return engine.Change{File: file, Op: engine.RemoveValue, Path: path(field)}
}

func TestBuiltUnits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]builtCase{
		"as declared": {plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
			p.Changes = []engine.Change{removal("base/harbor.yaml"), removal("dev/account.yaml")}
			p.Applied = []engine.AppliedChange{removed(t, c, "dev"), removed(t, c, "prod")}
		}},
		"declared twice": {plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
			p.Changes = []engine.Change{removal("base/harbor.yaml"), removal("dev/account.yaml")}
			p.Applied = []engine.AppliedChange{removed(t, c, "dev"), removed(t, c, "dev"), removed(t, c, "prod")}
		}},
		"nothing is declared of one overlay": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{removal("base/harbor.yaml"), removal("dev/account.yaml")}
				p.Applied = []engine.AppliedChange{removed(t, c, "dev")}
			},
			want: "the kustomization prod: ClusterExtension prod-harbor: spec would differ from the declared change: change it by hand",
		},
		"the patch still sets it": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{removal("base/harbor.yaml")}
				p.Applied = []engine.AppliedChange{removed(t, c, "dev"), removed(t, c, "prod")}
			},
			want: "the kustomization dev: ClusterExtension harbor: spec would differ from the declared change: change it by hand",
		},
		"the base sets it behind the patch": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{removal("dev/account.yaml")}
				p.Applied = []engine.AppliedChange{removed(t, c, "dev")}
			},
			want: "the kustomization dev: ClusterExtension harbor: spec would differ from the declared change: change it by hand",
		},
		"a patch without a target": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{{File: "dev/account.yaml", Op: engine.SetText, Path: path("metadata.name"), Value: "nobody"}}
			},
			want: "the kustomization dev: it could no longer be built: dev/kustomization.yaml:1:1: dev cannot be built",
		},
		"a change of what does not exist": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{removal("base/harbor.yaml"), removal("dev/account.yaml")}
				change := removed(t, c, "prod")
				change.Unit = unitNamed(t, c, "dev")
				p.Applied = []engine.AppliedChange{removed(t, c, "dev"), removed(t, c, "prod"), change}
			},
			want: "the kustomization dev: a change of ClusterExtension prod-harbor was declared, but the unit does not apply it",
		},
		"nothing transforms any more": {
			repo: func(r verifytest.Repo) { delete(r, "prod/kustomization.yaml") },
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{
					removal("base/harbor.yaml"), {File: "dev/account.yaml", Op: engine.RemoveDocument},
					{File: "dev/kustomization.yaml", Op: engine.RemoveValue, Path: path("patches")},
				}
				p.Applied = []engine.AppliedChange{removed(t, c, "dev")}
			},
		},
		"something transforms from now on": {
			repo: func(r verifytest.Repo) { r["prod/kustomization.yaml"] = "resources: [../base]\n" },
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				patch := map[string]any{
					"target": map[string]any{"kind": "ClusterExtension", "name": "harbor"},
					"patch":  "- {op: remove, path: /spec/serviceAccount}\n",
				}
				p.Changes = []engine.Change{{File: "prod/kustomization.yaml", Op: engine.AddField, Path: path("patches"), Value: []any{patch}}}
				p.Applied = []engine.AppliedChange{removed(t, c, "prod")}
			},
		},
		"an overlay goes": {
			repo: func(r verifytest.Repo) {
				r["pods/kustomization.yaml"], r["pods/pod.yaml"] = "resources: [pod.yaml]\n", pod
			},
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{{File: "dev/kustomization.yaml", Op: engine.AppendItem, Path: path("resources"), Value: "../pods"}}
				p.Added = []engine.AppliedObject{{Unit: unitOf(c, "dev"), JSON: decoded(pod)}}
			},
			want: "the kustomization pods: it would no longer be a separate unit",
		},
		"an overlay that cannot be built": {
			repo: func(r verifytest.Repo) { r["prod/kustomization.yaml"] += "patches: [{path: ../none.yaml}]\n" },
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{removal("base/harbor.yaml"), removal("dev/account.yaml")}
				p.Applied = []engine.AppliedChange{removed(t, c, "dev")}
			},
			want: "so the effect on its objects is unknown",
		},
		"an object comes with a prefix": {plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
			addBinding(p, "base", added{unitOf(c, "dev"), false}, added{unitOf(c, "prod"), true})
		}},
		"an object comes with a prefix that was not declared": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				addBinding(p, "base", added{unitOf(c, "dev"), false}, added{unitOf(c, "prod"), false})
			},
			want: "the kustomization prod: ClusterRoleBinding more would not be added as declared",
		},
		"an object comes that was not declared": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				addBinding(p, "base", added{unitOf(c, "prod"), true})
			},
			want: "the kustomization dev: ClusterRoleBinding more would be added, which was not declared",
		},
		"an object goes that was not declared": {
			plan: func(t *testing.T, c *engine.Context, p *engine.Plan) {
				p.Changes = []engine.Change{{File: "base/rbac.yaml", Document: 2, Op: engine.RemoveDocument}}
			},
			want: "the kustomization dev: ClusterRoleBinding grant would be removed, which was not declared",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.prove(t, overlays())
		})
	}
}

// prove verifies the plan in a repository.
func (c builtCase) prove(t *testing.T, repo verifytest.Repo) {
	t.Helper()
	if c.repo != nil {
		c.repo(repo)
	}
	context := repo.Context(t, verifytest.Options{Target: "ignored"})
	plan := &engine.Plan{Description: "try", Object: context.Repo.Units[0].Objects[0]}
	c.plan(t, context, plan)
	proof, err := verify.Prove(context, []*engine.Plan{plan})
	if err != nil {
		t.Fatal(err)
	}
	reason := ""
	if len(proof.Refused) > 0 {
		reason = proof.Refused[0].Reason
	}
	if c.want == "" && reason != "" || !strings.Contains(reason, c.want) {
		t.Errorf("refused for %q, want %q", reason, c.want)
	}
	repo.Write(t, proof)
}

// added is what a unit should have of a generated binding.
type added struct {
	unit    *objects.Unit
	affixed bool
}

func unitOf(c *engine.Context, name string) *objects.Unit {
	at := slices.IndexFunc(c.Repo.Units, func(u *objects.Unit) bool { return u.Name == name })
	return c.Repo.Units[at]
}

// addBinding generates a binding in a folder, and declares it for units.
func addBinding(p *engine.Plan, folder string, units ...added) {
	text := strings.Replace(bindingFor("User", "olm:clusterextension:other"), "name: grant", "name: more", 1)
	id := engine.ObjectName{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: "more"}
	p.Documents = append(p.Documents, engine.Document{File: folder + "/more.yaml", Object: id, Text: text})
	p.Changes = append(p.Changes, engine.Change{File: folder + "/kustomization.yaml", Op: engine.AppendItem, Path: path("resources"), Value: "more.yaml"})
	for _, a := range units {
		binding, role := decoded(text), "installing"
		if a.unit.Name == "prod" {
			role = "prod-installing" // kustomize renames references
			binding["roleRef"].(map[string]any)["name"] = role
		}
		p.Added = append(p.Added, engine.AppliedObject{Unit: a.unit, JSON: binding, Affixed: a.affixed})
		p.Gains = append(p.Gains, engine.GrantChange{
			Subject: rbac.Subject{Kind: "User", Name: "olm:clusterextension:other"}, Unit: a.unit,
			Grant: rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: role}},
		})
	}
}

// decoded decodes a manifest.
func decoded(text string) map[string]any {
	doc := manifest.Scan("", []byte(text)).Docs[0]
	if err := doc.Parse(); err != nil {
		panic(err)
	}
	return doc.Root.Decode().(map[string]any)
}
