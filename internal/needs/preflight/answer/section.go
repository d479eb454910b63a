package answer

import (
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/needs/preflight"
)

// section is what is missing for one purpose in one namespace: for all objects together, or for one role.
type section struct {
	title string
	rules []rbacv1.PolicyRule
	// about lists the objects of each rule.
	about []string
}

var titles = map[preflight.Purpose]string{
	preflight.Manage:   "OLM reads, changes, and deletes each object by name",
	preflight.Create:   "OLM creates them, which cannot be limited to names",
	preflight.Collect:  "OLM lists and watches every type that it installs, in the whole cluster",
	preflight.Finalize: "OLM sets an owner for all objects, for which the API server can require permission to update the owner's finalizers",
}

// sections groups the gaps of a namespace, in their order. A binding with the same gaps as its role is listed with it.
func sections(gaps []preflight.Gap, namespace string) []section {
	var all []section
	byTitle := map[string]int{}
	byRules := map[string]int{}
	for _, gap := range gaps {
		if gap.Namespace != namespace {
			continue
		}
		title, common := titles[gap.Purpose]
		if common {
			at, known := byTitle[title]
			if !known {
				at = len(all)
				byTitle[title] = at
				all = append(all, section{title: title})
			}
			all[at].rules = append(all[at].rules, preflight.Combine(gap.Chosen)...)
			all[at].about = append(all[at].about, objectsOf(gap))
			continue
		}
		rules := preflight.Combine(gap.Chosen)
		key := fmt.Sprint(rules)
		if at, known := byRules[key]; known {
			all[at].title += fmt.Sprintf("; the same for %s %s", gap.Objects[0].Kind(), gap.Objects[0].Name())
			continue
		}
		byRules[key] = len(all)
		all = append(all, section{title: reason(gap), rules: rules})
	}
	return all
}

// reason returns why a role or binding needs something.
func reason(gap preflight.Gap) string {
	o := gap.Objects[0]
	what := fmt.Sprintf("%s %s (%s)", o.Kind(), o.Name(), preflight.Place(o))
	who := "creating it"
	if gap.Old {
		// The upgrade only deletes it. But OLM keeps the old version unchanged until the new one is installed.
		what += ", of the old version,"
		who = "restoring it before the upgrade"
	}
	switch {
	case gap.Unknown:
		return fmt.Sprintf("%s binds %s, whose rules are unknown", what, roleName(gap.Role))
	case gap.Purpose == preflight.BindRole:
		return fmt.Sprintf("%s binds %s, and %s requires the permissions of that role", what, roleName(gap.Role), who)
	default:
		return fmt.Sprintf("%s grants this, and %s requires the same permissions", what, who)
	}
}

// objectsOf lists the objects that need a permission: the position of the object that a rule names, or the number of
// objects of a type.
func objectsOf(gap preflight.Gap) string {
	if len(gap.Objects) == 0 {
		return ""
	}
	first := gap.Objects[0]
	switch more := len(gap.Objects) - 1; {
	case gap.Purpose == preflight.Manage && gap.Old:
		return preflight.Place(first) + ", which the new version no longer has"
	case gap.Purpose == preflight.Manage:
		return preflight.Place(first)
	case more > 0:
		return fmt.Sprintf("%s and %d more", first.Name(), more)
	default:
		return first.Name()
	}
}

func (s section) print(t *page) {
	t.line("  %s", s.title)
	t.rules("    ", s.rules, func(i int) string {
		if i >= len(s.about) || s.about[i] == "" {
			return ""
		}
		return "(" + s.about[i] + ")"
	})
}
