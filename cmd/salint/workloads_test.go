package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/golden"
)

// manifestWith returns an object with fields at a path, and the line on which they begin. A step [objects.AnyItem] becomes
// the second item of a list.
func manifestWith(group, kind string, path manifest.Path, fields ...string) (text string, line int) {
	lines := []string{"apiVersion: " + strings.TrimPrefix(group+"/v1", "/"), "kind: " + kind, "metadata:", "  name: web"}
	indent := ""
	for _, step := range path {
		if step == objects.AnyItem {
			lines = append(lines, indent+"- name: first", indent+"- name: second")
		} else {
			lines = append(lines, indent+step+":")
		}
		indent += "  "
	}
	line = len(lines) + 1
	for _, field := range fields {
		lines = append(lines, indent+field)
	}
	return strings.Join(lines, "\n") + "\n", line
}

// linted runs a command line over a tree, and returns the places of a rule's findings and the tree afterwards.
func linted(t *testing.T, tree map[string]string, line, rule string) (places []string, after map[string]string) {
	t.Helper()
	dir := t.TempDir()
	golden.WriteFolder(t, dir, tree)
	makeRepository(t, dir)
	out := runLine(dir, line)
	for _, found := range regexp.MustCompile(`(?m)^(\S+:\d+):\d+: .*\[(\S+)\]$`).FindAllStringSubmatch(out, -1) {
		if found[2] == rule {
			places = append(places, found[1])
		}
	}
	slices.Sort(places)
	return places, golden.ReadFolder(t, dir)
}

// aliasWithoutEffect lists the kinds whose operator sets serviceAccountName in every pod, so that the alias alone has no effect.
var aliasWithoutEffect = map[string]bool{"Grafana": true, "MPIJob": true}

// For every kind that embeds a pod, the deprecated account is reported at its line and fixed, wherever the pod is. Fields
// of the same name around the pod are not.
func TestAliasOfEveryWorkload(t *testing.T) {
	t.Parallel()
	tree, fixed := map[string]string{}, map[string]string{}
	var want []string
	for i, kind := range objects.Workloads() {
		file := fmt.Sprintf("%02d-%s.yaml", i, strings.ToLower(kind.Kind))
		text, line := manifestWith(kind.Group, kind.Kind, kind.Path, "containers: []", "serviceAccount: web # why")
		const beside = "serviceAccount: no pod's\n"
		tree[file] = text + beside
		if aliasWithoutEffect[kind.Kind] {
			fixed[file] = tree[file]
			continue
		}
		fixed[file] = strings.ReplaceAll(text, "serviceAccount:", "serviceAccountName:") + beside
		want = append(want, fmt.Sprintf("%s:%d", file, line+1))
	}
	slices.Sort(want)
	places, _ := linted(t, tree, "lint --group none --target olm-1.11", "pod/service-account-alias")
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	_, after := linted(t, tree, "lint --fix --group none --target olm-1.11", "pod/service-account-alias")
	if diff := cmp.Diff(fixed, after); diff != "" {
		t.Errorf("fixed (-want +got):\n%s", diff)
	}
}

// embedsPod reports whether a kind has a pod at a path. An InferenceService has one in another.
func embedsPod(group, kind string, path manifest.Path) bool {
	return slices.ContainsFunc(objects.Workloads(), func(w objects.PodSpecKind) bool {
		return w.Group == group && w.Kind == kind && w.Path.String() == path.String()
	})
}

// The field has another meaning in a kind of the same name in another group, beside a pod, and in kinds that only look as
// if they embedded one.
func TestAliasOfLookAlikes(t *testing.T) {
	t.Parallel()
	tree := map[string]string{}
	add := func(group, kind string, path ...string) {
		tree[fmt.Sprintf("%02d.yaml", len(tree))], _ = manifestWith(group, kind, path, "containers: []", "serviceAccount: web")
	}
	for _, kind := range objects.Workloads() {
		add("example.com", kind.Kind, kind.Path...)
		if outer := kind.Path[:len(kind.Path)-1]; !embedsPod(kind.Group, kind.Kind, outer) {
			add(kind.Group, kind.Kind, outer...)
		}
		add(kind.Group, kind.Kind, kind.Path.Join("containers", objects.AnyItem)...)
	}
	for kind, path := range map[string]manifest.Path{
		"opentelemetry.io/OpenTelemetryCollector": {"spec"},
		"opentelemetry.io/TargetAllocator":        {"spec"},
		"helm.toolkit.fluxcd.io/HelmRelease":      {"spec", "values"},
		"external-secrets.io/SecretStore":         {"spec", "provider", "vault", "auth", "kubernetes"},
		"grafana.integreatly.org/Grafana":         {"spec"},
		"keda.sh/KedaController":                  {"spec"},
		"sparkoperator.k8s.io/SparkApplication":   {"spec", "driver"},
		"build.openshift.io/BuildConfig":          {"spec"},
		"argoproj.io/Workflow":                    {"spec"},
	} {
		group, name, _ := strings.Cut(kind, "/")
		add(group, name, path...)
	}
	places, after := linted(t, tree, "lint --fix --group none --target olm-1.11", "pod/service-account-alias")
	for _, place := range places {
		file, _, _ := strings.Cut(place, ":")
		t.Errorf("%s is treated as a field of a pod:\n%s", place, tree[file])
	}
	if diff := cmp.Diff(tree, after); diff != "" {
		t.Errorf("changed (-before +after):\n%s", diff)
	}
}
