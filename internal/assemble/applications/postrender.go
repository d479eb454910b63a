package applications

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// postRender takes the objects out of a unit that patches of postRenderers change: their applied form is unknown, so neither a
// finding nor a fix for them would hold. A fix of their chart would also make patches fail that name a removed field.
func postRender(u *objects.Unit, s gitops.Source, release string) {
	var changed []*objects.Object
	var at gitops.Location
	for _, renderer := range s.Helm.PostRenderers {
		for _, patch := range renderer.Patches {
			for _, o := range u.Objects {
				if isFrom(o, s.Path.Value) && mayPatch(patch, o) && !slices.Contains(changed, o) {
					changed, at = append(changed, o), patch.Location
				}
			}
		}
	}
	if len(changed) == 0 {
		return
	}
	var names []string
	for _, o := range changed {
		names = append(names, strings.TrimSpace(o.Kind+" "+o.Name))
	}
	message := fmt.Sprintf("postRenderers are not supported: what they change was not checked: %s", strings.Join(names[:min(len(names), 3)], ", "))
	if len(names) > 3 {
		message += fmt.Sprintf(", and %d more", len(names)-3)
	}
	u.Objects = slices.DeleteFunc(slices.Clone(u.Objects), func(o *objects.Object) bool { return slices.Contains(changed, o) })
	u.Problems = slices.DeleteFunc(slices.Clone(u.Problems), func(p objects.Problem) bool { return p == unsupported(s) })
	u.Problems = append(u.Problems, problemAt(at, message))
	u.LeftOut = append(u.LeftOut[:len(u.LeftOut):len(u.LeftOut)], objects.LeftOut{
		Position: at.Position(), Reason: "postRenderers change what the chart renders, and salint does not apply them",
		Files: []string{s.Path.Value, release}, Missing: true,
	})
}

// unsupported is the problem of postRenderers that change no object in question.
func unsupported(s gitops.Source) objects.Problem {
	return problemAt(s.Location, "postRenderers are not supported: objects were checked as the chart renders them")
}

// isFrom reports whether an object is rendered by a chart.
func isFrom(o *objects.Object, chart string) bool {
	return strings.HasPrefix(o.File, chart+"/") || chart == "."
}

// mayPatch reports whether a patch may change an object: its target selects it, or the patch itself names it. A patch that says
// neither may change any object.
func mayPatch(p gitops.Patch, o *objects.Object) bool {
	if p.Target != nil {
		return selects(p.Target["group"], o.Group) && selects(p.Target["kind"], o.Kind) && selects(p.Target["name"], o.Name)
	}
	var body struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if strings.Contains(p.Patch.Value, "\n---") || yaml.Unmarshal([]byte(p.Patch.Value), &body) != nil {
		return true
	}
	return (body.Kind == "" || body.Kind == o.Kind) && (body.Metadata.Name == "" || body.Metadata.Name == o.Name)
}

// selects reports whether a field of the target of a patch, a regular expression for the whole value, selects a value.
func selects(field any, value string) bool {
	pattern, _ := field.(string)
	if pattern == "" {
		return true
	}
	expression, err := regexp.Compile("^(?:" + pattern + ")$")
	return err != nil || expression.MatchString(value)
}
