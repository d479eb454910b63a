package identity

import (
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// variable is a variable that Flux substitutes after a build.
var variable = lazyregexp.New(`\$\{[^{}$]+\}`)

// nameWithVariables returns the name in the file if all variants differ from it only by the values of its variables; "" if
// not. What is generated beside the file then has the same variables, so that it fits every cluster. That the values
// are the same there is proven by building all units.
func nameWithVariables(variants []*Variant) string {
	source := variants[0].Object.Source()
	if source == nil || !variable().MatchString(source.Name) {
		return ""
	}
	parts := variable().Split(source.Name, -1)
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

// document returns a generated object as it is written to a file.
func (v *Variant) document(file string, o Generated, all []Generated) engine.Document {
	written := v.inFile(o, all)
	return engine.Document{File: file, Object: written.ObjectName(), Text: written.Text(), CRLF: usesCRLF(v), NoFinalBreak: lacksFinalBreak(v)}
}

// checkSharedFile refuses variants that would share a file by their variables and need different objects in it.
func checkSharedFile(p *engine.Plan, v *Variant, file string, generated, all []Generated) error {
	there := 0
	for _, d := range p.Documents {
		if d.File == file {
			there++
		}
	}
	if v.withVariables == "" || there == 0 {
		return nil
	}
	isOther := func(o Generated) bool { return !slices.Contains(p.Documents, v.document(file, o, all)) }
	if there == len(generated) && !slices.ContainsFunc(generated, isOther) {
		return nil
	}
	return engine.Refuse("%s needs other objects in %s than other units that apply %s with other variables: write them in each unit by hand",
		v.Units[0], file, v.Object.File)
}
