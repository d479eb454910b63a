package olm_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/world"
)

var (
	developer = world.Identity{User: "ada", Groups: []string{"developers", "system:authenticated"}}
	operator  = world.Identity{User: "ops", Groups: []string{"operations", "system:authenticated"}}
)

// TestAccessPolicy applies what `salint init access-policy` writes. On v1.11, where OLM acts as a cluster-admin, developers
// must be able to install and upgrade the extension of the repository, and nothing else. Administrators are not limited.
func TestAccessPolicy(t *testing.T) {
	s := begin(t, "accesspolicy", olm.V1_11)
	// The experimental definition of extensions has all fields. Without a kubelet, only the Helm runtime installs anything.
	s.must(s.RunExperimental(s.ctx, olm.V1_11, "BoxcutterRuntime=false"))
	s.must(s.Publish(s.ctx, append(s.bundles(), s.bundles("sample", "other")...)...))
	s.writePolicy()
	extension := s.read("extension.yaml")
	other := strings.ReplaceAll(extension, "sample", "other")
	s.awaitRefusal(other)

	s.must(s.Apply(s.ctx, developer, extension))
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.0.0"))
	s.expectObject("Deployment sample/sample", true)
	s.expectRefusals(extension)
	s.must(s.Apply(s.ctx, developer, strings.Replace(extension, "version: 1.0.0", "version: 1.1.0", 1)))
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))
	s.expectObject("Service sample/sample-metrics", true)

	s.must(s.Apply(s.ctx, operator, "{apiVersion: v1, kind: Namespace, metadata: {name: other}}"))
	s.must(s.Apply(s.ctx, operator, other))
	s.must(s.AwaitInstalled(s.ctx, "other", "1.0.0"))
	s.expectForbidden(developer, "the extension of an administrator", strings.Replace(other, "version: 1.0.0", "version: 1.1.0", 1))
	s.must(s.AwaitInstalled(s.ctx, "other", "1.0.0"))
	s.must(s.Apply(s.ctx, operator, strings.Replace(extension, "version: 1.0.0", "version: 1.x", 1)))
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))

	// With pinned versions, developers can install the version of the repository only.
	s.edit("extension.yaml", "version: 1.0.0", "version: 1.1.0")
	s.writePolicy("--pin-versions")
	s.awaitRefusal(extension)
	s.must(s.Apply(s.ctx, developer, s.read("extension.yaml")))
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))
}

// writePolicy writes the policy for developers, and applies the repository without its extension.
func (s *story) writePolicy(args ...string) {
	s.t.Helper()
	s.write("policy.yaml", s.salint(append([]string{"init", "access-policy", "--subject", "Group:developers", "--with-access", "--output", "-"}, args...)...))
	var documents []string
	for _, document := range s.documents(s.repository) {
		if !strings.Contains(document, "kind: ClusterExtension\n") {
			documents = append(documents, document)
		}
	}
	s.applyDocuments(documents)
	s.must(s.Settle(s.ctx))
}

// awaitRefusal waits until the policy refuses an extension of a developer, which it does some time after it was applied.
func (s *story) awaitRefusal(extension string) {
	s.t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, last = s.Kubectl(ctx, developer, extension, "apply", "--server-side", "--dry-run=server", "--filename=-")
		return last != nil && strings.Contains(last.Error(), "olm-extension-access"), nil
	})
	if err != nil {
		s.t.Fatalf("the policy refuses nothing: %v\n%v", err, last)
	}
}

// expectRefusals expects that developers cannot install anything else, or in another way, by other extensions or by the one
// that they can write.
func (s *story) expectRefusals(extension string) {
	s.t.Helper()
	const selector = "      selector:\n        matchLabels:\n          olm.operatorframework.io/metadata.name: test\n"
	for _, change := range []struct{ what, old, new string }{
		{"another package", "packageName: sample", "packageName: other"},
		{"another namespace", "namespace: sample", "namespace: olmv1-system"},
		{"another catalog", "metadata.name: test", "metadata.name: another"},
		{"any catalog", selector, ""},
		{"any catalog, by an expression", selector, "      selector: {matchExpressions: [{key: extra, operator: DoesNotExist}]}\n"},
		{"an account", "  source:", "  serviceAccount: {name: installer}\n  source:"},
		{"a configuration", "  source:", "  config: {configType: Inline, inline: {watchNamespace: sample}}\n  source:"},
		{"no check of definitions", "  source:", "  install: {preflight: {crdUpgradeSafety: {enforcement: None}}}\n  source:"},
		{"a downgrade", "      version:", "      upgradeConstraintPolicy: SelfCertified\n      version:"},
	} {
		if !strings.Contains(extension, change.old) {
			s.t.Fatalf("the extension does not contain %q", change.old)
		}
		changed := strings.Replace(extension, change.old, change.new, 1)
		s.expectForbidden(developer, change.what, changed)
		s.expectForbidden(developer, change.what, strings.Replace(changed, "name: sample", "name: intruder", 1))
		s.expectAccepted(operator, change.what, strings.Replace(changed, "name: sample", "name: intruder", 1))
	}
	s.expectForbidden(developer, "a catalog", "{apiVersion: olm.operatorframework.io/v1, kind: ClusterCatalog, metadata: {name: test}, spec: {priority: 1}}")
	if out, err := s.Kubectl(s.ctx, developer, "", "delete", "clusterextension", "sample"); err == nil {
		s.t.Errorf("a developer can delete an extension, and all its custom resources: %s", out)
	}
	outsider := world.Identity{User: "eve", Groups: []string{"system:authenticated"}}
	s.expectForbidden(outsider, "the same extension, written by someone else,", extension)
	if left := s.kubectl("get", "clusterextensions", "--output=jsonpath={.items[*].metadata.name}"); left != "sample" {
		s.t.Errorf("there are the extensions %s, want sample only", left)
	}
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.0.0"))
}

// expectForbidden expects that the API server forbids a user to apply a manifest, or everyone, because it would change a field
// that never changes.
func (s *story) expectForbidden(who world.Identity, what, manifest string) {
	s.t.Helper()
	err := s.Apply(s.ctx, who, manifest)
	if err == nil || !strings.Contains(err.Error(), "orbidden") && !strings.Contains(err.Error(), "is immutable") {
		s.t.Errorf("%s can apply %s: %v", who.User, what, err)
	}
}

// expectAccepted expects that the API server would accept a manifest.
func (s *story) expectAccepted(who world.Identity, what, manifest string) {
	s.t.Helper()
	if _, err := s.Kubectl(s.ctx, who, manifest, "apply", "--server-side", "--dry-run=server", "--filename=-"); err != nil {
		s.t.Errorf("%s cannot apply %s: %v", who.User, what, err)
	}
}
