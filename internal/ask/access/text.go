package access

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Printer writes answers.
type Printer struct {
	// Rel returns a file of the repository as a path from the working directory.
	Rel func(file string) string
	// NoHeaders omits the headers of tables.
	NoHeaders bool
}

// maxLines limits the lists of bindings and doubts in a text. JSON lists all.
const maxLines = 10

// Verdict writes yes or no on the first line, as kubectl does, followed by the reasons.
func (p Printer) Verdict(w io.Writer, v Verdict) error {
	var b strings.Builder
	if v.Allowed {
		b.WriteString("yes\n")
	} else {
		b.WriteString(v.coverage().Assure("no") + "\n")
	}
	if v.Default != nil {
		p.allowed(&b, "", *v.Default)
	}
	granted := slices.DeleteFunc(slices.Clone(v.Views), func(view ViewVerdict) bool {
		return !view.Allowed || view.Grant.Binding.Default
	})
	for i, view := range granted {
		if i == maxLines && len(granted) > maxLines+1 {
			fmt.Fprintf(&b, "  and %d more (--format json lists all)\n", len(granted)-i)
			break
		}
		p.allowed(&b, p.where(v, view), view.Grant)
	}
	p.refusals(&b, v)
	p.doubts(&b, v.Doubts, "unknown, and could change the answer:")
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Printer) allowed(b *strings.Builder, where string, g Grant) {
	fmt.Fprintf(b, "  %s%s\n    by %s\n", where, p.grant(g), p.rule(g))
}

// where returns the name of a view if there are several.
func (p Printer) where(v Verdict, view ViewVerdict) string {
	if len(v.Views) < 2 {
		return ""
	}
	return safetext.Text(p.viewName(view.View)) + ": "
}

// refusals writes the views that do not allow the request. If the answer is yes, it writes those that know the identity; if
// a single view makes the answer no, it writes all.
func (p Printer) refusals(b *strings.Builder, v Verdict) {
	var unbound []ViewVerdict
	for _, view := range v.Views {
		switch {
		case view.Allowed:
		case !view.Knows && len(view.Reaching) == 0:
			unbound = append(unbound, view)
		case v.Allowed:
			fmt.Fprintf(b, "  %sno\n", p.where(v, view))
			p.elsewhere(b, p.where(v, view), v, view)
		default:
			p.refusal(b, p.where(v, view), v, view)
		}
	}
	differ := slices.ContainsFunc(v.Views, func(view ViewVerdict) bool { return view.Allowed })
	switch {
	case v.Allowed:
	case len(unbound) == len(v.Views):
		fmt.Fprintf(b, "  no binding applies to %s\n", whoText(v))
	case differ:
		for _, view := range unbound {
			fmt.Fprintf(b, "  %sno binding applies to %s\n", p.where(v, view), whoText(v))
		}
	}
}

// refusal writes the bindings that do not allow the request.
func (p Printer) refusal(b *strings.Builder, where string, v Verdict, view ViewVerdict) {
	for i, binding := range view.Reaching {
		if i == maxLines && len(view.Reaching) > maxLines+1 {
			fmt.Fprintf(b, "  %s%s\n", where, words.CountOf(len(view.Reaching)-i, "more binding does not", "more bindings do not"))
			break
		}
		fmt.Fprintf(b, "  %s%s, which does not allow it\n", where, p.grant(Grant{Binding: binding}))
	}
	switch {
	case view.Elsewhere != nil:
		p.elsewhere(b, where, v, view)
	case len(view.Reaching) == 0 && len(view.Namespaces) > 0 && !slices.Contains(view.Namespaces, v.Request.Namespace):
		fmt.Fprintf(b, "  %sthe bindings of %s apply only in these namespaces: %s\n", where, whoText(v),
			safetext.Text(strings.Join(view.Namespaces, ", ")))
	}
}

// elsewhere writes in which other namespace the request is allowed.
func (p Printer) elsewhere(b *strings.Builder, where string, v Verdict, view ViewVerdict) {
	switch g := view.Elsewhere; {
	case g == nil:
	case v.Request.isNamespaces():
		fmt.Fprintf(b, "  %s%s, where it applies only to requests about that namespace\n", where, p.grant(*g))
	case v.Request.ClusterScoped && !v.Request.inNamespaces():
		fmt.Fprintf(b, "  %s%s, where it has no effect: a request for %s has no namespace\n", where, p.grant(*g),
			safetext.Text(v.Request.Resource))
	default:
		fmt.Fprintf(b, "  %syes with -n %s: %s\n", where, safetext.Text(g.Binding.Scope), p.grant(*g))
	}
}

// grant returns which binding grants which role to which subject.
func (p Printer) grant(g Grant) string {
	text := fmt.Sprintf("%s (%s) grants %s %s", BindingName(g.Binding), p.bindingPlace(g),
		RoleName(g.Binding.Role), scopeText(g.Binding.Scope))
	if g.Binding.Via != "" {
		text += " to Group " + g.Binding.Via
	} else {
		text += " to " + SubjectName(g.Binding.Subject)
	}
	return safetext.Text(text)
}

// everyCluster says that every cluster has the binding, or the role.
func (g Grant) everyCluster() string { return "a default of " + g.Versions.AsOf() }

func (p Printer) bindingPlace(g Grant) string {
	if g.Binding.Default {
		return g.everyCluster()
	}
	return p.place(g.Binding.Object.Position(nil))
}

func (p Printer) rule(g Grant) string {
	text := ruleText(g.Rule)
	if g.Giver.Object != nil {
		text += " of " + RoleName(g.Giver.Role) + ", which it aggregates"
	}
	switch {
	case g.RulePosition.Line > 0:
		text += " (" + p.place(g.RulePosition) + ")"
	case g.ofEveryCluster():
		text += " (" + g.everyCluster() + ")"
	}
	return safetext.Text(text)
}

// ofEveryCluster returns whether the rule is in no manifest.
func (g Grant) ofEveryCluster() bool {
	if g.Giver.Role.Name != "" {
		return g.Giver.Object == nil
	}
	return g.Binding.RoleObject == nil || g.RulePosition.Line == 0 && g.Binding.Role.Builtin()
}

func (p Printer) place(at objects.Position) string {
	return fmt.Sprintf("%s:%d", p.Rel(at.File), at.Line)
}

// viewName returns View.Name with paths relative to the working directory.
func (p Printer) viewName(v View) string {
	if v.Shown().Kind == objects.KustomizationUnit {
		return p.Rel(v.Shown().Root)
	}
	return v.Name()
}

func whoText(v Verdict) string { return identityText(v.Identity) }

func identityText(who rbac.Identity) string {
	if who.User == "" {
		return safetext.Text("the groups " + strings.Join(who.Groups, ", "))
	}
	return safetext.Text(who.User)
}

func (p Printer) doubts(b *strings.Builder, doubts []Doubt, title string) {
	if len(doubts) == 0 {
		return
	}
	b.WriteString(title + "\n")
	known := slices.DeleteFunc(slices.Clone(doubts), func(d Doubt) bool { return d.Added })
	for i, d := range known {
		if i == maxLines && len(known) > maxLines+1 {
			fmt.Fprintf(b, "  and %d more (--format json lists all)\n", len(known)-i)
			break
		}
		b.WriteString("  " + p.Doubt(d) + "\n")
	}
	if line := addedText(doubts); line != "" {
		b.WriteString("  " + line + "\n")
	}
}

// addedText returns one line about the roles to which others can add.
func addedText(doubts []Doubt) string {
	var roles []string
	for _, d := range doubts {
		if d.Added && !slices.Contains(roles, RoleName(d.Role)) {
			roles = append(roles, RoleName(d.Role))
		}
	}
	const maxRoles = 4
	if len(roles) > maxRoles+1 {
		roles = append(roles[:maxRoles], fmt.Sprintf("and %d more", len(roles)-maxRoles))
	}
	if len(roles) == 0 {
		return ""
	}
	return safetext.Text(addedMessage + strings.Join(roles, ", "))
}

// Doubt returns a doubt on one line.
func (p Printer) Doubt(d Doubt) string {
	text := d.Message
	if d.Units > 1 {
		text += fmt.Sprintf(" (in %d deployment units)", d.Units)
	}
	if d.Position.File == "" {
		return safetext.Text(text)
	}
	return safetext.Text(fmt.Sprintf("%s:%d:%d: %s", p.Rel(d.Position.File), d.Position.Line, d.Position.Column, text))
}
