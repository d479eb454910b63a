package vet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/nearest"
)

// metadataFields are those of the metadata of every object. The API server drops any other.
//
// Source: ObjectMeta in k8s.io/apimachinery/pkg/apis/meta/v1, with the fields of former releases.
var metadataFields = []string{
	"annotations", "clusterName", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generateName",
	"generation", "initializers", "labels", "managedFields", "name", "namespace", "ownerReferences", "resourceVersion", "selfLink", "uid",
}

// checkReferences reports references to what does not exist.
func (c *checker) checkReferences(s *scope) {
	visit := func(t *ast.Term) bool {
		if ref, is := t.Value.(ast.Ref); is {
			at := cmp.Or(t.Location, ref[0].Location, s.rule.Location) // what the compiler makes has no place
			c.checkData(at, ref)
			for _, full := range s.expand(ref, 0) {
				c.checkResource(at, full)
				c.checkShape(s, at, full)
			}
		}
		return false
	}
	ast.WalkTerms(s.rule.Head, visit)
	ast.WalkTerms(s.rule.Body, visit)
}

// checkData reports a reference into data that neither a policy nor a file of data defines.
func (c *checker) checkData(at *ast.Location, ref ast.Ref) {
	if !ref[0].Equal(ast.DefaultRootDocument) {
		return
	}
	prefix := ref.ConstantPrefix()
	if len(prefix) < 2 || len(c.Compiler.GetRules(prefix)) > 0 || len(c.Compiler.GetRulesWithPrefix(prefix)) > 0 {
		return
	}
	for length := 2; length <= len(prefix); length++ {
		if len(c.Compiler.GetRulesExact(prefix[:length])) > 0 {
			return // a key of what a rule defines
		}
		if _, found := document(c.Documents, prefix[1:length]); found || len(c.Compiler.GetRulesWithPrefix(prefix[:length])) > 0 {
			continue
		}
		c.fail(at, "nothing defines %v: %s", prefix[:length], c.remedy(prefix[:length]))
		return
	}
}

// remedy returns what to write instead of a reference that leads nowhere.
func (c *checker) remedy(ref ast.Ref) string {
	name, _ := ref[len(ref)-1].Value.(ast.String)
	if meant := nearest.Name(string(name), c.keysBelow(ref[:len(ref)-1])); meant != "" {
		return "did you mean " + ref[:len(ref)-1].String() + "." + meant + "?"
	}
	if strings.HasPrefix(ref.String(), "data.salint.") {
		return "check the import of its package and the spelling of its name"
	}
	return "add it to data.json or data.yaml beside the policies, or read it with object.get(data, …) if it is optional"
}

// keysBelow returns the names that data has at a path.
func (c *checker) keysBelow(ref ast.Ref) []string {
	keys := map[string]bool{}
	if value, found := document(c.Documents, ref[1:]); found {
		if object, is := value.(map[string]any); is {
			for key := range object {
				keys[key] = true
			}
		}
	}
	for _, rule := range c.Compiler.GetRulesWithPrefix(ref) {
		if path := rule.Ref(); len(path) > len(ref) {
			if key, is := path[len(ref)].Value.(ast.String); is {
				keys[string(key)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// expand returns a reference with its variable replaced by the references that define it.
func (s *scope) expand(ref ast.Ref, depth int) []ast.Ref {
	all := []ast.Ref{ref}
	head, is := ref[0].Value.(ast.Var)
	if !is || depth > maxDepth {
		return all
	}
	for _, defined := range s.definitions[head] {
		if from, isRef := defined.Value.(ast.Ref); isRef && !from.HasPrefix(ref) {
			all = append(all, s.expand(from.Concat(ref[1:]), depth+1)...)
		}
	}
	return all
}

// checkResource reports a field of the metadata of an object that no object has.
func (c *checker) checkResource(at *ast.Location, ref ast.Ref) {
	if problem := objectProblem(ref); problem != "" {
		c.fail(at, "%s", problem)
	}
}

// objectProblem returns the problem with a reference into an object; "" if there is none.
func objectProblem(ref ast.Ref) string {
	for i := 1; i < len(ref)-1; i++ {
		step, key := constantStep(ref[i]), constantStep(ref[i+1])
		switch {
		case step == "resource" && key != "metadata" && key != "apiVersion" && key != "":
			if meant := nearest.Name(key, []string{"metadata", "apiVersion"}); meant != "" {
				return fmt.Sprintf("an object has no field %s: did you mean %s?", key, meant)
			}
		case step == "metadata" && constantStep(ref[i-1]) == "resource" && key != "" && !slices.Contains(metadataFields, key):
			return fmt.Sprintf("the metadata of an object has no field %s: %s", key, nearest.Suggestion(key, metadataFields))
		}
	}
	return ""
}

// constantStep returns a step of a reference that is a string; otherwise "".
func constantStep(t *ast.Term) string {
	s, _ := t.Value.(ast.String)
	return string(s)
}
