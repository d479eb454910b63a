package unread

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
)

// The kinds of the Flux Operator that make objects of templates, and that hold inputs for them.
//
// Source: https://fluxcd.control-plane.io/operator/resourceset/.
const (
	setGroup          = "fluxcd.controlplane.io"
	kindSet           = "ResourceSet"
	KindInputProvider = "ResourceSetInputProvider"
)

// anyInput stands for all inputs of a template that does not name them.
const anyInput = "*"

var (
	inputName = lazyregexp.New(`\binputs\.(\w+)|\binputs\s+"(\w+)"`)
	templated = lazyregexp.New(`<<.*inputs`)
	grants    = lazyregexp.New(`\b(?:ClusterRoleBinding|RoleBinding|ClusterRole|Role|Kustomization|HelmRelease|Application|ClusterExtension|ResourceSet)\b`)
)

// otherInputs returns the ResourceSets of both states of which inputs that decide what their objects grant have other values. The templates are
// not evaluated.
func otherInputs(before, after State) (list []Part) {
	then := setsOf(before.Repository)
	now := setsOf(after.Repository)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		old, set := then[key], now[key]
		if old == nil || !after.Selected(set.object.File) && !after.selectsProvider(set) {
			continue
		}
		var changed []string
		for _, input := range set.deciding {
			if set.values(input) != old.values(input) {
				changed = append(changed, input)
			}
		}
		if len(changed) > 0 {
			list = append(list, Part{
				Message: fmt.Sprintf("%s %s makes objects that grant something of inputs with other values (%s), and its templates are not evaluated", kindSet, key, words.And(changed)),
				Place:   set.place(), Places: 1, Before: true, After: true, New: true,
			})
		}
	}
	return list
}

// inputSet is a ResourceSet with the providers of its inputs.
type inputSet struct {
	object    *objects.Object
	providers []*objects.Object
	// deciding are the inputs that decide, sorted.
	deciding []string
}

func (s State) selectsProvider(set *inputSet) bool {
	return slices.ContainsFunc(set.providers, func(p *objects.Object) bool { return s.Selected(p.File) })
}

func (s *inputSet) place() objects.Position { return s.object.Position(nil) }

// setsOf returns the ResourceSets of a repository with inputs that decide, by namespace and name.
func setsOf(r *loader.Repository) map[string]*inputSet {
	var sets, providers []*objects.Object
	seen := map[*objects.Object]bool{}
	for _, u := range r.Units {
		for _, o := range u.Objects {
			switch {
			case o.Group != setGroup || seen[o]:
			case o.Kind == kindSet:
				sets = append(sets, o)
			case o.Kind == KindInputProvider:
				providers = append(providers, o)
			}
			seen[o] = true
		}
	}
	found := map[string]*inputSet{}
	for _, o := range sets {
		set := &inputSet{object: o, deciding: decidingInputs(o)}
		if len(set.deciding) == 0 {
			continue
		}
		for _, p := range providers {
			if provides(o, p) {
				set.providers = append(set.providers, p)
			}
		}
		found[strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")] = set
	}
	return found
}

// provides reports whether a ResourceSet takes inputs from a provider.
func provides(set, p *objects.Object) bool {
	if set.Namespace != p.Namespace {
		return false
	}
	return slices.ContainsFunc(jsonfield.List(jsonfield.At(set, "spec", "inputsFrom")), func(from any) bool {
		fields, _ := from.(map[string]any)
		return fields["selector"] != nil || jsonfield.Text(fields["name"]) == p.Name
	})
}

// decidingInputs returns the inputs that templates of a ResourceSet use in what grants something.
func decidingInputs(set *objects.Object) []string {
	names := map[string]bool{}
	add := func(text string) {
		matches := inputName().FindAllStringSubmatch(text, -1)
		for _, m := range matches {
			names[m[1]+m[2]] = true
		}
		if len(matches) == 0 && templated().MatchString(text) {
			names[anyInput] = true
		}
	}
	for _, item := range jsonfield.List(jsonfield.At(set, "spec", "resources")) {
		resource, _ := item.(map[string]any)
		kind := jsonfield.Text(resource["kind"])
		add(kind)
		isGrant := grants().MatchString(kind) || strings.Contains(kind, "<<")
		origin.Leaves(resource, func(name string, leaf any) {
			text, is := leaf.(string)
			isLabel := strings.HasPrefix(name, ".metadata.labels") || strings.HasPrefix(name, ".metadata.annotations")
			if is && strings.Contains(text, "<<") && (isGrant && !isLabel || strings.Contains(name, "serviceAccount")) {
				add(text)
			}
		})
	}
	if text := jsonfield.Text(jsonfield.At(set, "spec", "resourcesTemplate")); grants().MatchString(text) || strings.Contains(text, "serviceAccount") {
		for doc := range strings.SplitSeq("\n"+text, "\n---") {
			if grants().MatchString(doc) || strings.Contains(doc, "serviceAccount") {
				add(doc)
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// values identifies the values of an input.
func (s *inputSet) values(input string) string {
	var all []any
	for _, item := range jsonfield.List(jsonfield.At(s.object, "spec", "inputs")) {
		all = append(all, inputOf(item, input))
	}
	for _, p := range s.providers {
		spec, _ := p.JSON()["spec"].(map[string]any)
		all = append(all, inputOf(spec["defaultValues"], input))
		if jsonfield.Text(spec["type"]) != "Static" { // its values come from elsewhere
			for _, key := range []string{"type", "url", "filter", "secretRef"} {
				all = append(all, spec[key])
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(text)
}

func inputOf(value any, input string) any {
	fields, _ := value.(map[string]any)
	if input == anyInput {
		return fields
	}
	return fields[input]
}
