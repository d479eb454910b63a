package prune

import (
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// inUse returns a refusal that names what still uses the account, its token Secrets, or its bindings; nil if nothing does.
func (p *Pruner) inUse(cand *candidate) error {
	for _, form := range cand.forms {
		if m, ok := p.firstUse(uses.Used{Object: form.Object, Account: form.account}); ok {
			cand.appliedDifferently = p.isUnusedHere(cand)
			if isRendered(form.Object) && form.account != (objects.Account{Namespace: cand.object.Namespace, Name: cand.object.Name}) {
				return p.refuseTemplateOf(form, m)
			}
			return p.refuseUsed(form.Object, m)
		}
		if err := p.refuseVariableName(form); err != nil {
			cand.appliedDifferently = true
			return err
		}
	}
	if err := p.checkDocuments(cand); err != nil {
		cand.appliedDifferently = true
		return err
	}
	for _, o := range cand.secrets {
		if err := p.formInUse(o); err != nil {
			return err
		}
	}
	for _, s := range cand.subjects {
		if err := p.bindsAnother(s); err != nil {
			return err
		}
		if !p.removed.object(refOf(p.c, s.Object)) {
			continue
		}
		if err := p.formInUse(s.Object); err != nil {
			return err
		}
	}
	return nil
}

// isUnusedHere reports whether an account is unused under the name from which it was found: it stays only because of another unit.
func (p *Pruner) isUnusedHere(cand *candidate) bool {
	for _, form := range cand.forms {
		if form.Object == cand.object {
			_, used := p.firstUse(uses.Used{Object: form.Object, Account: form.account})
			return !used
		}
	}
	return false
}

// formInUse returns a refusal that names what still uses an object in any of its forms; nil if nothing does.
func (p *Pruner) formInUse(o *objects.Object) error {
	for _, form := range p.formsOf(o) {
		if m, ok := p.firstUse(uses.Used{Object: form}); ok {
			return refuseMentioned(form, m)
		}
	}
	return nil
}

// bindsAnother refuses to remove a subject from the manifest of a binding if a unit applies that subject as an account that
// stays.
func (p *Pruner) bindsAnother(s boundSubject) error {
	if isRendered(s.Object) {
		if p.removed.object(refOf(p.c, s.Object)) {
			return nil
		}
		return p.checkItems(s.Object)
	}
	for _, form := range p.c.Repo.AppliedForms(s.Object) {
		if !p.removed.bound[boundForm{form.Object, s.SubjectIndex}] {
			return engine.Refuse("%s at %s also binds %s, which stays, in %s: remove the subject by hand", engine.NameOf(form.Object),
				form.Object.Position(subjects.Path(s.SubjectIndex)), engine.SubjectName(subjects.Read(form.Object, s.SubjectIndex)), form.Unit)
		}
	}
	return nil
}

// refuseUsed returns a refusal that names the place where an account is used, and the units that apply this place if others
// patch the field of the extension away, or lose it in this run.
func (p *Pruner) refuseUsed(account *objects.Object, m uses.Place) error {
	o := m.ObjectIn(p.c.Repo)
	if o == nil || o.Kind != olm.ClusterExtensionKind {
		return refuseMentioned(account, m)
	}
	var using, keeping, outside []*objects.Unit
	forms := p.c.Repo.AppliedForms(o)
	for _, form := range forms {
		if form.Object.Node.Lookup(m.Path) == nil {
			continue
		}
		using = append(using, form.Unit)
		if p.losesField(form.Unit, form.Object, m.Path) {
			continue
		}
		keeping = append(keeping, form.Unit)
		if !p.c.Scope.Allows(form.Unit, form.Object) {
			outside = append(outside, form.Unit)
		}
	}
	stays := fmt.Sprintf("%s stays: %s", engine.NameOf(account), describeMention(m))
	switch {
	case len(outside) > 0 && len(outside) == len(keeping):
		return &engine.Refusal{Reason: fmt.Sprintf("%s, by units outside the given paths (%s): run `%s` to change these too",
			stays, engine.UnitList(outside), p.c.Scope.Command(commonFolder(engine.FileOf(account), m.File), finding.Prune))}
	case len(using) == 0 || len(using) == len(forms):
		return refuseMentioned(account, m)
	}
	return &engine.Refusal{Reason: fmt.Sprintf("%s, which these units apply: %s", stays, engine.UnitList(using)), InFinding: true}
}

// commonFolder returns the deepest folder that contains two files.
func commonFolder(a, b string) string {
	dir := path.Dir(a)
	for dir != "." && !strings.HasPrefix(b, dir+"/") {
		dir = path.Dir(dir)
	}
	return dir
}

func refuseMentioned(o *objects.Object, m uses.Place) error {
	how := ""
	if m.Kind == "" { // a text, which says nothing about a use
		how = ": if nothing there needs it, remove the name and run this again"
	}
	return engine.Refuse("%s stays: %s%s", engine.NameOf(o), describeMention(m), how)
}

func describeMention(m uses.Place) string {
	what, verb := "", "is"
	if m.Certainty == uses.Possible {
		verb = "may be"
	}
	if m.Kind != "" {
		what = strings.TrimRight(", in "+m.Kind+" "+m.Path.String(), " ")
	}
	return fmt.Sprintf("it %s named at %s:%d%s", verb, m.File, m.Line, what)
}

// roleInUse returns what still uses a role; "" if nothing does.
func (p *Pruner) roleInUse(role *objects.Object) string {
	for _, form := range p.formsOf(role) {
		if m, ok := p.firstUse(uses.Used{Object: form}); ok {
			return describeMention(m)
		}
		if subject, ok := p.grantedInRun(form); ok {
			return engine.SubjectName(subject) + " is granted it by another fix of this run"
		}
		if why := p.c.AggregatedBy(form); why != "" {
			return why
		}
	}
	if form, found := p.staysWith(role); found {
		return "its template also renders " + engine.NameOf(form.Object).String() + ", which stays"
	}
	return ""
}

// grantedInRun returns an identity that a plan of this run grants a role: the files do not show it yet.
func (p *Pruner) grantedInRun(role *objects.Object) (rbac.Subject, bool) {
	for _, gain := range p.gains[roleKey{role.Kind, role.Name}] {
		sameNamespace := role.Namespace == "" || gain.Grant.Role.Namespace == role.Namespace
		if sameNamespace && !p.c.Repo.MeansNamesake(role, gain.file) {
			return gain.Subject, true
		}
	}
	return rbac.Subject{}, false
}

// roleKey identifies a role regardless of its namespace.
type roleKey struct{ kind, name string }

// newGain is a grant that a plan adds, with the file of the plan's object.
type newGain struct {
	engine.GrantChange
	file string
}

// AddGains adds the grants that a plan of the run adds.
func (p *Pruner) AddGains(plan *engine.Plan) {
	for _, gain := range plan.Gains {
		key := roleKey{gain.Grant.Role.Kind, gain.Grant.Role.Name}
		p.gains[key] = append(p.gains[key], newGain{gain, plan.Object.File})
	}
}
