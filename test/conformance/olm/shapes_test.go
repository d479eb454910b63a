package olm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/server"
)

// TestShapes installs bundles of all shapes that exist, with what `salint preflight --format yaml` prints for each, and deletes
// them. Without that, operator-controller v1.10 must report exactly what `salint preflight` reports as missing.
//
// The experimental manifests switch all gates on. Without a kubelet, only the Helm runtime installs anything.
func TestShapes(t *testing.T) {
	s := begin(t, "shapes/shared", olm.V1_10)
	s.must(s.RunExperimental(s.ctx, olm.V1_10, "BoxcutterRuntime=false"))
	webhooks := s.newShape("webhooks", "shapes/webhooks/1.0.0")
	own := s.newShape("own", "bundles/1.0.0", withoutMode("AllNamespaces"), withoutMode("SingleNamespace"))
	single := s.newShape("single", "bundles/1.0.0", withoutMode("AllNamespaces"), withoutMode("OwnNamespace"))
	chart, hookless := s.newChart("chart"), s.newChart("hookless")
	first := s.newShape("first", "bundles/1.0.0")
	second := s.newShape("second", "bundles/1.0.0")
	serviceCA := s.newShape("serviceca", "shapes/webhooks/1.0.0")
	watching := s.newShape("watching", "bundles/1.0.0", withoutMode("AllNamespaces"), withoutMode("SingleNamespace"))
	both := s.newShape("both", "bundles/1.0.0")
	ungated := s.newChart("ungated")
	s.must(s.Publish(s.ctx, webhooks.bundle, own.bundle, single.bundle, chart.bundle, first.bundle, second.bundle, serviceCA.bundle,
		watching.bundle, ungated.bundle, hookless.bundle, both.bundle))

	t.Run("webhooks", func(t *testing.T) { s.in(t).withCertManager(webhooks) })
	t.Run("own namespace", func(t *testing.T) {
		own.watch(s.in(t), "own")
		s.in(t).installsAndDeletes(own, "Role own/", "RoleBinding own/")
	})
	t.Run("single namespace", func(t *testing.T) {
		single.watch(s.in(t), "kube-system")
		s.in(t).installsAndDeletes(single, "Role kube-system/", "RoleBinding kube-system/")
	})
	t.Run("chart", func(t *testing.T) { s.in(t).installsChart(chart) })
	t.Run("chart without permission for its hook", func(t *testing.T) { s.in(t).skipsHook(hookless) })
	t.Run("shared account", func(t *testing.T) { s.in(t).sharing(first, second) })

	s.must(s.RunExperimental(s.ctx, olm.V1_10, "BoxcutterRuntime=false", "SingleOwnNamespaceInstallSupport=false", "HelmChartSupport=false",
		"WebhookProviderCertManager=false", "WebhookProviderOpenshiftServiceCA=true"))
	t.Run("webhooks with the service CA", func(t *testing.T) {
		serviceCA.flags = append(serviceCA.flags, "--certificates", "service-ca")
		s.in(t).installsAndDeletes(serviceCA, "ValidatingWebhookConfiguration /validate.serviceca", "Service serviceca/serviceca-service")
	})
	t.Run("gates off", func(t *testing.T) {
		watching.watch(s.in(t), "watching")
		s.in(t).refusedByGate(watching, "bundle does not support AllNamespaces install mode", "SingleOwnNamespaceInstallSupport")
		s.in(t).refusedByGate(ungated, "operation on artifact with type \"application/vnd.cncf.helm.config.v1+json\"", "HelmChartSupport")
		// An operator that can watch all namespaces needs no gate to watch one, only a definition with spec.config, which salint must see:
		// the standard one of the release has none.
		both.watch(s.in(t), "kube-system")
		s.must(os.WriteFile(filepath.Join(both.repository, "definition.yaml"), []byte(s.Definition("clusterextensions.olm.operatorframework.io")), 0o600))
		s.in(t).installsAndDeletes(both, "Role kube-system/")
	})
}

// shape is an extension with the names of a copy, in a repository of its own.
type shape struct {
	less
	bundle olm.Bundle
	folder string
	flags  []string // of salint preflight
}

// withoutMode returns the texts that replace an install mode of a bundle.
func withoutMode(mode string) []string {
	return []string{"type: " + mode + ", supported: true", "type: " + mode + ", supported: false"}
}

// newShape makes a copy of the extension for a bundle of testdata.
func (s *story) newShape(name, bundle string, replaced ...[]string) *shape {
	s.t.Helper()
	all := []string{"sample", name}
	for _, pair := range replaced {
		all = append(all, pair...)
	}
	b, err := olm.ReadBundle(filepath.Join("testdata", filepath.FromSlash(bundle)), all...)
	s.must(err)
	return s.shapeOf(name, b)
}

// newChart makes a copy of the extension for the chart of testdata.
func (s *story) newChart(name string) *shape {
	s.t.Helper()
	b, err := olm.ReadChart(filepath.Join("testdata", "shapes", "chart"), "sample", name)
	s.must(err)
	return s.shapeOf(name, b)
}

func (s *story) shapeOf(name string, b olm.Bundle) *shape {
	s.t.Helper()
	return &shape{less: less{name: name, repository: s.copy("shapes/repository", "sample", name)}, bundle: b, folder: s.bundleFolder(b)}
}

// watch sets the namespace that the operator watches.
func (sh *shape) watch(s *story, namespace string) {
	s.t.Helper()
	replace(s, sh.repository, "  serviceAccount:", "  config: {configType: Inline, inline: {watchNamespace: "+namespace+"}}\n  serviceAccount:")
}

// preflight returns the answer of `salint preflight` for the repository as it is.
func (s *story) preflight(sh *shape, format string, flags ...string) string {
	s.t.Helper()
	args := append([]string{"preflight", "--extension", sh.name, "--bundle", sh.folder, "--format", format}, sh.flags...)
	return s.salintIn(sh.repository, "", append(args, flags...)...)
}

// missing returns what `salint preflight` reports as missing.
func (s *story) missing(sh *shape) []scoped {
	s.t.Helper()
	var answer struct{ Missing []scoped }
	s.must(json.Unmarshal([]byte(s.preflight(sh, "json")), &answer))
	return answer.Missing
}

// grantFile writes a file with permissions into the repository of a shape, and applies the repository.
func (s *story) grantFile(sh *shape, file, manifests string) {
	s.t.Helper()
	s.must(os.WriteFile(filepath.Join(sh.repository, file), []byte(manifests), 0o600))
	s.applyFolders(sh.repository)
}

// installsAndDeletes expects that an extension is refused without permissions, installed with those that salint prints, with
// objects whose names begin as given, and deleted.
func (s *story) installsAndDeletes(sh *shape, objects ...string) {
	s.t.Helper()
	s.expectDenied(sh)
	s.installs(sh, objects...)
	s.must(s.Remove(s.ctx, sh.name))
}

// expectDenied applies the repository. The controller must report exactly what salint does.
func (s *story) expectDenied(sh *shape) {
	s.t.Helper()
	s.applyFolders(sh.repository)
	failure := s.awaitFailureWith(sh.name, preauthorization)
	if denied, missing := s.errorsOf(sh.less, failure), s.missing(sh); !sameRules(denied, missing) {
		s.t.Errorf("%s\npreflight --errors: %v\npreflight: %v", failure, denied, missing)
	}
}

// installs grants what salint prints.
func (s *story) installs(sh *shape, objects ...string) {
	s.t.Helper()
	s.grantFile(sh, "permissions.yaml", s.preflight(sh, "yaml"))
	if missing := s.missing(sh); len(missing) > 0 {
		s.t.Errorf("after its own manifests were applied, preflight reports %v", missing)
	}
	s.retry(sh.name)
	s.must(s.AwaitInstalled(s.ctx, sh.name, sh.bundle.Version))
	s.expectObjects(sh.name, objects...)
}

// expectObjects expects installed objects whose kind, namespace, and name begin with a text.
func (s *story) expectObjects(extension string, beginnings ...string) {
	s.t.Helper()
	objects, err := s.Objects(s.ctx, extension)
	s.must(err)
	for _, beginning := range beginnings {
		found := false
		for name := range objects {
			found = found || strings.HasPrefix(name, beginning)
		}
		if !found {
			s.t.Errorf("extension %s has no %s; installed are %v", extension, beginning, objects)
		}
	}
}

// withCertManager installs a bundle with webhooks, for which cert-manager's kinds must exist.
func (s *story) withCertManager(sh *shape) {
	definitions, err := os.ReadFile(filepath.Join("testdata", "shapes", "certmanager.yaml"))
	s.must(err)
	s.must(s.Apply(s.ctx, server.Admin, string(definitions)))
	s.kubectl("wait", "--for=condition=Established", "crd/issuers.cert-manager.io", "crd/certificates.cert-manager.io")
	s.expectDenied(sh)
	s.installs(sh, "ValidatingWebhookConfiguration /validate.webhooks", "MutatingWebhookConfiguration /mutate.webhooks", "Service webhooks/webhooks-service")
	const list = "--output=jsonpath={range .items[*]}{.kind}/{.metadata.name} {end}"
	certificates := []string{"get", "issuers.cert-manager.io,certificates.cert-manager.io", "--namespace=webhooks", list}
	if found, want := s.kubectl(certificates...), "Issuer/webhooks-service-cert-selfsigned-issuer Certificate/webhooks-service-cert "; found != want {
		s.t.Errorf("the certificates are %q, want %q", found, want)
	}
	const strategy = "--output=jsonpath={.spec.conversion.strategy}"
	if found := s.kubectl("get", "crd", "lamps.webhooks.example.com", strategy); found != "Webhook" {
		s.t.Errorf("the definition converts by %q, want Webhook", found)
	}
	s.must(s.Remove(s.ctx, sh.name))
	s.must(wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		out, err := s.Kubectl(ctx, server.Admin, "", certificates...)
		return out == "", err
	}))
}

// installsChart installs a Helm chart. OLM does not own what Helm applies separately, so the hook and the definition in the
// folder crds stay when the extension is deleted, as notes of `salint preflight` say.
func (s *story) installsChart(sh *shape) {
	s.deniedWithoutHook(sh)
	s.installs(sh, "Deployment chart/chart", "Role kube-system/chart", "RoleBinding kube-system/chart")
	s.kubectl("get", "configmap", "chart-prepared", "--namespace=chart")
	s.must(s.Remove(s.ctx, sh.name))
	s.kubectl("get", "configmap", "chart-prepared", "--namespace=chart")
	s.kubectl("get", "crd", "lamps.chart.example.com")
}

// skipsHook grants what the controller reports as missing. It does not report the permissions for the hook. The hook then
// fails, and the controller tries an upgrade, for which Helm does not run this hook: the chart is installed without it.
func (s *story) skipsHook(sh *shape) {
	var documents []string
	for i, one := range s.deniedWithoutHook(sh) {
		documents = append(documents, s.roleFor(fmt.Sprintf("denied-%d", i), sh.name, one)...)
	}
	s.grantFile(sh, "denied.yaml", strings.Join(documents, "\n---\n"))
	s.retry(sh.name)
	s.must(s.AwaitInstalled(s.ctx, sh.name, sh.bundle.Version))
	if out := s.kubectl("get", "configmaps", "--namespace="+sh.name, "--output=name"); strings.Contains(out, "prepared") {
		s.t.Errorf("the hook was run without permission: %s", out)
	}
	if len(s.missing(sh)) == 0 {
		s.t.Error("preflight reports nothing as missing, but the hook cannot be created")
	}
}

// deniedWithoutHook applies the repository of a chart. The controller must report what salint does, except for the hook. It
// returns what the controller reports.
func (s *story) deniedWithoutHook(sh *shape) []scoped {
	s.t.Helper()
	s.applyFolders(sh.repository)
	failure := s.awaitFailureWith(sh.name, preauthorization)
	denied, missing := s.errorsOf(sh.less, failure), s.missing(sh)
	if unknown := uncovered(denied, missing); len(denied) == 0 || len(unknown) > 0 {
		s.t.Errorf("%s\npreflight does not report %v", failure, unknown)
	}
	for _, rule := range rulesOf(uncovered(missing, denied)) {
		if !slices.Equal(rule.Resources, []string{"configmaps"}) {
			s.t.Errorf("%s\nbut preflight reports %v, which is not about the hook", failure, rule)
		}
	}
	return denied
}

// sharing installs two extensions with one account, and removes one of them with its permissions, as a GitOps tool does. With
// --all, the manifests for an extension do not depend on those for the other, which must keep working.
func (s *story) sharing(first, second *shape) {
	first.repository, second.repository = s.repository, s.repository
	s.expectDenied(first)
	s.grantFile(first, "first-permissions.yaml", s.preflight(first, "yaml", "--all"))
	s.expectRest(second, s.preflight(second, "yaml"))
	s.grantFile(second, "second-permissions.yaml", s.preflight(second, "yaml", "--all"))
	for _, sh := range []*shape{first, second} {
		s.retry(sh.name)
		s.must(s.AwaitInstalled(s.ctx, sh.name, "1.0.0"))
	}

	old := s.documents(s.repository)
	s.must(os.Remove(filepath.Join(s.repository, "first.yaml")))
	s.must(os.Remove(filepath.Join(s.repository, "first-permissions.yaml")))
	s.expect(second.name, reconciled)
	s.prune(old)
	s.must(s.AwaitRemoved(s.ctx, first.name))
	if missing := s.missing(second); len(missing) > 0 {
		s.t.Errorf("without the permissions of the first extension, preflight reports %v for the second", missing)
	}
	s.expectRepair(second.name, "configmap", "second-settings", "tools")
}

// expectRest expects that manifests without --all do not repeat what another extension's manifests grant, so that they are not
// enough without these, and that a note says so.
func (s *story) expectRest(sh *shape, manifests string) {
	s.t.Helper()
	alone := *sh
	alone.repository = s.copy("shapes/shared")
	s.must(os.WriteFile(filepath.Join(alone.repository, "rest.yaml"), []byte(manifests), 0o600))
	if !strings.Contains(manifests, "the account also installs") {
		s.t.Errorf("no note about the other extension:\n%s", manifests)
	}
	if len(s.missing(&alone)) == 0 {
		s.t.Errorf("the manifests repeat what is granted for the other extension:\n%s", manifests)
	}
}

// expectRepair deletes an object that OLM installed for an extension. OLM must create it again.
func (s *story) expectRepair(extension, kind, name, namespace string) {
	s.t.Helper()
	s.kubectl("delete", kind, name, "--namespace="+namespace)
	var last error
	err := wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, last = s.Kubectl(ctx, server.Admin, "", "get", kind, name, "--namespace="+namespace)
		return last == nil, nil
	})
	if err != nil {
		e, unknown := s.Extension(s.ctx, extension)
		s.t.Errorf("OLM does not create %s %s again: %v\n%v %v", kind, name, last, e, unknown)
	}
}

// refusedByGate expects that the controller refuses a bundle that needs a gate, and that salint names the gate.
func (s *story) refusedByGate(sh *shape, reason, gate string) {
	s.t.Helper()
	s.applyFolders(sh.repository)
	s.awaitFailureWith(sh.name, reason)
	if text := s.preflight(sh, "text"); !strings.Contains(text, "the feature gate "+gate) {
		s.t.Errorf("preflight does not name the gate %s:\n%s", gate, text)
	}
}
