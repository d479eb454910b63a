package olm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
)

// syntheticPermissions is the gate with which v1.10 reads the account name olm.synthetic-user as the synthetic identity.
const syntheticPermissions = "SyntheticPermissions=true"

// proposed is v1.10 as OpenShift's proposal of synthetic identities describes the model `synthetic`, which no release has: an
// extension without the field is accepted and has the synthetic identity, and a live extension can change to that. Only the
// definition differs from the release. It sets the placeholder where the field is missing.
var proposed = olm.V1_10.Changed(
	"                  The serviceAccount field is required.\n                properties:\n                  name:\n",
	"                default: {name: olm.synthetic-user}\n                properties:\n                  name:\n",

	`                        - some-serviceaccount-

                      [RFC 1123]: https://tools.ietf.org/html/rfc1123
                    maxLength: 253
                    type: string
                    x-kubernetes-validations:
                    - message: name is immutable
                      rule: self == oldSelf
`,
	`                    maxLength: 253
                    type: string
                    x-kubernetes-validations:
`,
)

// placeholderAccount is the account of that name, which v1.10 requires although it does not act as it.
const placeholderAccount = `apiVersion: v1
kind: ServiceAccount
metadata: {name: olm.synthetic-user, namespace: NAMESPACE}
`

// allowImpersonation grants the controller what the gate requires.
func (s *story) allowImpersonation() {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "impersonation.yaml"))
	s.must(err)
	s.must(s.Apply(s.ctx, server.Admin, string(text)))
	s.must(s.Settle(s.ctx))
}

// initGit makes the repository one of git. Only there does salint read files outside of the paths of its command line.
func (s *story) initGit() {
	s.t.Helper()
	if out, err := exec.Command("git", "-C", s.repository, "init", "--quiet").CombinedOutput(); err != nil {
		s.t.Fatalf("git init: %v\n%s", err, out)
	}
}

// publishFor publishes a copy of the bundles for each name, which is that of its package and of all objects in it.
func (s *story) publishFor(names ...string) {
	s.t.Helper()
	var all []olm.Bundle
	for _, name := range names {
		all = append(all, s.bundles("sample", name)...)
	}
	s.must(s.Publish(s.ctx, all...))
}

// TestSynthetic moves extensions from their accounts to synthetic identities, with the steps of `salint plan`: it grants and removes the
// field, and then prunes the accounts. The extensions are never interrupted, and nothing is installed again. What
// the controller then writes, it writes as the synthetic identities.
func TestSynthetic(t *testing.T) {
	s := begin(t, "synthetic", olm.V1_10)
	s.initGit()
	s.must(s.Run(s.ctx, proposed, syntheticPermissions))
	s.allowImpersonation()
	names := []string{"admin", "least", "first", "second", "elsewhere"}
	s.publishFor(names...)
	for _, namespace := range []string{"admin", "least", "shared", "elsewhere"} {
		s.must(s.Apply(s.ctx, server.Admin, "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+namespace+"}\n"))
		s.must(s.Apply(s.ctx, server.Admin, strings.ReplaceAll(placeholderAccount, "NAMESPACE", namespace)))
	}
	s.grantLeast()
	s.apply()
	before := map[string]installation{}
	for _, name := range names {
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
		before[name] = s.installation(name)
		s.expect(name, uninterrupted)
	}

	commands := s.commands("olm-1.10", "synthetic")
	s.salint(salint.Words(s.command(commands, "salint lint --fix --target"))[1:]...)
	s.apply()
	for _, name := range names {
		s.expectAccount(name, "olm.synthetic-user") // set by the definition: the field is gone
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
	}
	s.expectSame(before)

	old := s.documents(s.repository)
	s.salint(salint.Words(s.command(commands, "--prune-only"))[1:]...)
	s.prune(old)
	s.expectPruned()
	s.must(s.Settle(s.ctx))
	// The controller keeps its watches of an extension's objects, and reads new kinds as the account that it had when it
	// started them.
	s.must(s.Run(s.ctx, proposed, syntheticPermissions))
	for _, name := range names {
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
	}
	s.expectSame(before)

	// The accounts have no permissions any more, so these are written as the synthetic identities.
	for _, name := range names {
		s.expectRestored(name, before[name].Namespace)
	}
	replace(s, s.repository, "version: 1.0.0", "version: 1.1.0")
	s.apply()
	for _, name := range names {
		s.must(s.AwaitInstalled(s.ctx, name, "1.1.0"))
	}
}

// starting is the error of a controller that works on an extension before it has read the certificate of the catalog.
const starting = "no certificate pool available"

// uninterrupted is true for an extension that is installed and without an error, except for that of a start.
func uninterrupted(e olm.Extension) bool {
	return reconciled(e) || installed(e) && strings.Contains(e.Condition("Progressing").Message, starting)
}

// grantLeast grants an account what installing its bundle and upgrading it needs, and nothing else.
func (s *story) grantLeast() {
	s.t.Helper()
	bundles := s.bundles("sample", "least")
	s.write("least-permissions.yaml", s.salint("preflight", "--extension", "least", "--target", "olm-1.10",
		"--bundle", s.bundleFolder(bundles[1]), "--from", s.bundleFolder(bundles[0]), "--format", "yaml"))
}

// installation is what must stay as it is.
type installation struct {
	Namespace string
	UID       string
	Objects   map[string]olm.Object
	Releases  string // of Helm, one for each time that OLM changed an object
}

func (s *story) installation(name string) installation {
	s.t.Helper()
	objects, err := s.Objects(s.ctx, name)
	s.must(err)
	if len(objects) == 0 {
		s.t.Errorf("extension %s has no objects", name)
	}
	uid, namespace, _ := strings.Cut(s.kubectl("get", "clusterextension", name, "--output=jsonpath={.metadata.uid} {.spec.namespace}"), " ")
	releases := s.kubectl("get", "secrets", "--namespace=olmv1-system", "--selector=name="+name, "--output=name")
	return installation{namespace, uid, objects, releases}
}

// expectSame compares extensions and their objects with what they were.
func (s *story) expectSame(before map[string]installation) {
	s.t.Helper()
	for name, old := range before {
		if diff := cmp.Diff(old, s.installation(name)); diff != "" {
			s.t.Errorf("%s was changed (- before, + after)\n%s", name, diff)
		}
	}
}

// expectAccount checks the account that a live extension names, or "" if it has no field.
func (s *story) expectAccount(extension, account string) {
	s.t.Helper()
	if live := s.kubectl("get", "clusterextension", extension, "--output=jsonpath={.spec.serviceAccount.name}"); live != account {
		s.t.Errorf("extension %s names the account %q, want %q", extension, live, account)
	}
}

// expectPruned checks that no account of the extensions is left, and that one that uses a binding of theirs keeps it.
func (s *story) expectPruned() {
	s.t.Helper()
	accounts := s.kubectl("get", "serviceaccounts", "--all-namespaces", "--output=jsonpath={.items[*].metadata.name}")
	if strings.Contains(accounts, "-installer") || !strings.Contains(accounts, "reporter") {
		s.t.Errorf("the accounts after --prune are %s", accounts)
	}
	viewers := s.kubectl("get", "clusterrolebinding", "viewers", "--output=jsonpath={.subjects[*].name}")
	if !strings.Contains(viewers, "reporter") || strings.Contains(viewers, "installer") {
		s.t.Errorf("the subjects of the shared binding are %s, want reporter without elsewhere-installer", viewers)
	}
}

// expectRestored deletes the Deployment of an extension. The controller must create it again.
func (s *story) expectRestored(name, namespace string) {
	s.t.Helper()
	uid := func(ctx context.Context) (string, error) {
		return s.Kubectl(ctx, server.Admin, "", "get", "deployment", name, "--namespace="+namespace, "--ignore-not-found", "--output=jsonpath={.metadata.uid}")
	}
	before, err := uid(s.ctx)
	s.must(err)
	s.kubectl("delete", "deployment", name, "--namespace="+namespace)
	err = wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		after, err := uid(ctx)
		return after != "" && after != before, err
	})
	if err != nil {
		s.t.Fatalf("the Deployment of %s is not restored: %v\n%s", name, err, s.Log(name))
	}
}
