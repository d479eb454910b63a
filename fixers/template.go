package fixers

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// templateFixers are the fixes of objects that a template of a chart was rendered to. One edit of a template reaches all
// that comes of it: other elements of a range, other sets of values, other charts. Those fixes that are not here are left
// to the user.
var templateFixers = map[string]fixer{
	RemoveServiceAccount:  removeFromTemplate,
	BindSyntheticIdentity: bindInTemplate,
	RenameAccountAlias:    replaceAliasInTemplate,
	DropAccountAlias:      replaceAliasInTemplate,
}

// byHand says what to do about an object of a chart where salint does not.
var byHand = map[string]string{
	AddServiceAccount:   "write the account, its bindings and the field into the chart by hand",
	CorrectSubject:      "correct the subject in the template by hand",
	PruneBinding:        "remove it from the template by hand",
	PruneInstaller:      "remove it from the template by hand",
	GrantFinalizers:     "write the rule into the chart by hand",
	GrantBundle:         "write the rules into the chart by hand",
	ReplaceClusterAdmin: "write the role and its binding into the chart by hand",
	AlignApplyOrder:     "give it the sync wave and hook of its extension in the template by hand",
	ProjectToken:        "write the projected volume into the template by hand",
	CompleteSubject:     "complete the subject in the template by hand",
	UnmountToken:        "write automountServiceAccountToken into the template by hand",
	SetTokenExpiry:      "set the date in the template, or in the values that it takes it from, by hand",
}

// fixTemplate is Fix for an object that has no file of its own.
func fixTemplate(c *Context, r Request) (*Plan, error) {
	if fix := templateFixers[r.Fixer]; fix != nil {
		return fix(c, r)
	}
	return nil, refuseTemplate(r.Object, r.Path, byHand[r.Fixer])
}

// refuseTemplate says where the template stands that wrote a field, and what to do there.
func refuseTemplate(o *objects.Object, path manifest.Path, what string) error {
	return &Refusal{
		Reason: fmt.Sprintf("%s comes out of the template at %s, which may write others as well: %s", identityOf(o), o.Position(path), what),
		Alike:  "template: " + what,
	}
}

// checkInFile refuses to edit what a template was rendered to.
func checkInFile(o *objects.Object) error {
	if o.InFile() {
		return nil
	}
	return refuseTemplate(o, nil, "change it there by hand")
}

// runState is what a run knows of the charts whose templates it changes.
type runState struct {
	renderings map[*objects.Unit][]*rendering
	// removed are the plans for extensions that lose their accounts, and bound those that are granted a role.
	removed, bound planCache
	// aliases are the plans for names of accounts in pods, by the fix and the place of the key.
	aliases map[string]cachedPlan
	files   map[string]bool // that are generated
}

// planCache are plans by all the extensions that they are about: one edit of a template is one plan.
type planCache map[*objects.Object]cachedPlan

type cachedPlan struct {
	plan *Plan
	err  error
}

// get gives the plan for an extension, which is worked out once for all that belong to it.
func (s *planCache) get(o *objects.Object, find func(*objects.Object) (*reachedExtensions, error), plan func(*reachedExtensions) (*Plan, error)) (*Plan, error) {
	if known, ok := (*s)[o]; ok {
		return known.plan, known.err
	}
	g, err := find(o)
	done := cachedPlan{err: err}
	if err == nil {
		done.plan, done.err = plan(g)
	}
	if *s == nil {
		*s = planCache{}
	}
	(*s)[o] = done
	for _, m := range g.members {
		(*s)[m.object] = done
	}
	return done.plan, done.err
}

// removeFromTemplate deletes the field from the lines of a template that write it, and where OLM goes on as the synthetic
// identity, first grants that what the account held, by a template of the same chart.
func removeFromTemplate(c *Context, r Request) (*Plan, error) {
	return c.templates.removed.get(r.Object, c.extensionsWrittenWith, c.templateRemoval)
}

// templateRemoval makes the plan for the extensions that come of some lines.
func (c *Context) templateRemoval(g *reachedExtensions) (*Plan, error) {
	if g.removals == nil {
		return nil, refuse("the extension names no account")
	}
	if err := c.checkLines(g); err != nil {
		return nil, err
	}
	first := g.members[0]
	p := &Plan{Object: first.object, Description: "Remove " + first.Account.Path.String() + ": OLM acts as its own account"}
	switch g.strictestModel(c) {
	case olm.Required:
		return nil, c.keepInTemplate(g)
	case olm.Synthetic:
		if err := c.migrateInTemplate(p, g); err != nil {
			return nil, err
		}
	}
	for _, lines := range g.lines {
		change, err := c.withoutLines(lines)
		if err != nil {
			return nil, err
		}
		p.Texts = append(p.Texts, change)
		if err := c.editOriginalChart(p, change); err != nil {
			return nil, err
		}
	}
	for _, r := range g.removals {
		p.Applied = append(p.Applied, AppliedChange{Unit: r.member.unit, Object: r.member.object, Op: RemoveValue, Path: r.path})
	}
	c.noteUnused(p, g)
	return p, nil
}

// withoutLines takes lines out of their file. Helm leaves out a byte order mark before it reads a template.
func (c *Context) withoutLines(lines block.Origin) (TextChange, error) {
	return c.rewrite(lines, "", removeByHand)
}

// rewrite puts another text in the place of a part of a template.
func (c *Context) rewrite(lines block.Origin, text, byHand string) (TextChange, error) {
	change := TextChange{File: lines.Source.File, Span: lines.Span, New: text, Order: repo.OrderOther}
	data, err := c.Read(change.File)
	if err != nil {
		return change, err
	}
	rendered := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if string(rendered) != lines.Source.Text {
		return change, refuse("%s is not what was rendered, or was changed meanwhile: %s", change.File, byHand)
	}
	change.Span.Start += len(data) - len(rendered)
	change.Span.End += len(data) - len(rendered)
	return change, nil
}

// strictestModel is the strictest of all units that render the lines: the template is one for all of them.
func (g *reachedExtensions) strictestModel(c *Context) olm.Model {
	for _, model := range []olm.Model{olm.Required, olm.Synthetic, olm.Ignored} {
		if g.memberWithModel(c, model) != nil {
			return model
		}
	}
	return olm.Removed
}

func (g *reachedExtensions) memberWithModel(c *Context, model olm.Model) *renderedExtension {
	for _, m := range g.members {
		if c.Target(m.unit, m.object).Model == model {
			return m
		}
	}
	return nil
}

func (c *Context) keepInTemplate(g *reachedExtensions) error {
	m := g.memberWithModel(c, olm.Required)
	at := m.object.Position(m.Account.Path)
	switch m.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		return refuse("%s (target %s) requires an account, and the template writes none at %s: name one there or in the values by hand",
			m.unit, c.Target(m.unit, m.object).Name, at)
	}
	return refuse("%s (target %s) requires the field, and the template writes it at %s for all sets of values: keep it, "+
		"or put it there into an `if` of a value that tells the releases apart", m.unit, c.Target(m.unit, m.object).Name, at)
}

// noteUnused names the values that only the removed lines, or what is generated instead, still read.
func (c *Context) noteUnused(p *Plan, g *reachedExtensions) {
	for _, lines := range g.lines {
		r := g.members[0].rendering
		if sub := strings.Count(lines.Source.Name, "/charts/"); sub > 0 && len(p.Documents) > 0 {
			return // what is generated reads the values of the subchart, by paths of its own
		}
		texts := c.valueTexts(r)
		for _, d := range p.Documents {
			texts = append(texts, d.Text)
		}
		unused := r.reader.Unused(g.members[0].template, lines, texts...)
		if unused = c.unconditional(r, unused); len(unused) > 0 {
			p.addNote("nothing in the chart %s reads %s any more: take it out of its values", r.of.Set.Chart, strings.Join(unused, ", "))
		}
	}
}

// valueTexts are the values of a chart that uses them as templates: they may read other values.
func (c *Context) valueTexts(r *rendering) []string {
	usesTpl := false
	for _, t := range r.templates {
		for _, s := range t.Sources {
			usesTpl = usesTpl || strings.Contains(s.Text, "tpl ")
		}
	}
	if !usesTpl {
		return nil
	}
	var texts []string
	if data, err := c.Read(path.Join(r.of.Set.Chart, "values.yaml")); err == nil {
		texts = append(texts, string(data))
	}
	for _, values := range r.of.Set.Values {
		texts = append(texts, string(values.Data))
	}
	return texts
}

// unconditional leaves out values that Chart.yaml names, as conditions of dependencies.
func (c *Context) unconditional(r *rendering, values []string) []string {
	data, err := c.Read(path.Join(r.of.Set.Chart, "Chart.yaml"))
	if err != nil {
		return nil
	}
	var left []string
	for _, value := range values {
		if !strings.Contains(string(data), value) {
			left = append(left, value)
		}
	}
	return left
}

// refuseUncertain makes the reason why lines of a template cannot be told for certain one of the fix.
func refuseUncertain(err error, what string) error {
	var refused *block.RefusedError
	if !errors.As(err, &refused) {
		return refuse("%v: %s", err, what)
	}
	kind, _, _ := strings.Cut(refused.Reason, "{{") // what stands in the template
	return &Refusal{Reason: fmt.Sprintf("%s: %s: %s", placeName(refused.Place), refused.Reason, what), Alike: kind + what}
}

// placeName writes a place as positions are written.
func placeName(at render.Place) string {
	name := at.File
	if at.Inside != "" {
		name += " (" + at.Inside + ")"
	}
	if at.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
}
