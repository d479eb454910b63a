package rbac

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Refusal is one reason for which the API server refuses a binding as a whole.
type Refusal struct {
	// Path leads to what is wrong; to what should have it where something is missing.
	Path manifest.Path
	// Why is a clause that says what is wrong.
	Why string
	// Later tells that the field is filled in before it is applied, by whatever tool: nobody knows what will be there.
	Later bool
}

// Refusals lists why the API server refuses a binding, for its role and its subjects, as ValidateRoleBinding and
// ValidateClusterRoleBinding have it (Kubernetes, pkg/apis/rbac/validation). What is filled in later is left aside. It is
// empty for other objects.
func Refusals(o *objects.Object) []Refusal {
	if _, ok := scopeOf(o); !ok {
		return nil
	}
	all := refusedRole(o)
	for i, subject := range subjectNodes(o) {
		all = append(all, refusedSubject(o, subject, i)...)
	}
	var certain []Refusal
	for _, r := range all {
		if !r.Later {
			certain = append(certain, r)
		}
	}
	return certain
}

// refusedRole judges the roleRef. Its apiGroup may be missing, for the API server fills that in.
func refusedRole(o *objects.Object) (all []Refusal) {
	ref, path := o.Node.Get("roleRef"), manifest.Path{"roleRef"}
	if ref != nil && !ref.IsNull() && !ref.IsMapping() {
		return nil
	}
	if field := notText(ref, "kind", "name", "apiGroup"); field != "" {
		return []Refusal{{path.Join(field), fmt.Sprintf("the %s of its roleRef is no text, but what it is without quotes", field), false}}
	}
	add := func(field wordOf, why string, args ...any) {
		all = append(all, Refusal{path.Join(field.in(ref)...), fmt.Sprintf(why, args...), field.later})
	}
	kind, name, group := readWord(ref, "kind"), readWord(ref, "name"), readWord(ref, "apiGroup")
	switch {
	case ref == nil || ref.IsNull():
		add(kind, "it has no roleRef")
		return all
	case kind.text == kindClusterRole, kind.text == kindRole && o.Kind == kindRoleBinding:
	case kind.text == kindRole:
		add(kind, "a ClusterRoleBinding can refer to a ClusterRole only, and its roleRef is a Role, which is in a namespace")
	case kind.text == "":
		add(kind, "its roleRef has no kind")
	default:
		add(kind, "its roleRef has the kind %q, which is neither ClusterRole nor Role", kind.text)
	}
	if name.text == "" {
		add(name, "its roleRef has no name")
	} else if strings.Contains(name.text, "/") {
		add(name, "its roleRef has the name %q, and no role can have a slash in its name", name.text)
	}
	if group.text != "" && group.text != Group {
		add(group, "its roleRef has the apiGroup %q in place of %s", group.text, Group)
	}
	return all
}

// refusedSubject judges a subject. Its apiGroup may be missing, for the API server fills that in.
func refusedSubject(o *objects.Object, n *manifest.Node, index int) (all []Refusal) {
	path := manifest.Path{"subjects", strconv.Itoa(index)}
	add := func(field wordOf, why string, args ...any) {
		all = append(all, Refusal{path.Join(field.in(n)...), fmt.Sprintf(why, args...), field.later})
	}
	if field := notText(n, "kind", "name", "namespace", "apiGroup"); field != "" {
		return []Refusal{{path.Join(field), fmt.Sprintf("the %s of its subject number %d is no text, but what it is without quotes", field, index+1), false}}
	}
	kind, name, group := readWord(n, "kind"), readWord(n, "name"), readWord(n, "apiGroup")
	called := strings.TrimSpace(kind.text + " " + name.text)
	switch {
	case kind.text == KindUser || kind.text == KindGroup:
		if group.text != "" && group.text != Group {
			add(group, "%s has the apiGroup %q in place of %s", called, group.text, Group)
		}
	case kind.text == KindServiceAccount:
		if group.text != "" {
			add(group, "%s has the apiGroup %q, and accounts are in the empty one", called, group.text)
		}
		if namespace := readWord(n, "namespace"); namespace.text == "" && name.text != "" && o.Kind == kindClusterRoleBinding {
			add(wordOf{later: namespace.later}, "%s has no namespace, which it needs in a ClusterRoleBinding", called)
		}
		if why := accountFault(name.text); why != "" && !Templated(name.text) {
			add(name, "%s", why)
		}
	case kind.text == "":
		add(kind, "%s has no kind, which is ServiceAccount, User or Group", orIts(name.text, index))
	default:
		add(kind, "%s has the kind %q, which is neither ServiceAccount, User nor Group", orIts(name.text, index), kind.text)
	}
	if name.text == "" {
		add(name, "%s has no name", orIts(kind.text, index))
	}
	return all
}

// orIts calls a subject by a text, or by its place where there is none.
func orIts(text string, index int) string {
	if text != "" {
		return text
	}
	return fmt.Sprintf("its subject number %d", index+1)
}

// accountFault says why no account can have a name; "" where one can, and where there is no name.
func accountFault(name string) string {
	if name == "" || len(validation.IsDNS1123Subdomain(name)) == 0 {
		return ""
	}
	if account, ok := objects.ParseUser(name); ok {
		return fmt.Sprintf("no account can be called %q, which is the user name of account %s in namespace %s", name, account.Name, account.Namespace)
	}
	return fmt.Sprintf("no account can be called %q, for names of accounts are made of small letters, digits, dashes and dots", name)
}

// AccountFault says why no account can ever have a name; "" where one can, and for a name that looks as if it was filled in
// before it is applied.
func AccountFault(name string) string {
	if filledIn(name) {
		return ""
	}
	return accountFault(name)
}

// wordOf is a field that is a text.
type wordOf struct {
	field, text string
	there       bool
	// later tells that it is filled in, so that its text says nothing.
	later bool
}

// in is the path of the field, from what has it or should have it.
func (w wordOf) in(n *manifest.Node) []string {
	if !w.there || n == nil {
		return nil
	}
	return []string{w.field}
}

// readWord reads a field. What is no text, as {{ x }} without quotes is none, will be one once it is filled in.
func readWord(n *manifest.Node, field string) wordOf {
	value := n.Get(field)
	switch {
	case value == nil || value.IsNull():
		return wordOf{field: field, there: value != nil}
	case !value.IsScalar():
		return wordOf{field: field, there: true, later: true}
	}
	text := value.String()
	return wordOf{field: field, text: text, there: true, later: text != "" && filledIn(text)}
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z0-9][-._:/A-Za-z0-9]*$`)
	// standIn are words that nobody means as they stand: in capitals, or asking to be replaced.
	standIn = regexp.MustCompile(`[A-Z][A-Z_]|(?i:replace|placeholder|change|your|todo|example|xxx)|^(?i:(service[-_]?)?account[-_]?name)$`)
)

// filledIn tells of a text that would be wrong as it stands whether it looks as if somebody filled it in before it is
// applied. Tools have many marks for that.
func filledIn(text string) bool {
	return Templated(text) || !plainWord.MatchString(text) || standIn.MatchString(text)
}
