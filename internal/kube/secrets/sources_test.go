package secrets_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/secrets"
)

const secretSources = `{apiVersion: v1, kind: Secret, metadata: {name: registry-pull, namespace: shop}, type: kubernetes.io/dockerconfigjson}
---
{apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: {name: registry-pull, namespace: infra}, spec: {template: {type: kubernetes.io/dockercfg, metadata: {annotations: {reflector.v1.k8s.emberstack.com/reflection-allowed: "true"}}}}}
---
{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: a, namespace: shop}, spec: {target: {name: database}}}
---
{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: merged, namespace: shop}, spec: {target: {creationPolicy: Merge}}}
---
{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: b, namespace: shop}, spec: {secretName: web-certificate}}
---
{apiVersion: example.com/v1, kind: Certificate, metadata: {name: c, namespace: shop}, spec: {secretName: other-certificate}}
---
{apiVersion: v1, kind: Secret, metadata: {name: anywhere}}
`

func TestLike(t *testing.T) {
	t.Parallel()
	unit := unitOf(t, secretSources)
	for name, want := range map[string][]string{
		"registry-pull":    {"Secret shop/registry-pull metadata.name kubernetes.io/dockerconfigjson false", "SealedSecret infra/registry-pull metadata.name kubernetes.io/dockercfg true"},
		"regisrty-pull":    {"Secret shop/registry-pull metadata.name kubernetes.io/dockerconfigjson false"},
		"databse":          {"ExternalSecret shop/database spec.target.name  false"},
		"web-certificates": {"Certificate shop/web-certificate spec.secretName  false"},
		"merged":           nil,
		"other":            nil,
		"anywhere":         {"Secret /anywhere metadata.name  false"},
	} {
		var got []string
		for _, s := range secrets.Like(unit, "shop", name) {
			got = append(got, fmt.Sprintf("%s %s/%s %s %s %t", s.Object.Kind, s.Namespace, s.Name, s.Path, s.Type, s.Copied))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestMayExist(t *testing.T) {
	t.Parallel()
	unit := unitOf(t, secretSources)
	for secret, want := range map[[2]string]bool{
		{"shop", "registry-pull"}: true, {"infra", "registry-pull"}: true, {"web", "registry-pull"}: false,
		{"shop", "database"}: true, {"shop", "a"}: false, {"shop", "other-certificate"}: false, {"any", "anywhere"}: true,
	} {
		if got := secrets.MayExist(unit, secret[0], secret[1]); got != want {
			t.Errorf("%v: %t", secret, got)
		}
	}
	for _, text := range []string{
		"{apiVersion: external-secrets.io/v1, kind: ClusterExternalSecret, metadata: {name: a}}",
		"{apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: a}}",
		`{apiVersion: v1, kind: Secret, metadata: {name: "${NAME}"}}`,
	} {
		if !secrets.MayExist(unitOf(t, text), "shop", "database") {
			t.Errorf("%s can create any Secret", text)
		}
	}
}

func unitOf(t *testing.T, text string) *objects.Unit {
	t.Helper()
	return assembly.Units(objectstest.In(t, "a.yaml", text), nil)[0]
}
