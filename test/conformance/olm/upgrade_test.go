package olm_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
)

// deprecated is part of the warning that olm-1.11 raises when an extension with the field is written.
const deprecated = "spec.serviceAccount is deprecated, ignored"

// custom is what a user made with the operator. It is lost when the definition of its kind is deleted.
const custom = `apiVersion: NAME.example.com/v1
kind: Lamp
metadata: {name: mine, namespace: NAME}
spec: {color: red}
`

// TestUpgrade upgrades OLM from v1.10 to v1.11, and then follows the steps of `salint plan`: it removes the field, clears the live
// objects that kept it, and prunes the accounts. The extensions are never interrupted, and nothing is installed again.
func TestUpgrade(t *testing.T) {
	s := begin(t, "upgrade", olm.V1_10, olm.V1_11)
	s.must(s.Run(s.ctx, olm.V1_10))
	s.must(s.Publish(s.ctx, append(s.bundles(), s.bundles("sample", "kept")...)...))
	s.apply()
	// A field that another manager applied as well stays when it is gone from the manifest.
	_, err := s.Kubectl(s.ctx, server.Admin, s.read("kept.yaml"), "apply", "--server-side", "--field-manager=another", "--filename=-")
	s.must(err)
	before := map[string]state{}
	for _, name := range []string{"sample", "kept"} {
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
		s.must(s.Apply(s.ctx, server.Admin, strings.ReplaceAll(custom, "NAME", name)))
		before[name] = s.state(name)
	}
	commands := s.commands("olm-1.10", "olm-1.11")

	// A controller that starts can fail once because it has not yet read the certificates of catalogs, and retries at once.
	for name := range before {
		s.expect(name, installed)
	}
	s.must(s.Run(s.ctx, olm.V1_11))
	s.awaitWarning()
	for name, old := range before {
		before[name] = s.upgraded(name, old)
		s.expect(name, reconciled)
	}
	if warnings := s.apply(); !strings.Contains(warnings, deprecated) {
		t.Errorf("no warning after the upgrade: %s", warnings)
	}

	s.salint(salint.Words(s.command(commands, "salint lint --fix --target"))[1:]...)
	s.apply()
	list := salint.Words(s.command(commands, "?(@.spec.serviceAccount)"))[1:]
	if kept := s.kubectl(list...); kept != "kept\n" {
		t.Errorf("the command of the plan lists %q as extensions that kept the field, want kept", kept)
	}
	s.kubectl(salint.Words(s.command(commands, "patch clusterextension kept"))[1:]...)
	if kept := s.kubectl(list...); kept != "" {
		t.Errorf("after the patch of the plan, %q keep the field", kept)
	}
	if warnings := s.apply(); strings.Contains(warnings, deprecated) {
		t.Errorf("the warning remains after the field is gone: %s", warnings)
	}

	// As a GitOps tool that prunes: what is gone from the repository is deleted.
	old := s.documents(s.repository)
	s.salint(salint.Words(s.command(commands, "--prune-only"))[1:]...)
	s.prune(old)
	for name := range before {
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
		if diff := cmp.Diff(before[name], s.state(name)); diff != "" {
			t.Errorf("%s was changed (- before, + after)\n%s", name, diff)
		}
	}

	// OLM still works on it without the account.
	s.edit("sample.yaml", "version: 1.0.0", "version: 1.1.0")
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))
}

// state is what must stay as it is.
type state struct {
	Extension string // the UID
	Custom    string // the UID of the custom resource
	Objects   map[string]olm.Object
	Releases  string // the Helm releases of the extension, one for each time that OLM changed an object
}

func (s *story) state(name string) state {
	s.t.Helper()
	objects, err := s.Objects(s.ctx, name)
	s.must(err)
	return state{
		Extension: s.kubectl("get", "clusterextension", name, "--output=jsonpath={.metadata.uid}"),
		Custom:    s.kubectl("get", "lamps."+name+".example.com", "mine", "--namespace="+name, "--output=jsonpath={.metadata.uid}"),
		Objects:   objects,
		Releases:  s.kubectl("get", "secrets", "--namespace=olmv1-system", "--selector=name="+name, "--output=name"),
	}
}

// upgraded waits until v1.11 has changed the only thing about an installation of v1.10 that it renders differently, an
// annotation in the pod template of the Deployment, and returns the state. Each object must be the same as before.
func (s *story) upgraded(name string, before state) state {
	s.t.Helper()
	s.must(wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		namespace, err := s.Kubectl(ctx, server.Admin, "", "get", "deployment", name, "--namespace="+name,
			`--output=jsonpath={.spec.template.metadata.annotations.olm\.operatorNamespace}`)
		return namespace == name, err
	}))
	s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
	after := s.state(name)
	deployment := "Deployment " + name + "/" + name
	want := maps.Clone(before.Objects)
	want[deployment] = olm.Object{UID: want[deployment].UID, Generation: want[deployment].Generation + 1}
	if diff := cmp.Diff(want, after.Objects); diff != "" {
		s.t.Errorf("the upgrade of OLM changes the objects of %s (- expected, + after)\n%s", name, diff)
	}
	return after
}

// expect watches an extension until the test ends. All of its states must be as wanted.
func (s *story) expect(name string, wanted func(olm.Extension) bool) {
	s.t.Helper()
	stop := s.Watch(s.ctx, name, wanted)
	s.t.Cleanup(func() {
		for _, unwanted := range stop() {
			s.t.Errorf("interrupted: %s", unwanted)
		}
	})
}

func installed(e olm.Extension) bool {
	return e.Condition("Installed").Status == metav1.ConditionTrue
}

func reconciled(e olm.Extension) bool {
	return installed(e) && e.Condition("Progressing").Reason == "Succeeded"
}

// awaitWarning waits until the admission policy of the release warns, which it does some time after it was applied.
func (s *story) awaitWarning() {
	s.t.Helper()
	s.must(wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		warnings, err := s.KubectlWarnings(ctx, server.Admin, s.read("kept.yaml"), "apply", "--server-side", "--dry-run=server", "--filename=-")
		return strings.Contains(warnings, deprecated), err
	}))
}

// commands returns the commands of `salint plan` for the repository.
func (s *story) commands(from, to string) []string {
	s.t.Helper()
	file, err := program()
	s.must(err)
	commands, err := file.Commands(s.repository, from, to)
	s.must(err)
	return commands
}

// command returns the only command that contains a text.
func (s *story) command(commands []string, text string) string {
	s.t.Helper()
	var found []string
	for _, command := range commands {
		if strings.Contains(command, text) {
			found = append(found, command)
		}
	}
	if len(found) != 1 {
		s.t.Fatalf("%d commands of the plan contain %s, want one: %s", len(found), text, strings.Join(commands, "\n"))
	}
	return found[0]
}
