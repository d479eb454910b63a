package olm_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/conformance/olm"
)

// bundles reads the versions of the bundle, of which each upgrades the one before it.
func (s *story) bundles(replaced ...string) (all []olm.Bundle) {
	s.t.Helper()
	for _, version := range []string{"1.0.0", "1.1.0"} {
		b, err := olm.ReadBundle(filepath.Join("testdata", "bundles", version), replaced...)
		s.must(err)
		all = append(all, b)
	}
	return all
}

// bundleFolder writes a bundle into a new folder, for the commands of salint.
func (s *story) bundleFolder(b olm.Bundle) string {
	s.t.Helper()
	folder := s.t.TempDir()
	s.must(b.Write(folder))
	return folder
}

// TestPreflight grants what `salint preflight --format yaml` prints and nothing else. With that, operator-controller v1.10
// must install the extension, upgrade it, and delete it.
func TestPreflight(t *testing.T) {
	s := begin(t, "required", olm.V1_10)
	s.must(s.Run(s.ctx, olm.V1_10))
	bundles := s.bundles()
	s.must(s.Publish(s.ctx, bundles...))
	first, second := s.bundleFolder(bundles[0]), s.bundleFolder(bundles[1])
	s.write("permissions.yaml", s.salint("preflight", "--bundle", first, "--format", "yaml"))
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.0.0"))
	s.expectObject("ConfigMap sample/sample-settings", true)

	s.write("permissions.yaml", s.salint("preflight", "--bundle", second, "--from", first, "--format", "yaml"))
	s.edit("extension.yaml", "1.0.0", "1.1.0")
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))
	s.expectObject("ConfigMap sample/sample-settings", false)
	s.expectObject("Service sample/sample-metrics", true)
	s.must(s.Remove(s.ctx, "sample"))
}

// expectObject checks whether OLM installed an object for the extension sample, and has not deleted it.
func (s *story) expectObject(name string, expected bool) {
	s.t.Helper()
	objects, err := s.Objects(s.ctx, "sample")
	s.must(err)
	if _, ok := objects[name]; ok != expected {
		s.t.Errorf("%s is installed: %t, want %t; installed are %v", name, ok, expected, objects)
	}
}

// TestPreflightLess grants what `salint preflight --format yaml` prints, less one verb of one rule. Each such installation
// is a copy of the extension, with other names, so that many are in one cluster.
func TestPreflightLess(t *testing.T) {
	s := begin(t, "required", olm.V1_10)
	s.must(s.Run(s.ctx, olm.V1_10))
	t.Run("default gates", func(t *testing.T) { s.in(t).lessByDefault() })
	s.must(s.Run(s.ctx, olm.V1_10, "PreflightPermissions=true"))
	t.Run("PreflightPermissions", func(t *testing.T) { s.in(t).lessWithPreflightPermissions() })
}

// unused are the permissions without which operator-controller v1.10 with its default gates installs and upgrades the bundle
// anyway. It replaces nothing with update. It patches only objects that change. Since a client can watch a list, it does
// not list. Kubernetes' garbage collector deletes the objects of a deleted extension; an upgrade deletes those that the new
// version does not have, but ignores an error, so without the permission they stay.
var unused = []string{
	"delete on [clusterrolebindings] by name",
	"delete on [clusterroles] by name",
	"delete on [configmaps] by name",
	"delete on [customresourcedefinitions] by name",
	"delete on [deployments] by name",
	"delete on [serviceaccounts] by name",
	"delete on [services] by name",
	"list on [clusterrolebindings clusterroles]",
	"list on [configmaps serviceaccounts services]",
	"list on [customresourcedefinitions]",
	"list on [deployments]",
	"patch on [clusterrolebindings] by name",
	"patch on [clusterroles] by name",
	"patch on [configmaps] by name",
	"patch on [serviceaccounts] by name",
	"patch on [services] by name",
	"update on [clusterrolebindings] by name",
	"update on [clusterroles] by name",
	"update on [configmaps] by name",
	"update on [customresourcedefinitions] by name",
	"update on [deployments] by name",
	"update on [serviceaccounts] by name",
	"update on [services] by name",
}

// lessByDefault checks an upgrade by the permissions of the account alone. Either the API server refuses something, and
// `salint preflight --errors` names the missing permission, or the permission is one of the unused.
func (s *story) lessByDefault() {
	all := s.less("a", func(l less, bundles []olm.Bundle) string {
		return s.salintIn(l.repository, "", "preflight", "--bundle", s.bundleFolder(bundles[1]), "--from", s.bundleFolder(bundles[0]), "--format", "yaml")
	})
	// Without watch, the controller first lists and then fails to watch. Whether it reports that depends on which of its threads
	// is faster, and each attempt can take ten seconds.
	all = slices.DeleteFunc(all, func(l less) bool {
		verb, rest, _ := strings.Cut(l.what, " ")
		return verb == "watch" && slices.Contains(unused, "list "+rest)
	})
	var without []string
	for _, l := range s.refused(s.refused(all, "1.0.0"), "1.1.0") {
		without = append(without, l.what)
	}
	slices.Sort(without)
	if diff := cmp.Diff(unused, without); diff != "" {
		s.t.Errorf("installed and upgraded without (- expected, + happened)\n%s", diff)
	}
}

// refused sets the version of extensions and waits for each. It checks the errors, and returns the extensions without.
func (s *story) refused(all []less, version string) (installed []less) {
	s.t.Helper()
	s.applyLess(all, version)
	for _, l := range all {
		failure, err := s.AwaitOutcome(s.ctx, l.name, version)
		s.must(err)
		if failure == "" {
			installed = append(installed, l)
			continue
		}
		missing := s.errorsOf(l, failure)
		if covered, _ := validation.Covers(rulesOf(l.removed), rulesOf(missing)); len(missing) == 0 || !covered {
			s.t.Errorf("without %s, %s\npreflight --errors: %v", l.what, failure, missing)
		}
	}
	return installed
}

// lessWithPreflightPermissions checks an installation by the controller's own list of permissions, which it compares with
// the account's before it changes anything. `salint preflight --errors` must read exactly the missing permission from it.
func (s *story) lessWithPreflightPermissions() {
	all := s.less("b", func(l less, bundles []olm.Bundle) string {
		return s.salintIn(l.repository, "", "preflight", "--bundle", s.bundleFolder(bundles[1]), "--format", "yaml")
	})
	s.applyLess(all, "1.1.0")
	for _, l := range all {
		failure, err := s.AwaitFailure(s.ctx, l.name)
		s.must(err)
		if missing := s.errorsOf(l, failure); !sameRules(missing, l.removed) {
			s.t.Errorf("without %s, %s\npreflight --errors: %v, want %v", l.what, failure, missing, l.removed)
		}
	}
}

// less is a copy of the extension whose installer lacks a permission.
type less struct {
	name       string // of the extension, the package, and the namespace
	repository string
	what       string // the permission, without names that differ from copy to copy
	removed    []scoped
}

// scoped are rules in a namespace, or in the whole cluster.
type scoped struct {
	Namespace string
	Rules     []rbacv1.PolicyRule
}

// less makes a copy of the extension for every verb of every rule of what is granted, and publishes the bundles.
func (s *story) less(prefix string, granted func(less, []olm.Bundle) string) (all []less) {
	s.t.Helper()
	var published []olm.Bundle
	for i := 0; ; i++ {
		l := less{name: fmt.Sprintf("%s%02d", prefix, i)}
		l.repository = s.copy("required", "sample", l.name)
		bundles := s.bundles("sample", l.name)
		var reduced string
		if reduced, l.what, l.removed = reduce(s, granted(l, bundles), i); l.removed == nil {
			break
		}
		s.must(os.WriteFile(filepath.Join(l.repository, "permissions.yaml"), []byte(reduced), 0o600))
		all, published = append(all, l), append(published, bundles...)
	}
	s.must(s.Publish(s.ctx, published...))
	return all
}

// applyLess sets the version of extensions, and applies them.
func (s *story) applyLess(all []less, version string) {
	s.t.Helper()
	var folders []string
	for _, l := range all {
		replace(s, l.repository, "version: 1.0.0", "version: "+version)
		folders = append(folders, l.repository)
	}
	s.applyFolders(folders...)
}

// reduce removes one verb from the rules of manifests, by its number. The result removed is nil if there are fewer verbs.
func reduce(s *story, manifests string, number int) (reduced, what string, removed []scoped) {
	s.t.Helper()
	documents := strings.Split(manifests, "\n---\n")
	for i, document := range documents {
		var role rbacv1.ClusterRole // a Role has the same fields
		s.must(yaml.Unmarshal([]byte(document), &role))
		for j := range role.Rules {
			rule := &role.Rules[j]
			if number >= len(rule.Verbs) {
				number -= len(rule.Verbs)
				continue
			}
			gone := *rule
			gone.Verbs = []string{rule.Verbs[number]}
			rule.Verbs = slices.Delete(rule.Verbs, number, number+1)
			if len(rule.Verbs) == 0 {
				role.Rules = slices.Delete(role.Rules, j, j+1)
			}
			text, err := yaml.Marshal(role)
			s.must(err)
			documents[i] = string(text)
			return strings.Join(documents, "\n---\n"), describe(gone), []scoped{{role.Namespace, []rbacv1.PolicyRule{gone}}}
		}
	}
	return manifests, "", nil
}

// describe describes a rule with one verb, without the names, which differ from copy to copy.
func describe(rule rbacv1.PolicyRule) string {
	text := fmt.Sprintf("%s on %v", rule.Verbs[0], append(rule.Resources, rule.NonResourceURLs...))
	if len(rule.ResourceNames) > 0 {
		text += " by name"
	}
	return text
}

// errorsOf returns what `salint preflight --errors` reads from the error of a failed installation.
func (s *story) errorsOf(l less, failure string) []scoped {
	s.t.Helper()
	out := s.salintIn(l.repository, failure, "preflight", "--extension", l.name, "--errors", "-", "--format", "json")
	var answer struct {
		Missing []scoped
		Errors  struct {
			Owners []struct{ Verb, Subresource string }
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		s.t.Fatalf("%v in\n%s", err, out)
	}
	// The API server does not name the owner whose finalizers the account cannot update. OLM's is always the extension.
	for _, owner := range answer.Errors.Owners {
		answer.Missing = append(answer.Missing, scoped{Rules: []rbacv1.PolicyRule{{
			Verbs: []string{owner.Verb}, APIGroups: []string{"olm.operatorframework.io"},
			Resources: []string{"clusterextensions/" + owner.Subresource}, ResourceNames: []string{l.name},
		}}})
	}
	return answer.Missing
}

func rulesOf(all []scoped) (rules []rbacv1.PolicyRule) {
	for _, s := range all {
		rules = append(rules, s.Rules...)
	}
	return rules
}

// sameRules reports whether rules grant the same, in the same namespaces.
func sameRules(a, b []scoped) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		all, _ := validation.Covers(a[i].Rules, b[i].Rules)
		only, _ := validation.Covers(b[i].Rules, a[i].Rules)
		if !all || !only || a[i].Namespace != b[i].Namespace {
			return false
		}
	}
	return true
}
