package rbac

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Templated reports whether a text is filled in before it is applied: by envsubst, Flux, an OpenShift Template or Helm.
func Templated(text string) bool { return firstMarker(text) < len(text) }

// firstMarker is where a text stops being literal: its length when all of it is.
func firstMarker(text string) int {
	first := len(text)
	for _, marker := range []string{"${", "$(", "{{"} {
		if i := strings.Index(text, marker); i >= 0 {
			first = min(first, i)
		}
	}
	return first
}

// literalEnds are the beginning and the end of a text that stay as they are when it is filled in.
func literalEnds(text string) (prefix, suffix string) {
	first := firstMarker(text)
	if first == len(text) {
		return text, text
	}
	return text[:first], text[strings.LastIndexAny(text, "})")+1:]
}

// couldBe reports whether two texts may be the same when both are filled in. What stands between two markers is not
// looked at, so the answer is yes too often rather than too seldom.
func couldBe(a, b string) bool {
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

// laterAccount is the account that a subject names in a namespace which is filled in later.
func (s Subject) laterAccount() (name string, ok bool) {
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

// Later is a subject of a binding that is only known when names are filled in.
type Later struct {
	Object *objects.Object
	// Path leads to the subject.
	Path manifest.Path
	// Written is the subject as its manifest has it.
	Written Subject
}

type laterKey struct{}

// LaterOf lists the subjects of bindings in a unit whose name is filled in before it is applied and which may turn out to
// be the subject asked about, in the order of the unit. None of them counts for BindingsOf. Groups are left out unless
// they begin like those of accounts: anybody could be in them.
func LaterOf(u *objects.Unit, s Subject) []Later {
	all := u.Cached(laterKey{}, func() any { return laterIn(u) }).([]Later)
	return slices.DeleteFunc(slices.Clone(all), func(l Later) bool { return l.Written == s || !l.mayBe(s) })
}

func laterIn(u *objects.Unit) []Later {
	var all []Later
	for _, o := range u.Objects {
		if _, ok := scopeOf(o); !ok {
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
				all = append(all, Later{o, path, s})
			}
		}
	}
	return all
}

// text reads a scalar. Without quotes YAML takes {{ name }} for a mapping whose key is a mapping.
func text(n *manifest.Node) string {
	if n.IsMapping() {
		return "{{ }}"
	}
	return n.String()
}

func (l Later) mayBe(s Subject) bool {
	account, isAccount := s.account()
	switch l.Written.Kind {
	case KindServiceAccount:
		namespace := l.Written.Namespace
		return isAccount && couldBe(l.Written.Name, account.Name) &&
			(namespace == "" || account.Namespace == "" || couldBe(namespace, account.Namespace))
	case KindUser:
		name := s.Name
		if isAccount {
			name = account.User()
		}
		return s.Kind != KindGroup && couldBe(l.Written.Name, name)
	case KindGroup:
		return strings.HasPrefix(l.Written.Name, accountsGroup) && slices.ContainsFunc(s.Groups(), func(group string) bool {
			return couldBe(l.Written.Name, group)
		})
	}
	return false
}
