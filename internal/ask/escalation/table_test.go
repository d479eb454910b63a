package escalation

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
)

// TestStepsOfTheTable checks that each power of the table that is a step is one, alone or together with others, and that the others are none.
func TestStepsOfTheTable(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, does := range []OLM{OLMNamed, OLMAdmin} {
		// Changing a role is enough for a holder of it; creating one is a step for those who cannot, and who can bind it by name.
		for _, held := range []string{
			grantee("me", "", rulesOf("")), grantee("me", "", rulesOf("change clusterroles")), grantee("me", "ns", rulesOf("")),
		} {
			w := NewWorld(unit(t, powerful+bosses+applied+held), Options{OLM: func(*objects.Object) OLM { return does }})
			for _, n := range w.nodes {
				for _, e := range n.from {
					if e.step == nil || e.from.subject.Name != "me" {
						continue
					}
					for _, grant := range e.step.Grants {
						taken[key(grant.Rule.Verbs, grant.Rule.APIGroups, grant.Rule.Resources, ofObject(grant.Rule.ResourceNames))] = true
					}
				}
			}
		}
	}
	for _, p := range danger.Powers() {
		if got := taken[key(p.Verbs, []string{p.Group}, p.Resources, ofObject([]string{p.Object}))]; got != (p.Reach != danger.Ranked) {
			t.Errorf("%s: a step: %t", p.Name, got)
		}
	}
}

// ofObject are the names of a rule that is about one object.
func ofObject(names []string) []string {
	of := func(p *danger.Power) bool { return p.Object != "" && slices.Contains(names, p.Object) }
	if !slices.ContainsFunc(danger.Powers(), of) {
		return nil
	}
	return names
}

// applied are objects of Flux that take something from each kind of source. None of the sources exists.
const applied = `
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: git, namespace: ns}
spec: {sourceRef: {kind: GitRepository, name: source}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: bucket, namespace: ns}
spec: {sourceRef: {kind: Bucket, name: source}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: artifact, namespace: ns}
spec: {sourceRef: {kind: ExternalArtifact, name: source}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: oci, namespace: ns}
spec: {chartRef: {kind: OCIRepository, name: source}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: chart, namespace: ns}
spec: {chartRef: {kind: HelmChart, name: source}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: repository, namespace: ns}
spec: {chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: source}}}}
`

// bosses are a group and a node that are cluster-admin.
const bosses = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: bosses}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: bosses, apiGroup: rbac.authorization.k8s.io}, {kind: User, name: "system:node:one", apiGroup: rbac.authorization.k8s.io}]
`

// rulesOf returns one rule for each power of the table that is a step, but one.
func rulesOf(without string) string {
	var list []string
	for _, p := range danger.Powers() {
		names := p.Object
		if without != "" && p.Name == "bind on clusterroles" {
			names = "new"
		}
		if p.Name == without || p.Reach == danger.Ranked {
			continue
		}
		list = append(list, "{verbs: ["+strings.Join(p.Verbs, ", ")+"], apiGroups: ["+strconv.Quote(p.Group)+"], resources: ["+
			strings.Join(quoted(p.Resources), ", ")+"], resourceNames: ["+names+"]}")
	}
	return rules(append(list, "{verbs: ['impersonate-on:user-info:create', 'impersonate-on:serviceaccount:create', 'impersonate-on:arbitrary-node:create'], apiGroups: ['*'], resources: ['*']}")...)
}

func key(lists ...[]string) string {
	var b strings.Builder
	for _, list := range lists {
		b.WriteString(strings.Join(list, ",") + ";")
	}
	return b.String()
}
