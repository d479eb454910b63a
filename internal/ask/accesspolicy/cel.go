package accesspolicy

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// celText writes a text as a CEL string. Characters that are not printable are escaped, so that the text stays on one line.
func celText(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r > '~':
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func celList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = celText(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// limited is true for the subjects.
func limited(subjects []rbac.Subject) string {
	var users, groups []string
	for _, s := range subjects {
		switch s.Kind {
		case rbac.KindGroup:
			groups = append(groups, s.Name)
		case rbac.KindServiceAccount:
			users = append(users, objects.Account{Namespace: s.Namespace, Name: s.Name}.User())
		default:
			users = append(users, s.Name)
		}
	}
	var parts []string
	if len(users) > 0 {
		parts = append(parts, "request.userInfo.username in "+celList(users))
	}
	if len(groups) > 0 {
		parts = append(parts, "request.userInfo.groups.exists(group, group in "+celList(groups)+")")
	}
	return strings.Join(parts, " ||\n")
}

// clause is an expression that is true for objects that match an extension. Labels beyond those of the extension narrow its
// selection and are allowed.
func (e Extension) clause() string {
	terms := []string{
		"variables.packageName == " + celText(e.Package),
		"variables.installNamespace == " + celText(e.Namespace),
	}
	if e.Account == "" {
		terms = append(terms, "variables.account == ''")
	} else {
		terms = append(terms, "variables.account in "+celList([]string{"", e.Account}))
	}
	if e.Version != "" {
		terms = append(terms, "variables.version == "+celText(e.Version))
	}
	for _, l := range e.Labels {
		terms = append(terms, fmt.Sprintf("variables.labels[?%s].orValue('') == %s", celText(l.Key), celText(l.Value)))
	}
	for _, x := range e.Expressions {
		terms = append(terms, fmt.Sprintf("variables.expressions.exists(e, e.key == %s && e.operator == %s && e.?values.orValue([]) == %s)",
			celText(x.Key), celText(x.Operator), celList(x.Values)))
	}
	return strings.Join(append(terms, e.Settings.clause()), " && ")
}

func (c Catalog) clause() string {
	return fmt.Sprintf("object.metadata.name == %s && (variables.image.startsWith(%s) || variables.image.startsWith(%s))",
		celText(c.Name), celText(c.Image+":"), celText(c.Image+"@"))
}

// anyOf is an expression that is true if one of the clauses is.
func anyOf(clauses []string) string {
	if len(clauses) == 0 {
		return "false"
	}
	return "(" + strings.Join(clauses, ") ||\n(") + ")"
}

// clausesOf returns the clauses of extensions or catalogs.
func clausesOf[T keyed](list []T) (clauses []string) {
	for _, item := range list {
		clauses = append(clauses, item.clause())
	}
	return clauses
}

// olmUsers returns the users of OLM's own accounts.
func olmUsers() (users []string) {
	for _, a := range rbac.OLMAccounts() {
		users = append(users, a.User())
	}
	return users
}
