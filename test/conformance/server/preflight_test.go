package server_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"

	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/server"
	"github.com/salint/salint/test/conformance/world"
)

// installation is an extension to be installed by an identity that is not yet allowed to install it.
type installation struct {
	// repository is the file with the extension and the existing grants; bundle and from are folders.
	repository, bundle, from string
	flags                    []string
	options                  bundle.Options
	who                      world.Identity
}

var (
	synthetic = world.Identity{User: "olm:clusterextension:pilot", Groups: []string{"olm:clusterextensions", "system:authenticated"}}
	account   = world.Account("harbour", "pilot-installer")
)

var installations = map[string]installation{
	"synthetic user, all namespaces": {
		repository: "synthetic.yaml", bundle: "v1", flags: []string{"--target", "ocp-techpreview-proposed"}, who: synthetic,
	},
	"synthetic user, another namespace": {
		repository: "synthetic.yaml", bundle: "v1", who: synthetic,
		flags:   []string{"--target", "ocp-techpreview-proposed", "--watch-namespace", "roads"},
		options: bundle.Options{WatchNamespaces: []string{"roads"}},
	},
	"account, its own namespace": {
		repository: "account.yaml", bundle: "v1", who: account,
		// In v1.9 the namespace has no effect with the standard definition of ClusterExtension.
		flags:   []string{"--target", "olm-1.8", "--watch-namespace", "harbour"},
		options: bundle.Options{WatchNamespaces: []string{"harbour"}},
	},
	"account, upgrade to a version with a webhook": {
		repository: "account.yaml", bundle: "v2", from: "v1", who: account,
		flags:   []string{"--target", "olm-1.9", "--certificates", "service-ca"},
		options: bundle.Options{ServiceCA: true},
	},
}

// TestPreflight grants the output of `salint preflight` and then installs the bundle as the requested identity.
func TestPreflight(t *testing.T) {
	for name, installation := range installations {
		for _, escalation := range []string{"hold", "verbs"} {
			t.Run(name+", "+escalation, func(t *testing.T) {
				s := start(t)
				i := installation
				i.flags = slices.Concat([]string{"--bundle", i.bundle, "--escalation", escalation}, i.flags)
				if i.from != "" {
					i.flags = append(i.flags, "--from", i.from)
				}
				i.options.Namespace = "harbour"
				site := prepare(t, s, i)
				before := site.checkBefore(t)
				site.grant(t, before)
				site.checkAfter(t, before)
				site.install(t)
				site.overstep(t, escalation)
			})
		}
	}
}

// site is the cluster and the repository of an installation.
type site struct {
	installation
	*server.Server
	folder     string // the repository
	written    string // its content
	objects    string // the objects to be installed
	oldObjects string // the existing objects of an upgrade
}

// prepare sets the cluster up and applies the repository. Everything is removed at the end.
func prepare(t *testing.T, s *server.Server, i installation) *site {
	t.Helper()
	x := &site{installation: i, Server: s, folder: filepath.Join(t.TempDir(), "repository")}
	if err := os.CopyFS(x.folder, os.DirFS("testdata/pilot")); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"account.yaml", "synthetic.yaml"} {
		if other != i.repository {
			x.must(t, os.Remove(filepath.Join(x.folder, other)))
		}
	}
	x.written = read(t, filepath.Join(x.folder, i.repository))
	x.apply(t, server.Admin, namespaces("harbour", "roads", "elsewhere"))
	x.apply(t, server.Admin, read(t, "testdata/clusterextensions.yaml"))
	x.kubectl(t, "", "wait", "--for=condition=Established", "crd/clusterextensions.olm.operatorframework.io")
	discovery := read(t, "testdata/discovery.yaml")
	x.apply(t, server.Admin, discovery+"\n---\n"+x.written)
	t.Cleanup(func() { x.must(t, s.Delete(running, discovery+"\n---\n"+x.written)) })
	owner := map[string]any{
		"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "name": "pilot", "blockOwnerDeletion": true,
		"uid": x.kubectl(t, "", "get", "clusterextension", "pilot", "--output=jsonpath={.metadata.uid}"),
	}
	x.objects = render(t, filepath.Join("testdata/pilot", i.bundle), i.options, owner)
	t.Cleanup(func() { x.must(t, s.Delete(running, x.objects)) })
	if i.from != "" {
		x.oldObjects = render(t, filepath.Join("testdata/pilot", i.from), i.options, owner)
		t.Cleanup(func() { x.must(t, s.Delete(running, x.oldObjects)) })
		x.apply(t, server.Admin, x.oldObjects)
	}
	x.must(t, s.Settle(t.Context()))
	return x
}

// checkBefore asks for the missing permissions: the server must deny each of them, and the installation.
func (x *site) checkBefore(t *testing.T) answer {
	t.Helper()
	before := ask(t, x.folder, x.flags...)
	if len(before.Missing) == 0 {
		t.Fatal("nothing is missing: this shows nothing")
	}
	if before.Identity.User != x.who.User || !sameElements(before.Identity.Groups, x.who.Groups) {
		t.Errorf("asked about %+v, want %+v", before.Identity, x.who)
	}
	for _, p := range permissions(before.Missing) {
		if allowed, reason, err := x.Allowed(t.Context(), x.who, p.request); allowed || err != nil {
			t.Errorf("said to be missing, and the server allows it: %+v, %s %v", p.request, reason, err)
		}
	}
	if err := x.Apply(t.Context(), x.who, x.objects); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("installing without the permissions should be forbidden: %v", err)
	}
	return before
}

// grant applies the manifests that salint writes. They must grant exactly the missing permissions.
func (x *site) grant(t *testing.T, before answer) {
	t.Helper()
	manifests := string(preflight(t, x.folder, append(x.flags, "--format", "yaml")...))
	written, err := kube.Read(manifests)
	x.must(t, err)
	authorizer := written.Authorizer()
	for _, namespace := range []string{"", "harbour", "roads", "elsewhere"} {
		granted, _ := authorizer.RulesFor(x.who, namespace)
		missing := in(before.Missing, "")
		if namespace != "" {
			missing = append(missing, in(before.Missing, namespace)...)
		}
		if ok, surplus := validation.Covers(missing, granted); !ok {
			t.Errorf("granted in %q, and not missing: %v", namespace, surplus)
		}
		if ok, lacking := validation.Covers(granted, missing); !ok {
			t.Errorf("missing in %q, and not granted: %v", namespace, lacking)
		}
	}
	x.apply(t, server.Admin, manifests)
	t.Cleanup(func() { x.must(t, x.Delete(running, manifests)) })
	x.must(t, x.Settle(t.Context()))
	x.must(t, os.WriteFile(filepath.Join(x.folder, "preflight-rbac.yaml"), []byte(manifests), 0o600))
}

// checkAfter asks again: no permission is missing, and the server allows exactly what is needed.
func (x *site) checkAfter(t *testing.T, before answer) {
	t.Helper()
	after := ask(t, x.folder, append(x.flags, "--all")...)
	if len(after.Missing) > 0 {
		t.Errorf("still missing: %v", after.Missing)
	}
	if len(after.Needed) == 0 {
		t.Error("nothing is needed: this shows nothing")
	}
	for _, p := range permissions(after.Needed) {
		if allowed, _, err := x.Allowed(t.Context(), x.who, p.request); !allowed || err != nil {
			t.Errorf("granted, and the server denies it: %+v %v", p.request, err)
		}
	}
	held, err := kube.Read(x.written + "\n---\n" + read(t, "testdata/discovery.yaml"))
	x.must(t, err)
	x.must(t, held.AddBuiltin())
	denied := 0
	for _, p := range permissions(before.Missing) {
		denied += x.checkNeighbor(t, held.Authorizer(), before, p)
	}
	if denied == 0 {
		t.Error("no neighbour is denied: this shows nothing")
	}
}

// checkNeighbor requests what a permission does not grant: the same with another name, or in another namespace. It must be
// denied unless another permission grants it. The result counts the denied requests.
func (x *site) checkNeighbor(t *testing.T, held *kube.Authorizer, before answer, p permission) (denied int) {
	t.Helper()
	for _, neighbour := range neighbours(p) {
		namespace := neighbour.request.Namespace
		rules, _ := held.RulesFor(x.who, namespace)
		rules = slices.Concat(rules, in(before.Missing, ""), in(before.Missing, namespace))
		want, _ := validation.Covers(rules, []rbacv1.PolicyRule{neighbour.rule})
		allowed, reason, err := x.Allowed(t.Context(), x.who, neighbour.request)
		if allowed != want || err != nil {
			t.Errorf("allowed %t, want %t, beside %+v: %+v, %s %v", allowed, want, p.request, neighbour.request, reason, err)
		}
		if !allowed {
			denied++
		}
	}
	return denied
}

func neighbours(p permission) []permission {
	var others []permission
	if p.request.Name != "" {
		other := p
		other.rule.ResourceNames, other.request.Name = []string{"neighbour"}, "neighbour"
		others = append(others, other)
	}
	if p.request.Namespace != "" {
		other := p
		other.request.Namespace = "elsewhere"
		others = append(others, other)
	}
	return others
}

// install performs OLM's actions as the identity: create everything, read it, change it, list it, and delete it all.
func (x *site) install(t *testing.T) {
	t.Helper()
	x.apply(t, x.who, x.objects)
	for _, args := range [][]string{{"get", "--filename=-"}, {"replace", "--filename=-"}} {
		if _, err := x.Kubectl(t.Context(), x.who, x.objects, args...); err != nil {
			t.Error(err)
		}
	}
	types := "serviceaccounts,clusterroles,clusterrolebindings,configmaps,deployments,customresourcedefinitions"
	if _, err := x.Kubectl(t.Context(), x.who, "", "get", types, "--all-namespaces"); err != nil {
		t.Error(err)
	}
	for _, objects := range []string{x.objects, x.oldObjects} {
		if objects == "" {
			continue
		}
		if _, err := x.Kubectl(t.Context(), x.who, objects, "delete", "--wait=false", "--ignore-not-found", "--filename=-"); err != nil {
			t.Error(err)
		}
	}
}

// overstep grants another identity rules that the bundle does not need. An identity that only holds the rules is denied;
// one with escalate is not.
func (x *site) overstep(t *testing.T, escalation string) {
	t.Helper()
	const greedy = `{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "greedy"},
		"rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]}`
	_, err := x.Kubectl(t.Context(), x.who, greedy, "create", "--filename=-")
	switch {
	case escalation == "hold" && (err == nil || !strings.Contains(err.Error(), "not currently held")):
		t.Errorf("a role with what is not held should be refused: %v", err)
	case escalation == "verbs" && err != nil:
		t.Errorf("escalate should allow any role: %v", err)
	}
	x.must(t, x.Delete(t.Context(), greedy))
}

func (x *site) apply(t *testing.T, who world.Identity, manifests string) {
	t.Helper()
	x.must(t, x.Apply(t.Context(), who, manifests))
}

func (x *site) kubectl(t *testing.T, input string, args ...string) string {
	t.Helper()
	out, err := x.Kubectl(t.Context(), server.Admin, input, args...)
	x.must(t, err)
	return out
}

func (x *site) must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func sameElements(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
