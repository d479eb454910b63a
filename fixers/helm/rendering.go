package helm

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// rendering is a chart as a unit renders it, with its sources.
type rendering struct {
	of          *charts.Rendered
	accounts    map[block.Written]accountField
	aliases     map[block.Written]aliasField
	templates   []render.Template
	reader      *block.Reader
	sourcesRead *chartSources // use sources
	// replaced is set if nothing in the repository applies it.
	replaced bool
}

// renderings returns the rendered charts of a unit that hold relevant objects. The error is a *Refusal.
func renderings(c *engine.Context, u *objects.Unit) ([]*rendering, error) {
	if found, ok := stateOf(c).renderings[u]; ok {
		return found, nil
	}
	var all []*rendering
	byChart := map[*charts.Rendered]*rendering{} // an application may render several
	for _, o := range u.Objects {
		made := charts.Of(o)
		if made == nil {
			continue
		}
		t, err := made.Template()
		if err != nil {
			return nil, refuseTrace(u, o, err)
		}
		r := byChart[made.Rendered]
		if r == nil {
			r = newRendering(made.Rendered)
			r.replaced = u.Replaced()
			byChart[made.Rendered] = r
			all = append(all, r)
		}
		r.addAccounts(t.Name, o)
		r.addAliases(t.Name, o, c.Policy.PodSpecs)
	}
	stateOf(c).renderings[u] = all
	return all, nil
}

func refuseTrace(u *objects.Unit, o *objects.Object, err error) error {
	return engine.Refuse("the lines of %s that wrote the field in %s are unknown (%v): %s", o.File, u, err, removeByHand)
}

// newRendering returns a rendering that was traced.
func newRendering(from *charts.Rendered) *rendering {
	templates, _ := from.Templates() // tracing succeeded before
	return &rendering{
		of: from, accounts: map[block.Written]accountField{}, aliases: map[block.Written]aliasField{},
		templates: templates, reader: block.NewReader(templates),
	}
}

// renderingOf returns the rendering and the template of an object of a unit.
func renderingOf(c *engine.Context, u *objects.Unit, o *objects.Object) (*rendering, render.Template, error) {
	all, err := renderings(c, u)
	if err != nil {
		return nil, render.Template{}, err
	}
	made := charts.Of(o)
	for _, r := range all {
		if made != nil && r.of == made.Rendered {
			return r, r.templates[made.Index], nil
		}
	}
	return nil, render.Template{}, engine.RefuseTemplate(o, nil, removeByHand)
}

// checkTraced refuses if the writers of the text of a template are unknown and the text contains the field.
func (r *rendering) checkTraced(lines block.Origin) error {
	name, _, _ := strings.Cut(lines.Scope.File.Text[lines.Key:], ":")
	for _, t := range r.templates {
		if !t.Traced && !t.CRD && strings.Contains(t.Text, strings.TrimSpace(name)) {
			return engine.Refuse("%s processes its own output, so the lines that write the field are unknown: %s", t.File, removeByHand)
		}
	}
	return nil
}

// accountField is the account of an extension.
type accountField struct {
	object *objects.Object
	path   manifest.Path
}

// addAccounts records where the accounts of an object are in the text of its template.
func (r *rendering) addAccounts(template string, o *objects.Object) {
	form := charts.Form(o)
	read, ok := olm.ReadExtension(form.Node)
	if !ok {
		return
	}
	for _, account := range append([]olm.Account{read.Account}, read.Others...) {
		if field, ok := form.Text().Root.Field(form.At(account.Path)); ok {
			r.accounts[block.Written{Template: template, Start: field.Key.Span().Start}] = accountField{o, account.Path}
		}
	}
}
