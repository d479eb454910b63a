package helm

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/render/templates/source"
)

// writeTemplates adds the templates of the bindings, and declares what units render of them.
func writeTemplates(c *engine.Context, p *engine.Plan, scopes []*bindingTemplate) error {
	for _, s := range scopes {
		if len(s.grants) == 0 {
			continue
		}
		unique, err := declareBindings(c, p, s)
		if err != nil {
			return err
		}
		if err := writeTemplate(c, p, s, unique); err != nil {
			return err
		}
	}
	return nil
}

// declareBindings says which bindings every unit renders. Where one of their names is taken by something else, all get a
// hash that tells them apart.
func declareBindings(c *engine.Context, p *engine.Plan, s *bindingTemplate) (unique bool, err error) {
	for i, m := range s.members {
		bindings, err := s.bindings(c, i, false)
		if err != nil {
			return false, err
		}
		for j, b := range bindings {
			if !identity.IsNameTaken(c, m.Variant, b) {
				continue
			}
			if !s.isLiteral(s.grants[j]) {
				return false, engine.Refuse("%s exists in %s and grants something else: %s", b.Identity(), m.unit, bindByHand)
			}
			unique = true
		}
	}
	for i, m := range s.members {
		bindings, err := s.bindings(c, i, unique)
		if err != nil {
			return false, err
		}
		for _, b := range bindings {
			identity.ReserveName(c, m.Variant, b)
			p.Added = append(p.Added, engine.AppliedObject{Unit: m.unit, JSON: b.Value()})
		}
	}
	return unique, nil
}

// writeTemplate adds the template with the bindings of a scope: within the same blocks as the extension and its field.
func writeTemplate(c *engine.Context, p *engine.Plan, s *bindingTemplate, unique bool) error {
	m := s.members[0]
	file := templateFile(c, s)
	name := chartOf(m.template.Name)
	name = fmt.Sprintf("%s.salint.%s", path.Base(name), strings.TrimSuffix(path.Base(file), path.Ext(file)))
	inner, err := s.fieldBlocks(m)
	if err != nil {
		return err
	}
	body, err := s.body(c, unique, inner)
	if err != nil {
		return err
	}
	text, err := s.wrap(name, inner, body)
	if err == nil {
		_, err = source.Parse(file, text)
	}
	if err != nil {
		line, column := s.name.scalar.Scope.File.Position(s.name.scalar.Span.Start)
		return engine.Refuse("bindings for the extension at %s:%d:%d cannot be written in a template beside it: %v: %s",
			s.name.scalar.Source.File, line, column, err, bindByHand)
	}
	p.Documents = append(p.Documents, engine.Document{
		File: file, Text: text, Template: true, CRLF: strings.Contains(m.template.Source, "\r\n"),
		Object: engine.ObjectName{
			Group: rbac.Group, Kind: "ClusterRoleBinding", Name: olm.PlainBindingName(s.name.bare, s.grants[0].role.bare),
		},
	})
	return nil
}

// templateFile is a file for the bindings that is not there yet, called after the extension, or after its template where
// that writes several.
func templateFile(c *engine.Context, s *bindingTemplate) string {
	m := s.members[0]
	stem := strings.TrimSuffix(path.Base(m.template.File), path.Ext(m.template.File))
	if s.name.isLiteral() {
		stem = strings.TrimSuffix(path.Base(identity.GeneratedFile(m.Variant, identity.SyntheticFile)), identity.SyntheticFile)
	}
	ending := strings.TrimSuffix(identity.SyntheticFile, ".yaml")
	file := path.Join(path.Dir(m.template.File), stem+ending+".yaml")
	for n := 2; isThere(c, file); n++ {
		file = path.Join(path.Dir(m.template.File), fmt.Sprintf("%s%s-%d.yaml", stem, ending, n))
	}
	stateOf(c).files[file] = true
	return file
}

// isThere tells whether there is a file, or this run generates it.
func isThere(c *engine.Context, file string) bool {
	_, err := c.Repo.Read(file)
	return err == nil || stateOf(c).files[file]
}

// fieldBlocks are the blocks around the field that are not around the name: without them there is no account, and so no
// binding.
func (s *bindingTemplate) fieldBlocks(m *renderedExtension) ([]source.Guard, error) {
	if m.Account.State == olm.Absent {
		return nil, nil
	}
	origin, err := m.rendering.reader.Field(m.template, m.Object.Text(), m.Account.Path)
	if err != nil {
		return nil, refuseUncertain(err, removeByHand)
	}
	name := s.name.scalar.Origin
	at, in := origin.Scope.File.Scope(origin.Key), origin.Source.Name
	for _, call := range origin.Calls {
		if in == name.Source.Name && at.Define() == name.Scope.Define() {
			break
		}
		if blocks := withoutDefine(at.Guards); len(blocks) > 0 {
			return nil, engine.Refuse("%s is written inside a block of %s at line %d, but its extension is written "+
				"elsewhere: %s",
				m.Account.Path, in, blocks[0].Line, bindByHand)
		}
		at, in = call.Scope, call.Source.Name
	}
	extra := at.Guards[min(len(name.Scope.Guards), len(at.Guards)):]
	for i, guard := range name.Scope.Guards {
		if i < len(at.Guards) && guard.Span != at.Guards[i].Span {
			return nil, engine.Refuse("%s and the name of its extension are written in different blocks, at line %d and line "+
				"%d: %s",
				m.Account.Path, at.Guards[i].Line, guard.Line, bindByHand)
		}
	}
	if i := slices.IndexFunc(extra, func(g source.Guard) bool { return g.Word == "range" }); i >= 0 {
		return nil, engine.Refuse("%s is written inside a range at line %d: %s", m.Account.Path, extra[i].Line, bindByHand)
	}
	return extra, nil
}

// extensionVariable stands for the dot where the name of the extension is written.
const extensionVariable = "$extension"

// wrap puts the blocks around the bindings.
func (s *bindingTemplate) wrap(name string, inner []source.Guard, body string) (string, error) {
	origin := s.name.scalar.Origin
	if len(inner) == 0 {
		return origin.Wrap(name, body)
	}
	scope := source.Scope{File: origin.Scope.File, Guards: inner}
	if len(dotBlocks(scope)) == 0 {
		wrapped, err := scope.Wrap(body)
		if err != nil {
			return "", err
		}
		return origin.Wrap(name, wrapped)
	}
	rebased, ok := withDot(body, extensionVariable)
	if !ok {
		return "", fmt.Errorf("a block in the name changes the meaning of the dot")
	}
	wrapped, err := scope.Wrap(rebased)
	if err != nil {
		return "", err
	}
	if rebased != body {
		wrapped = "{{- " + extensionVariable + " := . }}\n" + wrapped
	}
	return origin.Wrap(name, wrapped)
}

// body writes the bindings, one document each, to stand in some blocks.
func (s *bindingTemplate) body(c *engine.Context, unique bool, inner []source.Guard) (string, error) {
	var b strings.Builder
	for i, g := range s.grants {
		role, err := g.role.at(s.name)
		if err != nil {
			return "", err
		}
		scope, err := g.scope.at(s.name)
		if err != nil {
			return "", err
		}
		text, err := s.binding(c, i, role, scope, unique)
		if err != nil {
			return "", err
		}
		if text, err = wrapInConditions(conditionsBeyond(g.conditions, inner), "---\n"+text); err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// binding writes one of the bindings, as generated ones are written, with the wordings of the template in place of names.
func (s *bindingTemplate) binding(c *engine.Context, i int, role, scope templateValue, unique bool) (string, error) {
	m, slots := s.members[0], &placeholders{}
	ready, err := s.bindings(c, 0, unique)
	if err != nil {
		return "", err
	}
	o := ready[i]
	o.Metadata.Annotations = map[string]string{}
	for key, value := range generate.OrderAnnotations(m.Object) {
		o.Metadata.Annotations[key] = slots.valueOrPlaceholder(s.annotations[key], value)
	}
	o.RoleRef = &generate.Reference{APIGroup: o.RoleRef.APIGroup, Kind: o.RoleRef.Kind, Name: slots.valueOrPlaceholder(role, o.RoleRef.Name)}
	o.Metadata.Namespace = slots.valueOrPlaceholder(scope, o.Metadata.Namespace)
	if !s.isLiteral(s.grants[i]) {
		if s.name.bare == "" || role.bare == "" {
			return "", engine.Refuse("the name of the binding cannot be composed from %s and %s: %s", s.name.text, role.text, bindByHand)
		}
		o.Metadata.Name = slots.put(olm.PlainBindingName(s.name.bare, role.bare))
	}
	subject := o.Subjects[0]
	if subject.Kind == rbac.KindUser && !s.name.isLiteral() {
		if s.name.bare == "" {
			return "", engine.Refuse("the name of the identity cannot be composed from %s: %s", s.name.text, bindByHand)
		}
		subject.Name = slots.put(olm.User(s.name.bare))
	}
	o.Subjects = []generate.Reference{subject}
	return slots.fill(o.Text()), nil
}

// placeholders keep the places in a YAML text for what only a template may hold.
type placeholders struct{ texts []string }

// put gives a word that stands for a text.
func (s *placeholders) put(text string) string {
	s.texts = append(s.texts, text)
	return fmt.Sprintf("slot-%d-of-a-template", len(s.texts)-1)
}

// valueOrPlaceholder gives the value where it is always that, else a word that stands for its wording.
func (s *placeholders) valueOrPlaceholder(w templateValue, value string) string {
	if w.text == "" || w.isLiteral() {
		return value
	}
	return s.put(w.text)
}

func (s *placeholders) fill(text string) string {
	for i, t := range s.texts {
		text = strings.Replace(text, fmt.Sprintf("slot-%d-of-a-template", i), t, 1)
	}
	return text
}
