package bundlediff

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// Title returns the subject and the namespace of a change. Control characters are not escaped.
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
		return "all subjects of the ClusterRole " + c.Role + where(c.Namespace)
	case Webhook:
		return c.Intercepted.title()
	case Installer:
		return "the installer" + where(c.Namespace)
	}
	return c.objectTitle()
}

func (c Change) objectTitle() string {
	title := c.Kind + " " + c.Name
	if c.Part == Definition {
		title = "CustomResourceDefinition " + c.Name
	}
	switch {
	case c.Part == Pods:
		return "the pods of " + title
	case c.Changed && c.Part == Definition:
		return title + ": its scope differs"
	case c.Changed:
		return title + ": differs between the versions"
	}
	return title
}

func (c Intercepted) title() string {
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
		more = append(more, "requests fail while it does not answer")
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
		return ", in an unknown namespace"
	}
	return ", in namespace " + namespace
}

// Lines returns the details of the change, one per line; none if the title is sufficient. shown limits the items of each
// list in a rule; 0 is no limit.
func (c Change) Lines(shown int) []string {
	if c.Intercepted != nil {
		return []string{strings.Join(c.Intercepted.Operations, ", ") + " " + strings.Join(c.Intercepted.Resources, ", ")}
	}
	if c.Part == Pods {
		return c.Powers
	}
	lines := permission.RuleTexts(c.Rules, shown)
	for _, role := range c.Roles {
		name := role.Name
		if role.Namespace != "" {
			name = role.Namespace + "/" + name
		}
		lines = append(lines, fmt.Sprintf("the permissions of the %s %s, whose rules are not all in the content", role.Kind, name))
	}
	return lines
}
