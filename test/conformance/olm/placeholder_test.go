package olm_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/server"
)

// TestPlaceholder checks what salint's rules state about synthetic identities on v1.10 as it is released: the name
// olm.synthetic-user means one with the gate, if the controller can impersonate it, and an account without the gate. A live extension
// cannot change to it, nor lose the field.
func TestPlaceholder(t *testing.T) {
	s := begin(t, "placeholder", olm.V1_10)
	s.initGit()
	s.must(s.Run(s.ctx, olm.V1_10, syntheticPermissions))
	s.publishFor("account", "identity")
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "account", "1.0.0"))
	s.expect("account", uninterrupted)
	// No release grants this, and the error does not name it.
	s.expectFailure("identity", "retrying to get installed bundle")
	s.expectCondition("identity", "Installed", "Kubernetes cluster unreachable: unknown")

	s.allowImpersonation()
	s.edit("identity.yaml", "version: 1.0.0", "version: 1.1.0") // so that the controller does not wait before it tries again
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "identity", "1.1.0"))

	// salint writes this for a release with the model `synthetic`, and reports that v1.10 rejects it.
	account := s.read("account.yaml")
	s.expectRejected(strings.Replace(account, "name: account-installer\n  source", "name: olm.synthetic-user\n  source", 1), "name is immutable")
	s.salint("lint", "--fix", "--target", "synthetic")
	if cell := s.cells("olm-1.10")["account"]; cell.Status != breaks || !strings.Contains(cell.Reason, "the API server rejects the manifest") {
		t.Errorf("the plan for v1.10 after the fix for synthetic identities: %v", cell)
	}
	s.expectRejected(s.read("account.yaml"), "spec.serviceAccount: Required value")
	s.expectAccount("account", "account-installer")

	// Without the gate, the extension is that of an account without permissions.
	s.must(s.Run(s.ctx, olm.V1_10))
	s.expectFailure("identity", `User "system:serviceaccount:identity:olm.synthetic-user" cannot`)
	s.must(s.AwaitInstalled(s.ctx, "account", "1.0.0"))
}

// expectFailure waits until the controller fails to reconcile an extension with an error that contains a text.
func (s *story) expectFailure(name, text string) {
	s.t.Helper()
	_, err := s.Await(s.ctx, name, "failing with "+text, func(e olm.Extension) bool { return strings.Contains(e.Failure(), text) })
	s.must(err)
}

// expectRejected applies manifests, which the API server must reject with an error that contains a text.
func (s *story) expectRejected(manifests, text string) {
	s.t.Helper()
	_, err := s.Kubectl(s.ctx, server.Admin, manifests, "apply", "--server-side", "--filename=-")
	if err == nil || !strings.Contains(err.Error(), text) {
		s.t.Errorf("the API server does not reject the manifests with %q: %v\n%s", text, err, manifests)
	}
}

// expectCondition checks the message of a condition of an extension.
func (s *story) expectCondition(name, kind, message string) {
	s.t.Helper()
	e, err := s.Extension(s.ctx, name)
	s.must(err)
	if got := e.Condition(kind).Message; got != message {
		s.t.Errorf("the condition %s of %s is %q, want %q", kind, name, got, message)
	}
}
