package olm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/conformance/olm"
)

// growth is a permission that `salint bundle-diff` reports as new.
type growth struct {
	Part, Title, Namespace string
	Rules                  []rbacv1.PolicyRule
}

// grown is a copy of the extension that is upgraded with the permissions of its old version and some of the new ones.
type grown struct {
	less     // removed is what the installer lacks, by the answer of salint
	granted  []scoped
	old, new string // the folders of the bundles
	growth   []growth
}

// TestBundleDiff upgrades extensions whose installers have what the old version of the bundle needs. operator-controller
// v1.10 must refuse exactly what `salint bundle-diff` calls new, and upgrade the extension if that is granted.
func TestBundleDiff(t *testing.T) {
	s := begin(t, "bundlediff/repository", olm.V1_10)
	s.must(s.Run(s.ctx, olm.V1_10, "PreflightPermissions=true"))
	var copies []grown
	var published []olm.Bundle
	add := func(what string, prepare func(*grown)) {
		g, bundles := s.newGrown(fmt.Sprintf("d%02d", len(copies)), what)
		prepare(&g)
		s.grant(g)
		copies, published = append(copies, g), append(published, bundles...)
	}
	nothing, everything, limited := 0, 1, 2
	add("nothing new", func(g *grown) { g.removed = refused(*g, g.growth) })
	add("everything new", func(g *grown) { g.granted = append(g.granted, scopes(g.growth)...) })
	add("everything new, and roles only by name", func(g *grown) {
		g.granted = append(s.held(g.old, g.repository), collections(scopes(g.growth))...)
	})
	for i, one := range copies[nothing].growth {
		if len(refused(copies[nothing], []growth{one})) == 0 {
			continue
		}
		add("all but "+one.Title, func(g *grown) {
			g.removed = refused(*g, g.growth[i:i+1])
			g.granted = append(g.granted, scopes(slices.Delete(slices.Clone(g.growth), i, i+1))...)
		})
	}
	s.must(s.Publish(s.ctx, published...))
	s.upgradeTo("1.0.0", copies)
	for _, g := range copies {
		s.must(s.AwaitInstalled(s.ctx, g.name, "1.0.0"))
	}
	s.upgradeTo("1.1.0", copies)
	for i, g := range copies {
		switch i {
		case everything:
			s.must(s.AwaitInstalled(s.ctx, g.name, "1.1.0"))
		case limited:
			s.expectOnlyRoles(g)
		default:
			s.expectRefused(g)
		}
	}

	// Without the gate, the API server refuses one object after the other. What failed before would be tried again.
	failed := []string{"delete", "clusterextensions", "--wait=false"}
	for _, g := range copies[limited:] {
		failed = append(failed, g.name)
	}
	s.kubectl(failed...)
	s.must(s.Run(s.ctx, olm.V1_10))
	g := copies[nothing]
	s.expectForbiddenByServer(g.less, g.removed)
	s.must(s.AwaitInstalled(s.ctx, copies[everything].name, "1.1.0"))
	permissions := s.salintIn(g.repository, "", "preflight", "--bundle", g.new, "--from", g.old, "--format", "yaml")
	s.must(os.WriteFile(filepath.Join(g.repository, "permissions.yaml"), []byte(permissions), 0o600))
	s.applyFolders(g.repository)
	s.retry(g.name)
	s.must(s.AwaitInstalled(s.ctx, g.name, "1.1.0"))
}

// preauthorization is part of the error with which the gate PreflightPermissions refuses an installation.
const preauthorization = "pre-authorization failed"

// awaitFailureWith waits until an extension fails with an error that contains a text, and returns the error. A controller that
// starts can fail otherwise before, because it has not yet read the catalog.
func (s *story) awaitFailureWith(extension, text string) string {
	s.t.Helper()
	e, err := s.Await(s.ctx, extension, "failing with "+text, func(e olm.Extension) bool { return strings.Contains(e.Failure(), text) })
	s.must(err)
	return e.Failure()
}

// expectForbiddenByServer expects that an installation fails at the API server, for want of some of the given permissions.
func (s *story) expectForbiddenByServer(l less, wanted []scoped) {
	s.t.Helper()
	s.retry(l.name)
	e, err := s.Await(s.ctx, l.name, "refused by the API server", func(e olm.Extension) bool {
		return e.Failure() != "" && !strings.Contains(e.Failure(), preauthorization)
	})
	s.must(err)
	if missing := anyRole(s.errorsOf(l, e.Failure())); len(missing) == 0 || len(uncovered(missing, wanted)) > 0 {
		s.t.Errorf("%s\npreflight --errors: %v, want some of %v", e.Failure(), missing, wanted)
	}
}

// retry makes the controller reconcile an extension now, instead of after a time that doubles with each failure.
func (s *story) retry(extension string) {
	s.t.Helper()
	s.kubectl("annotate", "clusterextension", extension, "--overwrite", "salint.example.com/retry="+time.Now().Format(time.RFC3339Nano))
}

// newGrown makes a copy of the extension. Its installer has what the old version needs, on roles and bindings of any name.
func (s *story) newGrown(name, what string) (grown, []olm.Bundle) {
	s.t.Helper()
	g := grown{less: less{name: name, what: what, repository: s.copy("bundlediff/repository", "sample", name)}}
	var bundles []olm.Bundle
	for _, version := range []string{"1.0.0", "1.1.0"} {
		b, err := olm.ReadBundle(filepath.Join("testdata", "bundlediff", "bundles", version), "sample", name)
		s.must(err)
		bundles = append(bundles, b)
	}
	g.old, g.new = s.bundleFolder(bundles[0]), s.bundleFolder(bundles[1])
	g.granted = anyRole(s.held(g.old, g.repository))
	g.growth = s.compare(g).Growth
	return g, bundles
}

// comparison is the answer of `salint bundle-diff`. Its notes depend on what the repository grants.
type comparison struct {
	Growth []growth
	Notes  []string
}

func (s *story) compare(g grown) (c comparison) {
	s.t.Helper()
	out := s.salintIn(g.repository, "", "bundle-diff", "--namespace", g.name, "--format", "json", g.old, g.new)
	s.must(json.Unmarshal([]byte(out), &c))
	return c
}

// held returns what `salint preflight` lists for a bundle.
func (s *story) held(bundle, repository string) []scoped {
	s.t.Helper()
	var answer struct{ Missing []scoped }
	out := s.salintIn(repository, "", "preflight", "--bundle", bundle, "--format", "json")
	s.must(json.Unmarshal([]byte(out), &answer))
	return answer.Missing
}

// grant writes what an installer is granted into its repository.
func (s *story) grant(g grown) {
	s.t.Helper()
	var documents []string
	for i, granted := range g.granted {
		documents = append(documents, s.roleFor(fmt.Sprintf("%s-%d", g.name, i), g.name, granted)...)
	}
	file := filepath.Join(g.repository, "permissions.yaml")
	s.must(os.WriteFile(file, []byte(strings.Join(documents, "\n---\n")), 0o600))
}

// roleFor returns a role with rules, and its binding to the installer of an extension.
func (s *story) roleFor(name, extension string, granted scoped) []string {
	s.t.Helper()
	prefix := ""
	if granted.Namespace == "" {
		prefix = "Cluster"
	}
	meta := metav1.ObjectMeta{Name: name, Namespace: granted.Namespace}
	subject := rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: extension, Name: extension + "-installer"}
	var documents []string
	for _, object := range []any{
		rbacv1.Role{TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: prefix + "Role"}, ObjectMeta: meta, Rules: granted.Rules},
		rbacv1.RoleBinding{
			TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: prefix + "RoleBinding"}, ObjectMeta: meta,
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: prefix + "Role", Name: name},
			Subjects: []rbacv1.Subject{subject},
		},
	} {
		text, err := yaml.Marshal(object)
		s.must(err)
		documents = append(documents, string(text))
	}
	return documents
}

// upgradeTo sets the version of all copies, and applies them.
func (s *story) upgradeTo(version string, copies []grown) {
	s.t.Helper()
	var all []less
	for _, g := range copies {
		all = append(all, g.less)
	}
	s.applyLess(all, version)
}

// expectRefused expects that the controller reports exactly the permissions as missing that are not granted.
func (s *story) expectRefused(g grown) {
	s.t.Helper()
	failure := s.awaitFailureWith(g.name, preauthorization)
	if missing := anyRole(s.errorsOf(g.less, failure)); !sameRules(missing, g.removed) {
		s.t.Errorf("with %s, %s\npreflight --errors: %v, want %v", g.what, failure, missing, g.removed)
	}
}

// expectOnlyRoles expects that an installer that is limited to the names of roles lacks only the roles and bindings with the
// names of the new version, as many as the note of the comparison counts.
func (s *story) expectOnlyRoles(g grown) {
	s.t.Helper()
	failure := s.awaitFailureWith(g.name, preauthorization)
	named := map[string]bool{}
	for _, missing := range s.errorsOf(g.less, failure) {
		for _, rule := range missing.Rules {
			if !isAboutRoles(rule) || len(rule.ResourceNames) == 0 {
				s.t.Errorf("with %s, %v is missing in %q, which is not about the name of a role", g.what, rule, missing.Namespace)
			}
			for _, resource := range rule.Resources {
				for _, name := range rule.ResourceNames {
					named[missing.Namespace+" "+resource+" "+name] = true
				}
			}
		}
	}
	note := fmt.Sprintf("%d roles and bindings have a name that the old version does not have", len(named))
	notes := s.compare(g).Notes
	if len(named) == 0 || !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, note) }) {
		s.t.Errorf("%s\nmissing: %v\nbut the notes are %q", failure, slices.Sorted(maps.Keys(named)), notes)
	}
}

// anyRole removes the names of roles and bindings from rules, as `salint bundle-diff` does.
func anyRole(all []scoped) []scoped {
	for _, one := range all {
		for i := range one.Rules {
			if isAboutRoles(one.Rules[i]) {
				one.Rules[i].ResourceNames = nil
			}
		}
	}
	return all
}

// collections removes from rules what an installer does with single roles and bindings, which can be limited to names.
func collections(all []scoped) (left []scoped) {
	for _, one := range all {
		var rules []rbacv1.PolicyRule
		for _, rule := range one.Rules {
			if isAboutRoles(rule) {
				rule.Verbs = slices.DeleteFunc(slices.Clone(rule.Verbs), func(verb string) bool { return !slices.Contains(collectionVerbs, verb) })
			}
			if len(rule.Verbs) > 0 {
				rules = append(rules, rule)
			}
		}
		left = append(left, scoped{one.Namespace, rules})
	}
	return left
}

// collectionVerbs are verbs that cannot be limited to names, or are not by OLM.
var collectionVerbs = []string{"create", "list", "watch"}

func isAboutRoles(rule rbacv1.PolicyRule) bool {
	return slices.Equal(rule.APIGroups, []string{rbacv1.GroupName})
}

// refused returns what the installer cannot do among what is new. It always lacks what is new for installers. It can have
// what is new for an account of the operator, because another account of the old version has it.
func refused(g grown, all []growth) []scoped {
	var found []scoped
	for _, one := range all {
		rules := scopes([]growth{one})
		if one.Part != "installer" {
			rules = uncovered(rules, g.granted)
		}
		found = append(found, rules...)
	}
	return merge(found)
}

// scopes returns the rules of what is new by namespace.
func scopes(all []growth) (rules []scoped) {
	for _, one := range all {
		if len(one.Rules) > 0 {
			rules = append(rules, scoped{one.Namespace, one.Rules})
		}
	}
	return merge(rules)
}

// merge returns one element for each namespace, in order.
func merge(all []scoped) []scoped {
	rules := map[string][]rbacv1.PolicyRule{}
	for _, one := range all {
		rules[one.Namespace] = append(rules[one.Namespace], one.Rules...)
	}
	var merged []scoped
	for _, namespace := range slices.Sorted(maps.Keys(rules)) {
		merged = append(merged, scoped{namespace, rules[namespace]})
	}
	return merged
}

// uncovered returns the rules that others do not grant, broken down to single permissions.
func uncovered(rules, others []scoped) (left []scoped) {
	for _, one := range rules {
		var held []rbacv1.PolicyRule
		for _, other := range others {
			if other.Namespace == "" || other.Namespace == one.Namespace {
				held = append(held, other.Rules...)
			}
		}
		if covered, missing := validation.Covers(held, one.Rules); !covered {
			left = append(left, scoped{one.Namespace, missing})
		}
	}
	return left
}
