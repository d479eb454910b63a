package identity

import (
	"path"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// checkTemplatedSubjects refuses if a binding names a subject with placeholders that may stand for an identity. Of plain
// files, only those in the folder of the extension or its account count.
func checkTemplatedSubjects(u *objects.Unit, v *Variant, s rbac.Subject) error {
	later := rbac.TemplatedSubjects(u, s)
	if len(later) == 0 {
		return nil
	}
	folders := v.ownFolders(u, s)
	for _, l := range later {
		if u.Kind == objects.PlainUnit && !folders[path.Dir(l.Object.File)] {
			continue
		}
		return refuseTemplatedSubject(l, s)
	}
	return nil
}

func refuseTemplatedSubject(l rbac.TemplatedSubject, s rbac.Subject) error {
	return engine.Refuse("%s at %s binds %s, whose placeholders may stand for %s, so its grants are unknown: write the "+
		"name without placeholders, or set --grant role=NAME",
		l.Object.Kind, l.Object.Position(l.Path), engine.SubjectName(l.Written), engine.SubjectName(s))
}

// templatedElsewhere are the bound subjects with placeholders of all units, by their namespace. Those that can be in any are under "".
// A user whose name begins with a placeholder is left out: it is a person rather than an account.
type templatedElsewhere map[string][]templatedInUnit

type templatedInUnit struct {
	rbac.TemplatedSubject
	unit *objects.Unit
}

func newTemplatedElsewhere(c *engine.Context) templatedElsewhere {
	all := templatedElsewhere{}
	for _, unit := range c.Repo.Units {
		for _, l := range rbac.AllTemplatedSubjects(unit) {
			namespace := l.Written.Namespace
			switch {
			case l.Written.Kind != rbac.KindServiceAccount && rbac.BeginsTemplated(l.Written.Name):
				continue
			case rbac.Templated(namespace):
				namespace = ""
			}
			all[namespace] = append(all[namespace], templatedInUnit{l, unit})
		}
	}
	return all
}

// checkTemplatedElsewhere refuses if another unit that may go to the same cluster binds a subject with placeholders that may stand for
// an identity: what it grants would be lost.
func checkTemplatedElsewhere(c *engine.Context, v *Variant, unit *objects.Unit, s rbac.Subject) error {
	all := engine.Memo(c, newTemplatedElsewhere)
	candidates := all[""]
	if s.Namespace != "" {
		candidates = slices.Concat(all[s.Namespace], candidates)
	}
	for _, l := range candidates {
		if l.CanBe(s) && mayShareCluster(c, l.unit, unit, v, s) {
			return refuseTemplatedSubject(l.TemplatedSubject, s)
		}
	}
	return nil
}

// ownFolders returns the folders of the extension and of its account.
func (v *Variant) ownFolders(u *objects.Unit, s rbac.Subject) map[string]bool {
	folders := map[string]bool{path.Dir(v.Object.File): true}
	if s.Kind != rbac.KindServiceAccount {
		return folders
	}
	group := ""
	query := objects.Query{Group: &group, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}
	owned, _ := u.Near(v.objectIn(u), u.Find(query))
	for _, account := range owned {
		folders[path.Dir(account.File)] = true
	}
	return folders
}
