package policies

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// kindField finds the kinds that a document names.
var kindField = lazyregexp.New(`\bkind["']?\s*:\s*["']?(\w+)`)

// FurtherKinds returns the kinds of the constraints of Gatekeeper in a tree, of which each template defines another one, and those of the parameters of
// policies, and those of custom resources that name an account, unless some of their objects are known already.
func FurtherKinds(ctx context.Context, tree loader.Tree, known map[string][]string) (map[string][]string, error) {
	var mu sync.Mutex
	kinds := map[string][]string{}
	_, err := tree.Walk(ctx, repo.WalkOptions{}, func(f repo.File) {
		if !slices.ContainsFunc(furtherWords, func(word []byte) bool { return bytes.Contains(f.Data, word) }) {
			return
		}
		for _, doc := range manifest.Scan(f.Path, f.Data).Docs {
			mu.Lock()
			addKinds(kinds, doc.Kind(), doc.Bytes())
			addNaming(kinds, known, doc)
			mu.Unlock()
		}
	})
	return kinds, err
}

var furtherWords = [][]byte{[]byte(ConstraintGroup), []byte("paramKind"), []byte(kyvernoGroup), []byte(accountField)}

// accountField begins the names of all fields that name an account.
const accountField = "serviceAccount"

// addNaming adds the kind of a custom resource that names an account, with nil for all objects of the kind: what else they do is not compared.
func addNaming(kinds, known map[string][]string, doc *manifest.Document) {
	group, _, _ := strings.Cut(doc.APIVersion(), "/")
	if IsCustom(group) && doc.Kind() != "" && len(known[doc.Kind()]) == 0 && bytes.Contains(doc.Bytes(), []byte(accountField)) {
		kinds[doc.Kind()] = nil
	}
}

// IsCustom reports whether an API group is that of custom resources of which salint knows nothing further.
func IsCustom(group string) bool {
	return strings.Contains(group, ".") && !slices.ContainsFunc([]string{".k8s.io", ".fluxcd.io", "olm.operatorframework.io"}, func(suffix string) bool {
		return strings.HasSuffix(group, suffix) && group != "infra.contrib.fluxcd.io"
	})
}

func addKinds(kinds map[string][]string, kind string, text []byte) {
	if bytes.Contains(text, []byte(ConstraintGroup)) && kind != "" {
		kinds[kind] = []string{ConstraintGroup}
	}
	if bytes.Contains(text, []byte("paramKind")) {
		for _, found := range kindField().FindAllSubmatch(text, -1) {
			if name := string(found[1]); name != kind {
				kinds[name] = nil
			}
		}
	}
	if bytes.Contains(text, []byte(kyvernoGroup)) && bytes.Contains(text, []byte("configMap:")) {
		kinds["ConfigMap"] = nil
	}
}

// Parameters are the objects from which policies take what they allow.
type Parameters struct{ refs []parameter }

type parameter struct {
	policy          *objects.Object
	group, kind     string
	namespace, name string
	selector        labels.Selector // nil if the reference has a name
}

// ParametersOf reads the references of policies to parameters: paramRef of bindings, and ConfigMaps in the context of Kyverno's rules.
func ParametersOf(all []*objects.Object) Parameters {
	var p Parameters
	byName := map[string]*objects.Object{}
	for _, o := range all {
		if o.Group == Group && strings.HasSuffix(o.Kind, "AdmissionPolicy") {
			byName[o.Kind+o.Name] = o
		}
	}
	for _, o := range all {
		switch {
		case o.Group == Group && strings.HasSuffix(o.Kind, "AdmissionPolicyBinding"):
			policy := byName[strings.TrimSuffix(o.Kind, "Binding")+jsonfield.Text(jsonfield.At(o, "spec", "policyName"))]
			if policy != nil {
				p.addBinding(o, policy)
			}
		case o.Group == kyvernoGroup && Is(o):
			p.addContext(o, o.JSON()["spec"])
		}
	}
	return p
}

func (p *Parameters) addBinding(binding, policy *objects.Object) {
	ref, _ := jsonfield.At(binding, "spec", "paramRef").(map[string]any)
	version, kind := jsonfield.Text(jsonfield.At(policy, "spec", "paramKind", "apiVersion")), jsonfield.Text(jsonfield.At(policy, "spec", "paramKind", "kind"))
	if ref == nil || kind == "" {
		return
	}
	group, _ := objects.SplitAPIVersion(version)
	one := parameter{policy: binding, group: group, kind: kind, namespace: jsonfield.Text(ref["namespace"]), name: jsonfield.Text(ref["name"])}
	if one.name == "" {
		selector, ok := selectorOf(ref["selector"])
		if !ok {
			return
		}
		one.selector = selector
	}
	p.refs = append(p.refs, one)
}

// addContext adds the ConfigMaps in the context of rules.
func (p *Parameters) addContext(policy *objects.Object, value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			p.addContext(policy, item)
		}
	case map[string]any:
		for key, item := range v {
			ref, isMap := item.(map[string]any)
			if key == "configMap" && isMap && jsonfield.Text(ref["name"]) != "" {
				p.refs = append(p.refs, parameter{policy: policy, kind: "ConfigMap", namespace: jsonfield.Text(ref["namespace"]), name: jsonfield.Text(ref["name"])})
				continue
			}
			if key != "generate" && key != "mutate" {
				p.addContext(policy, item)
			}
		}
	}
}

// Of returns a policy, or a binding, that takes parameters from an object; nil if none does.
func (p Parameters) Of(o *objects.Object) *objects.Object {
	for _, ref := range p.refs {
		if ref.group != o.Group || ref.kind != o.Kind || ref.namespace != "" && o.Namespace != "" && ref.namespace != o.Namespace {
			continue
		}
		if ref.selector == nil && ref.name == o.Name || ref.selector != nil && ref.selector.Matches(labelsOf(o, o)) {
			return ref.policy
		}
	}
	return nil
}
