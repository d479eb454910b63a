package rbac

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Templated reports whether a text contains a placeholder of envsubst, Flux, an OpenShift Template, or Helm.
func Templated(text string) bool { return firstMarker(text) < len(text) }

// firstMarker is the offset of the first placeholder, or the length of the text.
func firstMarker(text string) int {
	first := len(text)
	for _, marker := range []string{"${", "$(", "{{", "<<"} {
		if i := strings.Index(text, marker); i >= 0 {
			first = min(first, i)
		}
	}
	return first
}

// BeginsTemplated reports whether a text begins with a placeholder, so that it can become one of any kind.
func BeginsTemplated(text string) bool { return firstMarker(text) == 0 && text != "" }

// OnlyPlaceholders reports whether a text has nothing but placeholders, so that it can become any text. The text between two of them is
// ignored.
func OnlyPlaceholders(text string) bool {
	prefix, suffix := literalEnds(text)
	return Templated(text) && prefix == "" && suffix == ""
}

// literalEnds are the prefix and the suffix of a text without placeholders.
func literalEnds(text string) (prefix, suffix string) {
	first := firstMarker(text)
	if first == len(text) {
		return text, text
	}
	return text[:first], text[strings.LastIndexAny(text, "})>")+1:]
}

// CanEqual reports whether two texts can be equal once they are rendered. The text between two placeholders is ignored, so
// the answer errs on the side of yes.
func CanEqual(a, b string) bool {
	prefixA, suffixA := literalEnds(a)
	prefixB, suffixB := literalEnds(b)
	switch {
	case !Templated(a) && !Templated(b):
		return a == b
	case !Templated(a) && len(a) < len(prefixB)+len(suffixB), !Templated(b) && len(b) < len(prefixA)+len(suffixA):
		return false
	}
	return (strings.HasPrefix(prefixA, prefixB) || strings.HasPrefix(prefixB, prefixA)) &&
		(strings.HasSuffix(suffixA, suffixB) || strings.HasSuffix(suffixB, suffixA))
}

// templatedNamespaceAccount returns the name of the account that a subject names in a templated namespace.
func (s Subject) templatedNamespaceAccount() (name string, ok bool) {
	switch s.Kind {
	case KindServiceAccount:
		name, ok = s.Name, Templated(s.Namespace)
	case KindUser:
		if !strings.HasPrefix(s.Name, accountUser) || !Templated(s.Name) {
			return "", false
		}
		_, suffix := literalEnds(s.Name)
		_, name, ok = strings.Cut(suffix, ":")
	}
	if !ok || Templated(name) {
		return "", false
	}
	return name, name != ""
}

const accountUser = "system:serviceaccount:"

// TemplatedSubject is a subject of a binding whose name contains placeholders.
type TemplatedSubject struct {
	Object *objects.Object
	// Path leads to the subject.
	Path manifest.Path
	// Written is the subject as its manifest has it.
	Written Subject
}

type templatedSubjectsKey struct{}

// TemplatedSubjects lists the subjects of bindings in a unit whose name contains placeholders and which can become the
// given subject, in the order of the unit. BindingsOf does not count them. Groups are left out unless they begin like those
// of accounts, because their members are unknown.
func TemplatedSubjects(u *objects.Unit, s Subject) []TemplatedSubject {
	return slices.DeleteFunc(slices.Clone(AllTemplatedSubjects(u)), func(l TemplatedSubject) bool { return l.Written == s || !l.CanBe(s) })
}

// AllTemplatedSubjects lists the subjects of bindings in a unit whose name contains placeholders, in the order of the unit. The result
// is shared.
func AllTemplatedSubjects(u *objects.Unit) []TemplatedSubject {
	return u.Cached(templatedSubjectsKey{}, func() any { return templatedSubjectsIn(u) }).([]TemplatedSubject)
}

func templatedSubjectsIn(u *objects.Unit) []TemplatedSubject {
	var all []TemplatedSubject
	for _, o := range u.Objects {
		if !isBinding(o) {
			continue
		}
		for i := 0; ; i++ {
			path := manifest.Path{"subjects", strconv.Itoa(i)}
			n := o.Node.Lookup(path)
			if n == nil {
				break
			}
			s := Subject{Kind: text(n.Get("kind")), Name: text(n.Get("name"))}
			if s.Kind == KindServiceAccount {
				s.Namespace = text(n.Get("namespace"))
				if s.Namespace == "" && o.Kind == kindRoleBinding {
					s.Namespace = o.Namespace
				}
			}
			if Templated(s.Name) {
				all = append(all, TemplatedSubject{o, path, s})
			}
		}
	}
	return all
}

// text reads a scalar. Without quotes YAML parses {{ name }} as a mapping whose key is a mapping.
func text(n *manifest.Node) string {
	if n.IsMapping() {
		return "{{ }}"
	}
	return n.String()
}

// CanBe reports whether the subject can become another one once its placeholders are filled in.
func (l TemplatedSubject) CanBe(s Subject) bool {
	account, isAccount := s.Account()
	switch l.Written.Kind {
	case KindServiceAccount:
		namespace := l.Written.Namespace
		return isAccount && CanEqual(l.Written.Name, account.Name) &&
			(namespace == "" || account.Namespace == "" || CanEqual(namespace, account.Namespace))
	case KindUser:
		name := s.Name
		if isAccount {
			name = account.User()
		}
		return s.Kind != KindGroup && CanEqual(l.Written.Name, name)
	case KindGroup:
		return strings.HasPrefix(l.Written.Name, accountsGroup) && slices.ContainsFunc(s.Groups(), func(group string) bool {
			return CanEqual(l.Written.Name, group)
		})
	}
	return false
}
