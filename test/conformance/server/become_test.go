package server_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/test/conformance/server"
	"github.com/salint/salint/test/conformance/world"
)

// powerful are the administrators that the steps lead to: an account, with a token Secret and a pod, a user, and a group.
const powerful = `{apiVersion: v1, kind: Namespace, metadata: {name: ops}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: admin, namespace: ops}}
---
{apiVersion: v1, kind: Secret, metadata: {name: admin-token, namespace: ops, annotations: {kubernetes.io/service-account.name: admin}}, type: kubernetes.io/service-account-token}
---
{apiVersion: v1, kind: Pod, metadata: {name: runner, namespace: ops}, spec: {serviceAccountName: admin, containers: [{name: main, image: example.com/x}]}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: powerful}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
  - {kind: ServiceAccount, name: admin, namespace: ops}
  - {apiGroup: rbac.authorization.k8s.io, kind: User, name: root}
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: owners}
`

// climber is the account that takes the steps, with a role of its own.
const climber = `{apiVersion: v1, kind: Namespace, metadata: {name: climbing}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: climber, namespace: climbing}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: climber}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: climber}
subjects: [{kind: ServiceAccount, name: climber, namespace: climbing}]
`

// hand is what the climber does: it returns an error if the API server refuses.
type hand struct {
	*server.Server
	ctx   context.Context
	token string
}

// do runs kubectl as the climber.
func (h hand) do(input string, args ...string) error {
	_, err := h.KubectlWith(h.ctx, h.token, input, args...)
	return err
}

// may asks for a permission whose use needs a kubelet, which the suite does not have.
func (h hand) may(r world.Request) error {
	who := world.Identity{User: "system:serviceaccount:climbing:climber", Groups: []string{"system:serviceaccounts", "system:authenticated"}}
	allowed, reason, err := h.Allowed(h.ctx, who, r)
	if err == nil && !allowed {
		err = errors.New("refused: " + reason)
	}
	return err
}

// step is a kind of step to cluster-admin: the rules that it needs, and what the climber does with them.
type step struct {
	name  string // of the kind, and a remark
	rules []string
	take  func(h hand) error
}

func steps() []step {
	const rbacGroup = "apiGroups: [rbac.authorization.k8s.io], "
	const others = "apiGroups: [authentication.k8s.io], "
	return []step{
		{"cluster-admin", []string{`apiGroups: ["*"], resources: ["*"], verbs: ["*"]`}, func(h hand) error { return h.do("", "get", "secrets", "--all-namespaces") }},
		{"bind", []string{rbacGroup + "resources: [clusterrolebindings], verbs: [create]", rbacGroup + "resources: [clusterroles], verbs: [bind], resourceNames: [cluster-admin]"},
			func(h hand) error {
				return h.do("", "create", "clusterrolebinding", "climbed", "--clusterrole=cluster-admin", "--serviceaccount=climbing:climber")
			}},
		{"escalate", []string{rbacGroup + "resources: [clusterroles], verbs: [get, patch], resourceNames: [climber]", rbacGroup + "resources: [clusterroles], verbs: [escalate], resourceNames: [climber]"},
			func(h hand) error {
				return h.do("", "patch", "clusterrole", "climber", "--type=json", `--patch=[{"op": "add", "path": "/rules/-", "value": {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}}]`)
			}},
		{"impersonate a user", []string{`apiGroups: [""], resources: [users], verbs: [impersonate], resourceNames: [root]`},
			func(h hand) error { return h.do("", "get", "secrets", "--all-namespaces", "--as=root") }},
		{"impersonate a group", []string{`apiGroups: [""], resources: [users], verbs: [impersonate], resourceNames: [somebody]`, `apiGroups: [""], resources: [groups], verbs: [impersonate], resourceNames: ["system:masters"]`},
			func(h hand) error {
				return h.do("", "get", "secrets", "--all-namespaces", "--as=somebody", "--as-group=system:masters")
			}},
		{"impersonate an account", []string{`apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate], resourceNames: [admin]`},
			func(h hand) error {
				return h.do("", "get", "secrets", "--all-namespaces", "--as=system:serviceaccount:ops:admin")
			}},
		{"impersonate an account for a request", []string{others + `resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"], resourceNames: [admin]`,
			rbacGroup + `resources: [clusterrolebindings], verbs: ["impersonate-on:serviceaccount:create"]`}, bindAs("--as=system:serviceaccount:ops:admin")},
		{"impersonate a user for a request", []string{others + `resources: [users], verbs: ["impersonate:user-info"], resourceNames: [root]`,
			rbacGroup + `resources: [clusterrolebindings], verbs: ["impersonate-on:user-info:create"]`}, bindAs("--as=root")},
		{"impersonate a group for a request", []string{others + `resources: [users], verbs: ["impersonate:user-info"], resourceNames: [somebody]`,
			others + `resources: [groups], verbs: ["impersonate:user-info"], resourceNames: [owners]`,
			rbacGroup + `resources: [clusterrolebindings], verbs: ["impersonate-on:user-info:create"]`}, bindAs("--as=somebody", "--as-group=owners")},
		{"token", []string{`apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]`}, func(h hand) error {
			token, err := h.KubectlWith(h.ctx, h.token, "", "create", "token", "admin", "--namespace=ops")
			if err != nil {
				return err
			}
			_, err = h.KubectlWith(h.ctx, strings.TrimSpace(token), "", "get", "secrets", "--all-namespaces")
			return err
		}},
		{"secret", []string{`apiGroups: [""], resources: [secrets], verbs: [get]`}, func(h hand) error { return h.do("", "get", "secret", "admin-token", "--namespace=ops") }},
		{"pod", []string{`apiGroups: [""], resources: [pods], verbs: [create]`}, func(h hand) error {
			return h.do("{apiVersion: v1, kind: Pod, metadata: {name: climbed, namespace: ops}, spec: {serviceAccountName: admin, containers: [{name: main, image: example.com/x}]}}",
				"create", "--filename=-", "--validate=false")
		}},
		{"pod of a Deployment", []string{"apiGroups: [apps], resources: [deployments], verbs: [create]"}, func(h hand) error {
			return h.do("{apiVersion: apps/v1, kind: Deployment, metadata: {name: climbed, namespace: ops}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "+
				"spec: {serviceAccountName: admin, containers: [{name: main, image: example.com/x}]}}}}", "create", "--filename=-", "--validate=false")
		}},
		{"exec", []string{`apiGroups: [""], resources: [pods/exec], verbs: [create]`}, func(h hand) error {
			return h.may(world.Request{Verb: "create", Resource: "pods", Subresource: "exec", Namespace: "ops", Name: "runner"})
		}},
		{"extension", []string{"apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [create]"}, func(h hand) error {
			return h.do(extensionOf("climbed", "{namespace: ops, source: {sourceType: Catalog, catalog: {packageName: argocd}}}"), "create", "--filename=-", "--validate=false")
		}},
		{"webhook", []string{"apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], verbs: [create]"}, func(h hand) error {
			return h.do(webhooks("Mutating"), "create", "--filename=-", "--validate=false")
		}},
		{"webhook that validates", []string{"apiGroups: [admissionregistration.k8s.io], resources: [validatingwebhookconfigurations], verbs: [create]"}, func(h hand) error {
			return h.do(webhooks("Validating"), "create", "--filename=-", "--validate=false")
		}},
		{"certificate", []string{
			"apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests], verbs: [create, get]",
			"apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests/approval], verbs: [update]",
			"apiGroups: [certificates.k8s.io], resources: [signers], verbs: [approve], resourceNames: [kubernetes.io/kube-apiserver-client]",
		}, takeCertificate},
		{"node", []string{`apiGroups: [""], resources: [nodes/proxy], verbs: [create, get]`}, func(h hand) error {
			return h.may(world.Request{Verb: "create", Resource: "nodes", Subresource: "proxy", Name: "any"})
		}},
	}
}

// bindAs binds cluster-admin to the climber while it impersonates another.
func bindAs(as ...string) func(hand) error {
	return func(h hand) error {
		return h.do("", append([]string{"create", "clusterrolebinding", "climbed", "--clusterrole=cluster-admin", "--serviceaccount=climbing:climber"}, as...)...)
	}
}

// webhooks is a configuration that applies to nothing.
func webhooks(kind string) string {
	return fmt.Sprintf("{apiVersion: admissionregistration.k8s.io/v1, kind: %sWebhookConfiguration, metadata: {name: climbed}, webhooks: [{name: climbed.example.com, "+
		"admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Ignore, clientConfig: {url: 'https://127.0.0.1:1/'}, "+
		"rules: [{apiGroups: [none.example.com], apiVersions: [v1], resources: [none], operations: [CREATE]}]}]}", kind)
}

// takeCertificate requests a certificate for the user root, and approves it. Only a controller of the cluster signs it.
func takeCertificate(h hand) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "root"}}, key)
	if err != nil {
		return err
	}
	request := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}))
	manifest := fmt.Sprintf("{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: climbed}, "+
		"spec: {request: %s, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}}", request)
	if err := h.do(manifest, "create", "--filename=-", "--validate=false"); err != nil {
		return err
	}
	return h.do("", "certificate", "approve", "climbed")
}

// made are the objects that steps create.
const made = "clusterrolebinding/climbed mutatingwebhookconfiguration/climbed validatingwebhookconfiguration/climbed certificatesigningrequest/climbed " +
	"clusterextension.olm.operatorframework.io/climbed"

// TestBecome gives an account the rules of each step to cluster-admin, and lets it take the step. The API server must accept it, and
// `salint who-can --become` must list the account with this step. With any one rule less the API server must refuse, and salint must
// not list the account.
func TestBecome(t *testing.T) {
	s := start(t)
	discovery := read(t, "testdata/discovery.yaml")
	t.Cleanup(func() { // the definition of the kind stays: other tests apply it again, while it would still be going
		if err := s.Delete(running, powerful+"---\n"+climber+"---\n"+discovery); err != nil {
			t.Error(err)
		}
	})
	apply(t, s, read(t, "testdata/clusterextensions.yaml")+"---\n"+discovery+"---\n"+powerful+"---\n"+climber)
	if _, err := s.Kubectl(t.Context(), server.Admin, "", "wait", "--for=condition=Established", "crd/clusterextensions.olm.operatorframework.io"); err != nil {
		t.Fatal(err)
	}
	token, err := s.Kubectl(t.Context(), server.Admin, "", "create", "token", "climber", "--namespace=climbing")
	if err != nil {
		t.Fatal(err)
	}
	h := hand{s, t.Context(), strings.TrimSpace(token)}
	for _, step := range steps() {
		// The whole step comes last: the API server does not ask again for some seconds whether an impersonation is allowed that it has allowed.
		for missing := len(step.rules) - 1; missing >= -1; missing-- {
			rules := slices.Clone(step.rules)
			name := step.name
			if missing >= 0 {
				rules = slices.Delete(rules, missing, missing+1)
				name += fmt.Sprintf(" without rule %d", missing+1)
			}
			t.Run(name, func(t *testing.T) { oneStep(t, h, step, rules, missing < 0) })
		}
	}
}

func oneStep(t *testing.T, h hand, step step, rules []string, accepted bool) {
	role := "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: climber}, rules: [{" + strings.Join(rules, "}, {") + "}]}\n"
	if len(rules) == 0 {
		role = strings.Replace(role, "{}", "", 1)
	}
	apply(t, h.Server, role)
	if err := h.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := step.take(h); accepted != (err == nil) || err != nil && !refused(err) {
		t.Errorf("the API server: %v, want accepted: %t", err, accepted)
	}
	want := ""
	if accepted {
		want, _, _ = strings.Cut(step.name, " ")
	}
	if got := firstStep(t, role); got != want {
		t.Errorf("salint's first step is %q, want %q", got, want)
	}
	clearSteps(t, h.Server, role)
}

// refused reports whether an error is a lack of permissions, and not a mistake of the test.
func refused(err error) bool {
	return strings.Contains(err.Error(), "orbidden") || strings.Contains(err.Error(), "refused: ")
}

// firstStep returns the kind of the climber's first step to cluster-admin according to salint; "" if it cannot become cluster-admin.
func firstStep(t *testing.T, role string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "all.yaml"), []byte(powerful+"---\n"+climber+"---\n"+role), 0o600); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Chains []struct {
			Subject struct{ Namespace, Name string }
			Steps   []struct{ Kind string }
		}
	}
	out := runSalint(t, dir, "who-can", "--become", "cluster-admin", "--target", "olm-1.11", "--format", "json")
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&answer); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	for _, chain := range answer.Chains {
		if chain.Subject.Name == "climber" && chain.Subject.Namespace == "climbing" {
			return chain.Steps[0].Kind
		}
	}
	return ""
}

// clearSteps deletes what a step made, and the role.
func clearSteps(t *testing.T, s *server.Server, role string) {
	t.Helper()
	for _, args := range [][]string{
		append([]string{"delete", "--ignore-not-found", "--wait=false"}, strings.Fields(made)...),
		{"delete", "--ignore-not-found", "--wait=false", "--namespace=ops", "--grace-period=0", "--force", "pod/climbed", "deployment/climbed"},
	} {
		if _, err := s.Kubectl(running, server.Admin, "", args...); err != nil {
			t.Error(err)
		}
	}
	if err := s.Delete(running, role); err != nil {
		t.Error(err)
	}
}

func apply(t *testing.T, s *server.Server, manifests string) {
	t.Helper()
	if err := s.Apply(t.Context(), server.Admin, manifests); err != nil {
		t.Fatal(err)
	}
}
