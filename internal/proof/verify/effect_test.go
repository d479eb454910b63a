package verify_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// Plans that keep the names of all bindings, or of all roles, and still remove or add permissions, are dropped.
func TestPlansWithOtherEffectsAreDropped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]tampered{
		"a role allows less": {
			tamper: func(p *engine.Plan) { p.Changes = append(p.Changes, inRole(engine.RemoveValue, "rules[1]", nil)) },
			want:   "ServiceAccount harbor/harbor-installer would lose get secrets",
		},
		"a role allows more": {
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, inRole(engine.AppendItem, "rules[1].verbs", "list"))
			},
			want: "ServiceAccount harbor/harbor-installer would gain list secrets",
		},
		"a role allows more, and is declared to be gained": {
			target: "ignored",
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, inRole(engine.AppendItem, "rules[1].verbs", "list"))
				for _, s := range []rbac.Subject{
					{Kind: "ServiceAccount", Namespace: "harbor", Name: "harbor-installer"}, {Kind: "User", Name: "jane"},
					{Kind: "ServiceAccount", Namespace: "quay", Name: "quay-installer"}, {Kind: "User", Name: "john"},
				} {
					p.Gains = append(p.Gains, engine.GrantChange{Subject: s, Grant: installing})
				}
			},
			want: "ServiceAccount harbor/harbor-installer would gain list secrets",
		},
		"a refused binding is taken, and wakes its grant for all whom it names": {
			repo: func(r verifytest.Repo) {
				r["role.yaml"] += `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: refused}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: User, name: kim}, {kind: ServiceAccount, name: reader}]
`
			},
			tamper: func(p *engine.Plan) {
				completed := inRole(engine.AddField, "subjects[1].namespace", "harbor")
				completed.Document = 1
				p.Changes = append(p.Changes, completed)
				reader := rbac.Subject{Kind: "ServiceAccount", Namespace: "harbor", Name: "reader"}
				p.Gains = append(p.Gains, engine.GrantChange{Subject: reader, Grant: rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "view"}}})
			},
			want: "User kim would gain get, list, watch bindings",
		},
		"a role is limited to names": {
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, inRole(engine.AddField, "rules[1].resourceNames", []any{"one"}))
			},
			want: "would lose get secrets",
		},
		"a role is no longer part of another": {
			repo: func(r verifytest.Repo) {
				r["role.yaml"] = strings.Replace(role, "  name: installing\n", "  name: part\n  labels: {part: 'yes'}\n", 1) + `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: installing}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}
`
			},
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, inRole(engine.RemoveValue, "metadata.labels.part", nil))
			},
			want: "ServiceAccount harbor/harbor-installer would lose",
		},
		"a role becomes part of a built-in one": {
			repo: func(r verifytest.Repo) {
				r["rbac.yaml"] += "---\n" + viewing(binding)
			},
			tamper: func(p *engine.Plan) {
				label := map[string]any{"rbac.authorization.k8s.io/aggregate-to-view": "true"}
				p.Changes = append(p.Changes, inRole(engine.AddField, "metadata.labels", label))
			},
			want: "User kim would gain create deployments.apps",
		},
		"a binding refers to a role that allows less": {
			repo: withRole("lesser", "[{apiGroups: [apps], resources: [deployments], verbs: [create, get]}]"),
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "rbac.yaml", Document: 1, Op: engine.SetText, Path: path("roleRef.name"), Value: "lesser"})
			},
			want: "ServiceAccount harbor/harbor-installer would lose ClusterRole installing",
		},
		"a binding refers to a role that allows more": {
			repo: withRole("greater", "[{apiGroups: ['*'], resources: ['*'], verbs: [create, get]}]"),
			tamper: func(p *engine.Plan) {
				p.Changes = append(p.Changes, engine.Change{File: "rbac.yaml", Document: 1, Op: engine.SetText, Path: path("roleRef.name"), Value: "greater"})
			},
			want: "ServiceAccount harbor/harbor-installer would gain ClusterRole greater",
		},
		"a group gives the synthetic identity more": {
			repo: func(r verifytest.Repo) {
				group := strings.Replace(binding, "name: harbor-installer\nroleRef", "name: everyone\nroleRef", 1)
				group, _, _ = strings.Cut(group, "- kind: ServiceAccount")
				r["rbac.yaml"] += "---\n" + group + "- kind: Group\n  name: olm:clusterextensions\n"
				withRole("reading", "[{apiGroups: [''], resources: [nodes], verbs: [get]}]")(r)
				r["rbac.yaml"] += "---\n" + strings.NewReplacer("name: everyone", "name: readers", "installing", "reading").Replace(
					group+"- kind: Group\n  name: olm:clusterextensions\n")
			},
			unsafe: true,
			tamper: func(p *engine.Plan) { p.Switches[0].Gained = nil },
			want:   "ClusterExtension harbor would gain ClusterRole reading",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

var installing = rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "installing"}}

// inRole is a change of the role with which both extensions are installed.
func inRole(op engine.Op, at string, value any) engine.Change {
	return engine.Change{File: "role.yaml", Op: op, Path: path(at), Value: value}
}

func withRole(name, rules string) func(verifytest.Repo) {
	return func(r verifytest.Repo) {
		r["role.yaml"] += "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + name + "}\nrules: " + rules + "\n"
	}
}

// viewing binds a user to the role view.
func viewing(binding string) string {
	text, _, _ := strings.Cut(binding, "- kind: ServiceAccount")
	text = strings.NewReplacer("name: harbor-installer\n", "name: viewing\n", "installing", "view").Replace(text)
	return text + "- kind: User\n  name: kim\n"
}

// The same effect is no difference: another role with the same rules, written differently.
func TestSameEffectIsProven(t *testing.T) {
	t.Parallel()
	repo := base()
	withRole("same", `
- {apiGroups: [apps], resources: [deployments], verbs: [get]}
- {apiGroups: [apps], resources: [deployments], verbs: [create]}
- {apiGroups: [""], resources: [secrets], verbs: [get]}
`)(repo)
	c := repo.Context(t, verifytest.Options{Target: "ignored"})
	plan, _ := remove(t, c)
	plan.Changes = append(plan.Changes, engine.Change{File: "rbac.yaml", Document: 1, Op: engine.SetText, Path: path("roleRef.name"), Value: "same"})
	proof, err := verify.Prove(c, []*engine.Plan{plan})
	if err != nil || len(proof.Plans) != 1 {
		t.Fatalf("%+v, %v", proof.Refused, err)
	}
	unlimited := proof.Permissions.Unlimited
	if len(unlimited) != 1 || unlimited[0].Rules != 2 {
		t.Errorf("the account had 2 rules, which no longer limit the extension: %v", unlimited)
	}
	proof.Permissions.Unlimited = nil
	if diff := cmp.Diff(permission.Report{}, proof.Permissions); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
}
