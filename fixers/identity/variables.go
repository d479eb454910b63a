package identity

import (
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// variable is a variable that Flux substitutes after a build.
var variable = regexp.MustCompile(`\$\{[^{}$]+\}`)

// nameWithVariables returns the name in the file if all variants differ from it only by the values of its variables; "" if
// not. What is generated beside the file then has the same variables, so that it fits every cluster. That the values
// are the same there is proven by building all units.
func nameWithVariables(variants []*Variant) string {
	source := variants[0].Object.Source()
	if source == nil || !variable.MatchString(source.Name) {
		return ""
	}
	parts := variable.Split(source.Name, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	filled, err := regexp.Compile("^" + strings.Join(parts, ".+") + "$")
	if err != nil || strings.Contains(filled.String(), `\$`) {
		return ""
	}
	for _, v := range variants {
		if v.Object.Source() != source || v.NameTemplated || !filled.MatchString(v.Name) {
			return ""
		}
	}
	return source.Name
}

// nameInFile returns the name of the extension as it is written, with variables if generated objects have them.
func (v *Variant) nameInFile() string {
	if v.withVariables != "" {
		return v.withVariables
	}
	return v.Name
}

// inFile returns one of some generated objects as it is written: with the variables of the extension's name.
func (v *Variant) inFile(o Generated, all []Generated) Generated {
	if v.withVariables == "" {
		return o
	}
	if o.RoleRef != nil && o.refersToOneOf(all) {
		ref := *o.RoleRef
		ref.Name = v.generatedNameInFile(ref.Name)
		o.RoleRef = &ref
	}
	o.Metadata.Name = v.generatedNameInFile(o.Metadata.Name)
	o.Subjects = slices.Clone(o.Subjects)
	for i, s := range o.Subjects {
		if s.Kind == rbac.KindUser && s.Name == olm.User(v.Name) {
			o.Subjects[i].Name = olm.User(v.withVariables)
		}
	}
	o.Rules = slices.Clone(o.Rules)
	for i, rule := range o.Rules {
		if slices.Equal(rule.ResourceNames, []string{v.Name}) {
			o.Rules[i].ResourceNames = []string{v.withVariables}
		}
	}
	return o
}

// generatedNameInFile replaces the name of the extension at the start of the name of a generated object.
func (v *Variant) generatedNameInFile(name string) string {
	if rest, ok := strings.CutPrefix(name, olm.PlainBindingName(v.Name, "")); ok {
		return olm.PlainBindingName(v.withVariables, rest)
	}
	return name
}

// addDocuments adds generated objects to a file. Variants that share the file by its variables must need the same objects,
// which are added once.
func addDocuments(p *engine.Plan, v *Variant, documents []engine.Document) error {
	var there []engine.Document
	for _, d := range p.Documents {
		if len(documents) > 0 && d.File == documents[0].File {
			there = append(there, d)
		}
	}
	if len(there) == 0 || v.withVariables == "" {
		p.Documents = append(p.Documents, documents...)
		return nil
	}
	same := len(there) == len(documents) && !slices.ContainsFunc(documents, func(d engine.Document) bool { return !slices.Contains(there, d) })
	if !same {
		return engine.Refuse("%s needs other objects in %s than other units that apply %s with other variables: write them in each unit by hand",
			v.Units[0], documents[0].File, v.Object.File)
	}
	return nil
}
