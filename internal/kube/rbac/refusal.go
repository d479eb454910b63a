package rbac

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Refusal is one reason why the API server refuses a whole binding.
type Refusal struct {
	// Path leads to the invalid field, or to the parent of a missing one.
	Path manifest.Path
	// Case names the error, without names and values of the binding.
	Case string
	// Why is a clause that describes the error.
	Why string
	// Templated is true if the field is rendered before it is applied, with any tool: its value is unknown.
	Templated bool
}

// Refusals lists why the API server refuses a binding because of its role and its subjects, as ValidateRoleBinding and
// ValidateClusterRoleBinding do (Kubernetes, pkg/apis/rbac/validation). Templated fields are left out. It is empty for
// other objects.
func Refusals(o *objects.Object) []Refusal {
	if !isBinding(o) {
		return nil
	}
	all := refusedRole(o)
	for i, subject := range subjectNodes(o) {
		all = append(all, refusedSubject(o, subject, i)...)
	}
	var certain []Refusal
	for _, r := range all {
		if !r.Templated {
			certain = append(certain, r)
		}
	}
	return certain
}

// refusedRole checks the roleRef. Its apiGroup can be missing, because the API server adds it.
func refusedRole(o *objects.Object) (all []Refusal) {
	ref, path := o.Node.Get("roleRef"), manifest.Path{"roleRef"}
	if ref != nil && !ref.IsNull() && !ref.IsMapping() {
		return nil
	}
	if field := firstNonString(ref, "kind", "name", "apiGroup"); field != "" {
		return []Refusal{{path.Join(field), "type", fmt.Sprintf("roleRef.%s is not a string: put it in quotes", field), false}}
	}
	add := func(named string, field textField, why string, args ...any) {
		all = append(all, Refusal{path.Join(field.in(ref)...), named, fmt.Sprintf(why, args...), field.templated})
	}
	kind, name, group := readTextField(ref, "kind"), readTextField(ref, "name"), readTextField(ref, "apiGroup")
	switch {
	case ref == nil || ref.IsNull():
		add("no role", kind, "roleRef is missing")
		return all
	case kind.text == kindClusterRole, kind.text == kindRole && o.Kind == kindRoleBinding:
	case kind.text == kindRole:
		add("role of a namespace", kind, "a ClusterRoleBinding can refer to a ClusterRole only, not to a Role")
	case kind.text == "":
		add("no kind", kind, "roleRef.kind is missing")
	default:
		add("kind", kind, "roleRef.kind is %q, not ClusterRole or Role", kind.text)
	}
	if name.text == "" {
		add("no name", name, "roleRef.name is missing")
	} else if strings.Contains(name.text, "/") {
		add("name", name, "roleRef.name is %q, and the name of a role cannot contain a slash", name.text)
	}
	if group.text != "" && group.text != Group {
		add("group", group, "roleRef.apiGroup is %q, not %s", group.text, Group)
	}
	return all
}

// refusedSubject checks a subject. Its apiGroup can be missing, because the API server adds it.
func refusedSubject(o *objects.Object, n *manifest.Node, index int) (all []Refusal) {
	path := manifest.Path{"subjects", strconv.Itoa(index)}
	add := func(named string, field textField, why string, args ...any) {
		all = append(all, Refusal{path.Join(field.in(n)...), named, fmt.Sprintf(why, args...), field.templated})
	}
	if field := firstNonString(n, "kind", "name", "namespace", "apiGroup"); field != "" {
		return []Refusal{{path.Join(field), "type", fmt.Sprintf("subjects[%d].%s is not a string: put it in quotes", index, field), false}}
	}
	kind, name, group := readTextField(n, "kind"), readTextField(n, "name"), readTextField(n, "apiGroup")
	called := strings.TrimSpace(kind.text + " " + name.text)
	switch {
	case kind.text == KindUser || kind.text == KindGroup:
		if group.text != "" && group.text != Group {
			add("group", group, "%s has the apiGroup %q, not %s", called, group.text, Group)
		}
	case kind.text == KindServiceAccount:
		if group.text != "" {
			add("group of an account", group, "%s has the apiGroup %q, but accounts are in the empty group", called, group.text)
		}
		if namespace := readTextField(n, "namespace"); namespace.text == "" && name.text != "" && o.Kind == kindClusterRoleBinding {
			add("no namespace", textField{templated: namespace.templated}, "%s has no namespace, which a ClusterRoleBinding requires", called)
		}
		if why := invalidAccountName(name.text); why != "" && !Templated(name.text) {
			add("name", name, "%s", why)
		}
	case kind.text == "":
		add("no kind", kind, "%s has no kind (ServiceAccount, User, or Group)", nameOrIndex(name.text, index))
	default:
		add("kind", kind, "%s has the kind %q, not ServiceAccount, User, or Group", nameOrIndex(name.text, index), kind.text)
	}
	if name.text == "" {
		add("no name", name, "%s has no name", nameOrIndex(kind.text, index))
	}
	return all
}

// nameOrIndex returns a text for a subject, or its index if the text is empty.
func nameOrIndex(text string, index int) string {
	if text != "" {
		return text
	}
	return fmt.Sprintf("subjects[%d]", index)
}

// invalidAccountName returns why a name is invalid for an account; "" if it is valid or empty.
func invalidAccountName(name string) string {
	if name == "" || len(validation.IsDNS1123Subdomain(name)) == 0 {
		return ""
	}
	if account, ok := objects.ParseUser(name); ok {
		return fmt.Sprintf("%q is not a valid account name: it is the user name of account %s in namespace %s", name, account.Name, account.Namespace)
	}
	return fmt.Sprintf("%q is not a valid account name: only lowercase letters, digits, dashes, and dots are allowed", name)
}

// InvalidAccountName returns why a name is invalid for an account; "" if it is valid, and for a name that looks templated.
func InvalidAccountName(name string) string {
	if looksTemplated(name) {
		return ""
	}
	return invalidAccountName(name)
}

// textField is a field with a string.
type textField struct {
	field, text string
	present     bool
	// templated is true if the field is rendered later, so that its text is meaningless.
	templated bool
}

// in returns the path of the field, or of its parent if it is missing.
func (w textField) in(n *manifest.Node) []string {
	if !w.present || n == nil {
		return nil
	}
	return []string{w.field}
}

// readTextField reads a field. A value that is not a string, such as an unquoted {{ x }}, is rendered to one.
func readTextField(n *manifest.Node, field string) textField {
	value := n.Get(field)
	switch {
	case value == nil || value.IsNull():
		return textField{field: field, present: value != nil}
	case !value.IsScalar():
		return textField{field: field, present: true, templated: true}
	}
	text := value.String()
	return textField{field: field, text: text, present: true, templated: text != "" && looksTemplated(text)}
}

// placeholders are parts of words that stand for others, or ask to be replaced.
var placeholders = []string{"replace", "placeholder", "change", "your", "todo", "example", "xxx"}

// looksTemplated reports whether an invalid text looks like one that is rendered before it is applied. Tools have many
// notations for placeholders. Every name and namespace of a binding is asked for, so this does without regular expressions.
func looksTemplated(text string) bool {
	if !isPlainWord(text) {
		return true
	}
	lower := strings.ToLower(text)
	return hasCapitals(text) || isAccountName(lower) || slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(lower, p) })
}

// isPlainWord reports whether a text has only ASCII letters, digits and, not first, the other characters of names. A placeholder has more.
func isPlainWord(text string) bool {
	for i := range len(text) {
		c := text[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || i > 0 && strings.IndexByte("-._:/", c) >= 0) {
			return false
		}
	}
	return text != ""
}

// hasCapitals reports whether two capitals follow one another, or a capital and an underscore, as in NAME or A_B.
func hasCapitals(text string) bool {
	for i := 1; i < len(text); i++ {
		if isCapital(text[i-1]) && (isCapital(text[i]) || text[i] == '_') {
			return true
		}
	}
	return false
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// isAccountName reports whether a text in lower case is a placeholder for the name of an account, such as account-name or
// serviceaccount_name.
func isAccountName(lower string) bool {
	rest, _ := strings.CutPrefix(lower, "service")
	if rest != lower {
		rest = withoutSeparator(rest)
	}
	rest, found := strings.CutPrefix(rest, "account")
	return found && withoutSeparator(rest) == "name"
}

// withoutSeparator removes a dash or an underscore from the beginning of a text.
func withoutSeparator(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '_') {
		return text[1:]
	}
	return text
}
