package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
)

const holdersWorld = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: editor
rules:
  - apiGroups: [olm.operatorframework.io]
    resources: [clusterextensions]
    verbs: [create]
  - apiGroups: [rbac.authorization.k8s.io]
    resources: [clusterroles]
    verbs: [escalate]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: reader
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: editors
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: editor
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: Group
    name: developers
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: jobs
  namespace: ci
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: reader
subjects:
  - kind: ServiceAccount
    name: default
    namespace: ci
`

// TestFingerprintsOfHolders changes a repository, and checks for which rules this adds a finding with a new fingerprint: a baseline
// hides those that have the old one.
func TestFingerprintsOfHolders(t *testing.T) {
	t.Parallel()
	before := fingerprintsIn(t, holdersWorld)
	tests := map[string]struct {
		change []string // the texts to replace, each followed by its replacement
		want   []string
	}{
		"nothing":                     {[]string{"kind", "kind"}, nil},
		"a comment, and other lines":  {[]string{"rules:\n  - apiGroups: [olm", "# about OLM\n\nrules:\n  - apiGroups: [olm"}, nil},
		"a subject before the others": {[]string{"subjects:\n  - apiGroup", "subjects:\n  - {kind: Group, name: 'system:masters', apiGroup: rbac.authorization.k8s.io}\n  - apiGroup"}, nil},
		"the subject twice":           {[]string{"    name: developers", "    name: developers\n  - {kind: Group, name: developers, apiGroup: rbac.authorization.k8s.io}"}, nil},
		"another subject":             {[]string{"developers", "testers"}, []string{"olm/extension-write-access", "rbac/escalation-verbs"}},
		"a further subject": {
			[]string{"    name: developers", "    name: developers\n  - {kind: Group, name: testers, apiGroup: rbac.authorization.k8s.io}"},
			[]string{"olm/extension-write-access", "rbac/escalation-verbs"},
		},
		"more access":     {[]string{"verbs: [create]", "verbs: [create, update]"}, []string{"olm/extension-write-access"}},
		"a further power": {[]string{"[escalate]", "[escalate, bind]"}, []string{"rbac/escalation-verbs"}},
		"another role":    {[]string{"name: reader\nsubjects", "name: editor\nsubjects"}, []string{"pod/default-account-bound"}},
		// Nothing binds the role then, so its rule has the finding.
		"the largest role": {[]string{"name: editor\nsubjects", "name: cluster-admin\nsubjects"}, []string{"rbac/cluster-admin-grant", "rbac/escalation-verbs"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.NewReplacer(test.change...).Replace(holdersWorld)
			if changed == holdersWorld && name != "nothing" {
				t.Fatal("the change does not match")
			}
			var got []string
			for fingerprint, rule := range fingerprintsIn(t, changed) {
				if before[fingerprint] == "" {
					got = append(got, rule)
				}
			}
			if diff := cmp.Diff(test.want, sorted(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fingerprintsIn returns the rules of the warnings in a file by their fingerprints.
func fingerprintsIn(t *testing.T, manifests string) map[string]string {
	t.Helper()
	s, err := NewSession(context.Background(), Options{
		PolicyCache: policies, Tree: loadertest.Repository{Tree: tree{"rbac.yaml": manifests}},
		Config: settings.Default(), Target: "olm-1.11", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range out.Findings {
		if f.Severity != finding.Note {
			found[f.Fingerprint()] = f.Rule
		}
	}
	return found
}

// sorted returns the texts in order, each once; nil if there are none.
func sorted(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	set := map[string]bool{}
	for _, text := range texts {
		set[text] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// TestFingerprintsOfExtents widens the one rule of a role, and checks that a baseline with the finding does not hide the wider one.
func TestFingerprintsOfExtents(t *testing.T) {
	t.Parallel()
	const world = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: wide}
rules:
  - {RULE}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: wide}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: wide}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
`
	const accounts = `apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]`
	tests := map[string]struct {
		before, after string
		known         bool // the finding is the same
	}{
		"users beside accounts":         {accounts, `apiGroups: [""], resources: [serviceaccounts, users], verbs: [impersonate]`, false},
		"users in a second rule":        {accounts, accounts + "}\n  - {" + `apiGroups: [""], resources: [users], verbs: [impersonate]`, false},
		"the same rule twice":           {accounts, accounts + "}\n  - {" + accounts, true},
		"an administrative role":        {"apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind], resourceNames: [cluster-admin]", "apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind], resourceNames: [cluster-admin, admin]", false},
		"the names in another sequence": {"apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind], resourceNames: [admin, cluster-admin]", "apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind], resourceNames: [cluster-admin, admin]", true},
		"any extension":                 {"apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [update], resourceNames: [a]", "apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [update]", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := fingerprintsIn(t, strings.Replace(world, "RULE", test.before, 1))
			after := fingerprintsIn(t, strings.Replace(world, "RULE", test.after, 1))
			if len(after) == 0 {
				t.Fatal("nothing is found")
			}
			known := true
			for fingerprint := range after {
				known = known && before[fingerprint] != ""
			}
			if known != test.known {
				t.Errorf("hidden by a baseline: %v\nbefore %v\nafter %v", known, before, after)
			}
		})
	}
}
