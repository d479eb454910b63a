package bundlediff

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// Title says who or what a change is about, and where. Control characters are left as they are.
func (c Change) Title() string { return c.title() }

func (c Change) title() string {
	switch c.Part {
	case Grants:
		who := subjectName(c.Subject)
		if c.NewSubject {
			who += " (only in this version)"
		}
		return who + where(c.Namespace)
	case Aggregated:
		return "everybody bound to the ClusterRole " + c.Role + where(c.Namespace)
	case Webhook:
		return c.Catches.title()
	case Installer:
		return "whoever installs it" + where(c.Namespace)
	}
	return c.objectTitle()
}

func (c Change) objectTitle() string {
	title := c.Kind + " " + c.Name
	if c.Part == Definition {
		title = "CustomResourceDefinition " + c.Name
	}
	switch {
	case c.Changed && c.Part == Definition:
		return title + ": its scope differs"
	case c.Changed:
		return title + ": not the same in both versions"
	}
	return title
}

func (c Catches) title() string {
	kind := "validating webhook"
	switch {
	case c.Conversion:
		return "conversion webhook"
	case c.Mutating:
		kind = "mutating webhook"
	}
	var more []string
	if c.Selected {
		more = append(more, "limited by selectors or conditions")
	}
	if c.Closed {
		more = append(more, "nothing passes while it does not answer")
	}
	if len(more) > 0 {
		kind += " (" + strings.Join(more, "; ") + ")"
	}
	return kind
}

func subjectName(s rbac.Subject) string {
	switch {
	case s.Kind == rbac.KindServiceAccount:
		return fmt.Sprintf("account %s/%s", s.Namespace, s.Name)
	case s.Kind == rbac.KindGroup:
		return "group " + s.Name
	}
	return "user " + s.Name
}

func where(namespace string) string {
	switch namespace {
	case "":
		return ", everywhere"
	case rbac.UnknownNamespace:
		return ", in a namespace that is not known"
	}
	return ", in namespace " + namespace
}

// Lines say what the change consists of, one thing a line; none where the title says it all. Of each list in a rule as many
// items are shown as asked for, all when that is 0.
func (c Change) Lines(shown int) []string {
	if c.Catches != nil {
		return []string{strings.Join(c.Catches.Operations, ", ") + " " + strings.Join(c.Catches.Resources, ", ")}
	}
	lines := permission.RuleTexts(c.Rules, shown)
	for _, role := range c.Roles {
		name := role.Name
		if role.Namespace != "" {
			name = role.Namespace + "/" + name
		}
		lines = append(lines, fmt.Sprintf("what the %s %s allows, whose rules are not all in the content", role.Kind, name))
	}
	return lines
}
