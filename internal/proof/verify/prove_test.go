package verify_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

const (
	harbor = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor
  serviceAccount:
    name: harbor-installer
`
	account = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: harbor-installer
  namespace: harbor
`
	binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-installer
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: installing}
subjects:
- kind: ServiceAccount
  name: harbor-installer
  namespace: harbor
- kind: User
  name: jane
`
	role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: installing
rules:
- {apiGroups: [apps], resources: [deployments], verbs: [create, get]}
- {apiGroups: [""], resources: [secrets], verbs: [get]}
`
	pod = `apiVersion: v1
kind: Pod
metadata:
  name: puller
  namespace: harbor
spec:
  serviceAccountName: harbor-installer
`
)

// base is a kustomization with an extension and its installer, and a second extension that is installed in the same way.
func base() verifytest.Repo {
	quay := strings.NewReplacer("harbor", "quay", "jane", "john").Replace(harbor + "---\n" + account + "---\n" + binding)
	return verifytest.Repo{
		"kustomization.yaml": "resources: [harbor.yaml, rbac.yaml, role.yaml, quay.yaml]\n",
		"harbor.yaml":        harbor,
		"rbac.yaml":          account + "---\n" + binding,
		"role.yaml":          role,
		"quay.yaml":          quay,
	}
}

// remove returns plans that remove the account of each of the two extensions.
func remove(t *testing.T, c *engine.Context) (harbor, quay *engine.Plan) {
	t.Helper()
	request := func(name string) verifytest.Request {
		return verifytest.Request{Fixer: "remove-service-account", Kind: "ClusterExtension", Name: name}
	}
	work, err := fixers.All(c, verifytest.Resolve(c, []verifytest.Request{request("harbor"), request("quay")}))
	if err != nil {
		t.Fatal(err)
	}
	return work.Outcomes[0].Plan, work.Outcomes[1].Plan
}

// tampered changes the plan of one extension without declaring it. That plan must be refused, and the other one verified.
type tampered struct {
	target string // the default is synthetic
	unsafe bool
	repo   func(verifytest.Repo)
	tamper func(p *engine.Plan)
	want   string // part of the reason
}

func TestTamperedPlansAreDropped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]tampered{
		"the bindings are missing": {
			tamper: func(p *engine.Plan) { p.Documents, p.Changes = nil, p.Changes[1:] },
			want:   "User olm:clusterextension:harbor would not be granted ClusterRole installing",
		},
		"the bindings are missing, and were not declared": {
			tamper: func(p *engine.Plan) { p.Documents, p.Gains, p.Changes = nil, nil, p.Changes[1:] },
			want:   "ClusterExtension harbor would lose ClusterRole installing",
		},
		"the new file is not listed": {
			tamper: func(p *engine.Plan) { p.Changes = p.Changes[1:] },
			want:   "would not be granted",
		},
		"the file that is listed does not exist": {
			tamper: func(p *engine.Plan) { p.Documents = nil },
			want:   "harbor-synthetic-rbac.yaml\" does not exist",
		},
		"the gain is not declared": {
			tamper: func(p *engine.Plan) { p.Gains = nil },
			want:   "User olm:clusterextension:harbor would gain ClusterRole installing",
		},
		"the change of identity is not declared": {
			tamper: func(p *engine.Plan) { p.Switches = nil },
			want:   "OLM would act as User olm:clusterextension:harbor for ClusterExtension harbor instead of ServiceAccount harbor/harbor-installer",
		},
		"more is granted": {
			tamper: func(p *engine.Plan) {
				p.Documents[0].Text = strings.Replace(p.Documents[0].Text, "name: installing", "name: cluster-admin", 1)
			},
			want: "User olm:clusterextension:harbor would gain ClusterRole cluster-admin",
		},
		"another subject is granted it too": {
			tamper: func(p *engine.Plan) { p.Documents[0].Text += "- kind: User\n  name: mallory\n" },
			want:   "User mallory would gain ClusterRole installing",
		},
		"another subject loses a grant": {
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "rbac.yaml", Document: 1, Op: engine.RemoveValue, Path: path("subjects[1]")})
			},
			want: "User jane would lose ClusterRole installing",
		},
		"an object is generated that is there": {
			tamper: func(p *engine.Plan) {
				p.Documents[0].Object.Name = "harbor-installer"
				p.Documents[0].Text = strings.Replace(p.Documents[0].Text, "olm-clusterextension-harbor-installing", "harbor-installer", 1)
			},
			want: "adds ClusterRoleBinding harbor-installer, which rbac.yaml has added already",
		},
		"a document differs from its declaration": {
			tamper: func(p *engine.Plan) { p.Documents[0].Object.Name = "other" },
			want:   "was not generated as a single object",
		},
		"two documents in place of one": {
			tamper: func(p *engine.Plan) { p.Documents[0].Text += "---\n" + pod },
			want:   "instead of 1",
		},
		"the account goes, and a pod needs it": {
			target: "ignored",
			repo:   func(r verifytest.Repo) { r["rbac.yaml"] += "---\n" + pod },
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "rbac.yaml", Document: 0, Op: engine.RemoveDocument})
			},
			want: "still needs ServiceAccount harbor/harbor-installer",
		},
		"the role goes, and the bindings stay": {
			target: "ignored",
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "role.yaml", Document: 0, Op: engine.RemoveDocument})
			},
			want: "still references ClusterRole installing",
		},
		"an account that others use is granted something": {
			target: "ignored",
			repo:   func(r verifytest.Repo) { r["rbac.yaml"] += "---\n" + pod },
			tamper: func(p *engine.Plan) {
				text := strings.NewReplacer("name: harbor-installer\nroleRef", "name: more\nroleRef", "installing", "edit").Replace(binding)
				text, _, _ = strings.Cut(text, "- kind: User")
				id := engine.ObjectName{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Name: "more"}
				p.Documents = append(p.Documents, engine.Document{File: "more.yaml", Object: id, Text: text})
				p.Changes = append(p.Changes, engine.Change{File: "kustomization.yaml", Op: engine.AppendItem, Path: path("resources"), Value: "more.yaml"})
				p.Gains = append(p.Gains, engine.GrantChange{
					Subject: rbac.Subject{Kind: "ServiceAccount", Namespace: "harbor", Name: "harbor-installer"},
					Grant:   rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "edit"}},
				})
			},
			want: "Pod harbor/puller at rbac.yaml:25:3 would gain ClusterRole edit",
		},
		"the extension goes": {
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "harbor.yaml", Document: 0, Op: engine.RemoveDocument})
			},
			want: "ClusterExtension harbor would be removed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// run verifies a tampered plan together with a correct one.
func (c tampered) run(t *testing.T) {
	t.Helper()
	repo := base()
	if c.repo != nil {
		c.repo(repo)
	}
	context := repo.Context(t, verifytest.Options{Target: cmp.Or(c.target, "synthetic"), Unsafe: c.unsafe})
	guilty, innocent := remove(t, context)
	c.tamper(guilty)
	proof, err := verify.Prove(context, []*engine.Plan{guilty, innocent})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(proof.Plans, []*engine.Plan{innocent}) {
		t.Errorf("%d plans were proven, want the untampered one", len(proof.Plans))
	}
	if len(proof.Refused) != 1 || !strings.Contains(proof.Refused[0].Reason, c.want) {
		t.Errorf("got %+v, want a reason with %q", proof.Refused, c.want)
	}
	repo.Write(t, proof)
}

func path(text string) manifest.Path {
	p, err := manifest.ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}

// Plans that need a refused plan are refused as well.
func TestDependentPlans(t *testing.T) {
	t.Parallel()
	repo := base()
	c := repo.Context(t, verifytest.Options{Target: "synthetic", Prune: true})
	request := verifytest.Request{Fixer: "remove-service-account", Kind: "ClusterExtension", Name: "harbor"}
	work, err := fixers.All(c, verifytest.Resolve(c, []verifytest.Request{request}))
	if err != nil {
		t.Fatal(err)
	}
	if len(work.Prunes) != 1 || work.Prunes[0].Plan == nil {
		t.Fatalf("got %+v", work.Prunes)
	}
	work.Outcomes[0].Plan.Switches = nil
	proof, err := verify.Prove(c, work.Plans())
	if err != nil {
		t.Fatal(err)
	}
	if len(proof.Plans) != 0 || len(proof.Files) != 0 || len(proof.Refused) != 2 {
		t.Fatalf("got %+v", proof)
	}
	if reason := proof.Refused[1].Reason; !strings.Contains(reason, "depends on another fix") {
		t.Errorf("got %q", reason)
	}
}

func TestNothingToProve(t *testing.T) {
	t.Parallel()
	repo := base()
	proof, err := verify.Prove(repo.Context(t, verifytest.Options{Target: "ignored"}), nil)
	if err != nil || len(proof.Files) > 0 {
		t.Errorf("%+v, %v", proof, err)
	}
}

// shared is a base with one extension, which two kustomizations apply, and the account of the extension.
func shared() verifytest.Repo {
	return verifytest.Repo{
		"base/kustomization.yaml": "resources: [harbor.yaml, rbac.yaml]\n",
		"base/harbor.yaml":        harbor,
		"base/rbac.yaml":          account,
		"east/kustomization.yaml": "resources: [../base]\n",
		"west/kustomization.yaml": "resources: [../base]\n",
	}
}

// planRemoval plans the removal of the account of harbor.
func planRemoval(t *testing.T, c *engine.Context) []*engine.Plan {
	t.Helper()
	request := verifytest.Request{Fixer: "remove-service-account", Kind: "ClusterExtension", Name: "harbor", File: "base/harbor.yaml"}
	work, err := fixers.All(c, verifytest.Resolve(c, []verifytest.Request{request}))
	if err != nil {
		t.Fatal(err)
	}
	return work.Plans()
}

// checkRefused verifies a plan and checks the reason for which it is refused; without a reason, that it is not.
func checkRefused(t *testing.T, c *engine.Context, plans []*engine.Plan, reason string) {
	t.Helper()
	proof, err := verify.Prove(c, plans)
	if err != nil {
		t.Fatal(err)
	}
	if reason == "" {
		if len(proof.Plans) != 1 || len(proof.Refused) > 0 {
			t.Errorf("%d plans are verified, refused: %+v", len(proof.Plans), proof.Refused)
		}
		return
	}
	if len(proof.Plans) > 0 || len(proof.Refused) != 1 || !strings.Contains(proof.Refused[0].Reason, reason) {
		t.Errorf("%d plans are verified, refused: %+v, want %q", len(proof.Plans), proof.Refused, reason)
	}
}

// TestUnitsOutsideTheScopeStay verifies a plan that changes a unit which is not asked for, as if its declarations did not show that.
func TestUnitsOutsideTheScopeStay(t *testing.T) {
	t.Parallel()
	for inside, reason := range map[string]string{
		"east west": "",
		"east":      "it would change deployment units outside the given paths (west): run `salint base/harbor.yaml`",
	} {
		c := shared().Context(t, verifytest.Options{Target: "ignored"})
		plans := planRemoval(t, c)
		c.Scope = &engine.Scope{
			Inside:  func(u *objects.Unit) bool { return slices.Contains(strings.Fields(inside), u.Name) },
			Covers:  func(*objects.Unit, string) bool { return false },
			Command: func(file string, _ finding.FixKind) string { return "salint " + file },
		}
		checkRefused(t, c, plans, reason)
	}
}

// TestInputsOfOtherUnitsStay verifies a plan that changes a file which a kustomization also puts into a ConfigMap, as if the units that
// the plan was made for did not show that.
func TestInputsOfOtherUnitsStay(t *testing.T) {
	t.Parallel()
	for generator, reason := range map[string]string{
		"": "",
		"configMapGenerator: [{name: seen, files: [harbor.yaml]}]\n": "configMapGenerator at base/kustomization.yaml:2:43 reads base/harbor.yaml, which would change",
	} {
		repository := shared()
		repository["base/kustomization.yaml"] += generator
		c := repository.Context(t, verifytest.Options{Target: "ignored"})
		for _, u := range c.Repo.Units {
			u.NonObjectInputs = nil
		}
		checkRefused(t, c, planRemoval(t, c), reason)
	}
}
