package fixers

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/rbac"
)

// extension is the extension that a fix is about, with the units that apply it.
type extension struct {
	olm.Extension
	object *inventory.Object
	units  []*inventory.Unit
}

// extension reads the object of a request. Whatever makes its edits impossible to prove is a refusal.
func (c *Context) extension(o *inventory.Object) (*extension, error) {
	read, ok := olm.ReadExtension(o.Node)
	if !ok {
		return nil, refuse("%s %s is no ClusterExtension", o.Kind, o.Name)
	}
	if read.Kind != olm.ClusterExtensionKind {
		return nil, refuse("the kind %s was only in operator-controller v0.10: write it as a ClusterExtension by hand", read.Kind)
	}
	e := &extension{Extension: read, object: o, units: c.unitsWith(o)}
	if len(e.units) == 0 {
		return nil, refuse("%s is in nothing that is applied as it stands, such as a chart's template: change it by hand", o.File)
	}
	return e, c.checkTransforms(o.File)
}

// checkTransforms refuses to touch a file that some unit applies in another form than it is written in.
func (c *Context) checkTransforms(file string) error {
	for _, unit := range c.unitsOf(file) {
		if len(unit.Transforms) > 0 {
			return refuse("%s transforms what it applies (%s): what becomes of a change to %s cannot be proven yet. "+
				"Change it by hand and compare the output of kustomize build before and after",
				unitName(unit), unit.Transforms[0], file)
		}
	}
	return nil
}

// checkEditable refuses to touch an object that some unit applies in another form than it is written in, or that is written
// in a template.
func (c *Context) checkEditable(o *inventory.Object) error {
	if err := checkInFile(o); err != nil {
		return err
	}
	return c.checkTransforms(o.File)
}

// unitName is how messages call a unit.
func unitName(u *inventory.Unit) string { return u.String() }

// with finds a unit of a model among those that apply the extension, or nil.
func (c *Context) with(e *extension, model olm.Model) *inventory.Unit {
	for _, unit := range e.units {
		if c.Target(unit, e.object).Model == model {
			return unit
		}
	}
	return nil
}

// model is the strictest of the models of the units that apply the extension: what is right there does no harm in the
// others.
func (c *Context) model(e *extension) olm.Model {
	for _, model := range []olm.Model{olm.Required, olm.Synthetic, olm.Ignored} {
		if c.with(e, model) != nil {
			return model
		}
	}
	return olm.Removed
}

// honouring lists the units in which it matters as whom OLM acts for the extension.
func (c *Context) honouring(e *extension) []*inventory.Unit {
	var units []*inventory.Unit
	for _, unit := range e.units {
		if m := c.Target(unit, e.object).Model; m == olm.Required || m == olm.Synthetic {
			units = append(units, unit)
		}
	}
	return units
}

// account and user are the two identities that OLM may act as for the extension.
func (e *extension) account() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name}
}

func (e *extension) user() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(e.Name)}
}

func groupSubject() rbac.Subject { return rbac.Subject{Kind: rbac.KindGroup, Name: olm.Group} }

// subjectName is how messages call a subject.
func subjectName(s rbac.Subject) string {
	switch {
	case s.Kind != rbac.KindServiceAccount:
		return s.Kind + " " + s.Name
	case s.Namespace == "":
		return "ServiceAccount " + s.Name
	}
	return fmt.Sprintf("ServiceAccount %s/%s", s.Namespace, s.Name)
}

// templated tells whether a text is filled in before it is applied.
func templated(text string) bool { return rbac.Templated(text) }

// template gives the path of the objects of the OpenShift Template around an object; ok is false outside of one.
func template(o *inventory.Object) (objects manifest.Path, ok bool) {
	for i := len(o.Path) - 1; i >= 0; i-- {
		around := o.Doc.Root.Lookup(o.Path[:i])
		if o.Path[i] == "objects" && around.Get("kind").String() == "Template" {
			return o.Path[:i+1].Join(), true
		}
	}
	return nil, false
}

// checkName refuses names that are only known when they are filled in. Inside an OpenShift Template the generated
// objects are filled in with the same parameters.
func (e *extension) checkName() error {
	_, inTemplate := template(e.object)
	switch {
	case e.Name == "":
		return refuse("the extension has no name that could be read, so its identity is not known: "+
			"bind its roles to %s by hand", olm.User("<name>"))
	case e.NameTemplated && !(inTemplate && strings.Contains(e.Name, "${")):
		return refuse("the name %s is filled in before it is applied, so the identity of the extension is not known here: "+
			"bind its roles to %s by hand", e.Name, olm.User("<name>"))
	}
	return nil
}

// grantName is how messages call a role in its scope.
func grantName(g rbac.Grant) string {
	name := g.Role.Kind + " " + g.Role.Name
	if g.Scope == "" {
		return name
	}
	return name + " in " + g.Scope
}

func grantNames(grants []rbac.Grant) string {
	names := make([]string, len(grants))
	for i, g := range grants {
		names[i] = grantName(g)
	}
	return strings.Join(names, ", ")
}
