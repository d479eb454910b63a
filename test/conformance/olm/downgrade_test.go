package olm_test

import (
	"context"
	"maps"
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

// TestDowngrade goes back from v1.11 to v1.10 with the steps of `salint plan`: every extension gets an account, and then OLM is
// downgraded. The extensions are never interrupted, nothing is installed again, and OLM then acts as the accounts.
// One extension is left out, for which must happen what `salint plan` and `salint lint` report.
func TestDowngrade(t *testing.T) {
	s := begin(t, "downgrade", olm.V1_11, olm.V1_10)
	s.initGit()
	s.must(s.bundles("sample", "packed")[0].Write(filepath.Join(s.repository, "bundles", "packed")))
	s.must(s.Run(s.ctx, olm.V1_11))
	names := []string{"bare", "granted", "kept", "packed"}
	s.publishFor(append(names, "forgotten")...)
	s.apply()
	forgotten := s.copy("forgotten")
	s.applyFolders(forgotten)
	before := map[string]installation{}
	for _, name := range append(names, "forgotten") {
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
		before[name] = s.installation(name)
	}
	for _, name := range names {
		s.expect(name, uninterrupted)
	}

	for _, command := range s.fixesOfPlan("olm-1.11", "olm-1.10") {
		s.salint(salint.Words(command)[1:]...)
	}
	s.apply()
	for name, account := range map[string]string{
		"bare": "bare-installer", "granted": "granted-installer", "kept": "kept-installer", "packed": "packed-installer",
	} {
		s.expectAccount(name, account)
		s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
	}
	s.expectSame(before)

	s.must(s.Run(s.ctx, olm.V1_10))
	for _, name := range names {
		before[name] = s.downgraded(name, before[name])
	}
	s.expectForgotten(forgotten, before["forgotten"])

	// OLM acts as the accounts: it can restore what they can write.
	for _, name := range names {
		s.expectRestored(name, name)
	}
	for _, name := range []string{"bare", "granted", "kept"} {
		s.edit(name+".yaml", "version: 1.0.0", "version: 1.1.0")
	}
	s.apply()
	for _, name := range []string{"bare", "granted", "kept"} {
		s.must(s.AwaitInstalled(s.ctx, name, "1.1.0"))
	}
}

// fixesOfPlan returns the commands of a plan that change manifests.
func (s *story) fixesOfPlan(from, to string) (fixes []string) {
	s.t.Helper()
	commands := s.commands(from, to)
	for _, command := range commands {
		if strings.HasPrefix(command, "salint lint --fix ") {
			fixes = append(fixes, command)
		}
	}
	if len(fixes) == 0 {
		s.t.Fatalf("the plan changes no manifests: %s", strings.Join(commands, "\n"))
	}
	return fixes
}

// downgraded waits until v1.10 has changed the only thing about an installation of v1.11 that it renders differently, an annotation
// in the pod template of the Deployment, and returns the state. Each object must be the same as before.
func (s *story) downgraded(name string, before installation) installation {
	s.t.Helper()
	s.must(wait.PollUntilContextTimeout(s.ctx, 100*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		annotation, err := s.Kubectl(ctx, server.Admin, "", "get", "deployment", name, "--namespace="+name,
			`--output=jsonpath={.spec.template.metadata.annotations.olm\.operatorNamespace}`)
		return annotation == "", err
	}))
	s.must(s.AwaitInstalled(s.ctx, name, "1.0.0"))
	after := s.installation(name)
	deployment := "Deployment " + name + "/" + name
	want := maps.Clone(before.Objects)
	want[deployment] = olm.Object{UID: want[deployment].UID, Generation: want[deployment].Generation + 1}
	if diff := cmp.Diff(want, after.Objects); diff != "" || before.UID != after.UID {
		s.t.Errorf("the downgrade of OLM changes the objects of %s (- expected, + after)\n%s", name, diff)
	}
	return after
}

// expectForgotten checks an extension that has no account when OLM is downgraded. It stays, with its objects, but OLM no longer reconciles
// it, and the API server rejects every change of it, until it has an account. An unchanged manifest is accepted.
func (s *story) expectForgotten(repository string, before installation) {
	s.t.Helper()
	s.expectFailure("forgotten", "error getting service account: resource name may not be empty")
	s.applyFolders(repository)
	changed := strings.ReplaceAll(strings.Join(s.documents(repository), "\n---\n"), "version: 1.0.0", "version: 1.1.0")
	s.expectRejected(changed, "spec.serviceAccount: Required value")
	s.expectSame(map[string]installation{"forgotten": before})

	out := s.salintIn(repository, "", "plan", "--targets", "olm-1.10")
	if !strings.Contains(out, "BREAKS") || !strings.Contains(out, "olm/service-account-missing") {
		s.t.Errorf("the plan for an extension without an account is\n%s", out)
	}
	s.salintIn(repository, "", "lint", "--fix", "--target", "olm-1.10", "--grant", "role=cluster-admin")
	s.applyFolders(repository)
	s.downgraded("forgotten", before)
}
