package fixers_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// This file works out permissions by simpler means than salint: it splits files at document markers, decodes them into maps,
// and searches all of them for every question.

type object map[string]any

func (o object) text(path ...string) string {
	var value any = map[string]any(o)
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	text, _ := value.(string)
	return text
}

func (o object) list(key string) []object {
	items, _ := o[key].([]any)
	var list []object
	for _, item := range items {
		list = append(list, item.(map[string]any))
	}
	return list
}

// worlds returns the objects of each kustomization of a repository, by its folder; without kustomizations, the objects of all
// files under "".
func worlds(t *testing.T, repo verifytest.Repo) map[string][]object {
	t.Helper()
	found := map[string][]object{}
	for file, text := range repo {
		if path.Base(file) != "kustomization.yaml" {
			continue
		}
		var k struct{ Resources []string }
		if err := yaml.Unmarshal([]byte(text), &k); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[path.Dir(file)] = nil
		for _, entry := range k.Resources {
			listed := path.Join(path.Dir(file), entry)
			if _, ok := repo[listed]; !ok {
				t.Fatalf("%s lists %s, which is not there", file, entry)
			}
			found[path.Dir(file)] = append(found[path.Dir(file)], objectNames(t, listed, repo[listed])...)
		}
	}
	if len(found) == 0 {
		for _, file := range repo.Tree().Names() {
			found[""] = append(found[""], objectNames(t, file, repo[file])...)
		}
	}
	return found
}

func objectNames(t *testing.T, file, text string) []object {
	t.Helper()
	var list []object
	for _, part := range strings.Split("\n"+text, "\n---") {
		var o object
		if err := yaml.Unmarshal([]byte(part), &o); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, part)
		}
		switch {
		case o == nil:
		case o.text("kind") == "List":
			list = append(list, o.list("items")...)
		default:
			list = append(list, o)
		}
	}
	return list
}

// identity is the list of names under which bindings can name one identity.
type identity []string

func account(namespace, name string) identity {
	return identity{
		"ServiceAccount " + namespace + "/" + name, "User system:serviceaccount:" + namespace + ":" + name,
		"Group system:serviceaccounts", "Group system:serviceaccounts:" + namespace,
	}
}

func synthetic(extension string) identity {
	return identity{"User olm:clusterextension:" + extension, "Group olm:clusterextensions"}
}

// may returns what an identity is granted.
func may(world []object, who identity) map[string]bool {
	granted := map[string]bool{}
	for _, o := range world {
		if !strings.HasSuffix(o.text("kind"), "RoleBinding") {
			continue
		}
		scope := o.text("metadata", "namespace")
		if o.text("kind") == "ClusterRoleBinding" {
			scope = "everywhere"
		}
		for _, s := range o.list("subjects") {
			name := s.text("kind") + " " + s.text("name")
			if s.text("kind") == "ServiceAccount" {
				name = "ServiceAccount " + s.text("namespace") + "/" + s.text("name")
			}
			if slices.Contains(who, name) {
				granted[fmt.Sprintf("%s %s in %s", o.text("roleRef", "kind"), o.text("roleRef", "name"), scope)] = true
			}
		}
	}
	return granted
}

// actor returns the identity as which OLM acts for an extension if identities count.
func actor(extension object) identity {
	if name := extension.text("spec", "serviceAccount", "name"); name != "" {
		return account(extension.text("spec", "namespace"), name)
	}
	return synthetic(extension.text("metadata", "name"))
}

// missing returns what is granted in a but not in b.
func missing(a, b map[string]bool) []string {
	var list []string
	for grant := range a {
		if !b[grant] {
			list = append(list, grant)
		}
	}
	slices.Sort(list)
	return list
}
