package helm

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rbac"
)

// checkBinding refuses a binding that binds the account, or is a binding, only with some values.
func checkBinding(c *engine.Context, m *renderedExtension, b rbac.Binding, name templateValue) error {
	if b.Object.InFile() {
		return checkSubject(c, m, b, name)
	}
	subject := subjects.Path(b.SubjectIndex)
	for _, path := range []manifest.Path{{"kind"}, {"roleRef", "kind"}, subject.Join("kind")} {
		w, err := valueOf(c, m.unit, b.Object, path)
		if err != nil {
			return err
		}
		if !w.isLiteral() {
			return engine.Refuse("%s of %s is %s at %s, and something else with other values: %s",
				path, engine.NameOf(b.Object), w.scalar.Text, w.place(), bindByHand)
		}
	}
	for _, path := range []manifest.Path{{"roleRef", "name"}, subject.Join("name")} {
		w, err := valueOf(c, m.unit, b.Object, path)
		if err != nil {
			return err
		}
		if err := checkStable(c, m, b.Object, w, name); err != nil {
			return err
		}
	}
	return checkSubject(c, m, b, name)
}

// checkSubject compares the subject of a binding with the account. Their names and namespaces must be written in the same
// words; otherwise they are equal only with the known values.
func checkSubject(c *engine.Context, m *renderedExtension, b rbac.Binding, name templateValue) error {
	subject := subjects.Path(b.SubjectIndex)
	switch {
	case b.Subject.Kind == rbac.KindServiceAccount:
		if err := checkSameText(c, m, b, accountName(m), subject.Join("name")); err != nil {
			return err
		}
		return checkSameText(c, m, b, m.NamespacePath, subject.Join("namespace"))
	case !strings.Contains(b.Subject.Name, ":"+m.Namespace): // the group of all accounts
		return checkLiteral(c, m, b, subject.Join("name"))
	}
	for _, path := range []manifest.Path{accountName(m), m.NamespacePath} {
		if w, err := valueOf(c, m.unit, m.Object, path); err != nil {
			return err
		} else if !w.isLiteral() {
			return refuseOther(c, m, b, w, b.Subject.Name)
		}
	}
	return checkLiteral(c, m, b, subject.Join("name"))
}

func checkLiteral(c *engine.Context, m *renderedExtension, b rbac.Binding, path manifest.Path) error {
	w, err := valueOf(c, m.unit, b.Object, path)
	if err == nil && !w.isLiteral() {
		err = engine.Refuse("%s binds %s at %s, which is another identity with other values: %s", engine.NameOf(b.Object), w.scalar.Text, w.place(), bindByHand)
	}
	return err
}

// checkSameText compares a field of the extension with a field of the binding.
func checkSameText(c *engine.Context, m *renderedExtension, b rbac.Binding, of, bound manifest.Path) error {
	account, err := valueOf(c, m.unit, m.Object, of)
	if err != nil {
		return err
	}
	if !b.Object.InFile() && !b.Object.Node.Lookup(bound).IsScalar() {
		return engine.Refuse("%s has no %s: set it to the same value as the extension", engine.NameOf(b.Object), bound)
	}
	subject, err := valueOf(c, m.unit, b.Object, bound)
	if err != nil {
		return err
	}
	if account.isLiteral() && subject.isLiteral() {
		return nil
	}
	set := account.scalar.Asked(account.root())
	is, want := subject.meaning(set), account.meaning(set)
	if is == "" || is != want {
		return refuseOther(c, m, b, account, subject.text)
	}
	return nil
}

func refuseOther(c *engine.Context, m *renderedExtension, b rbac.Binding, account templateValue, subject string) error {
	return engine.Refuse("%s names %s at %s, but the binding at %s names %s, which is another account with other values: "+
		"write both in the same way, or %s", engine.NameOf(m.Object), account.scalar.Text, account.place(), b.Object.Position(nil), subject, bindByHand)
}

// root identifies the values at the top of the templates of a chart.
func (w templateValue) root() string { return w.chart }

// meaning returns an expression that is equal for template values that are always equal; "" if that is unknown.
func (w templateValue) meaning(set map[string]bool) string {
	if w.isLiteral() {
		return "=" + w.literal
	}
	return w.scalar.Meaning(w.root(), set)
}
