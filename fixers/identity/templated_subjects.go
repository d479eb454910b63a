package identity

import (
	"path"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// checkTemplatedSubjects refuses if a binding names a subject with placeholders that may stand for an identity. Of plain
// files, only those in the folder of the extension or its account count.
func checkTemplatedSubjects(u *objects.Unit, e *Variant, s rbac.Subject) error {
	later := rbac.TemplatedSubjects(u, s)
	if len(later) == 0 {
		return nil
	}
	folders := e.ownFolders(u, s)
	for _, l := range later {
		if u.Kind == objects.PlainUnit && !folders[path.Dir(l.Object.File)] {
			continue
		}
		return engine.Refuse("%s at %s binds %s, whose placeholders may stand for %s, so its grants are unknown: write the "+
			"name without placeholders, or set --grant role=NAME",
			l.Object.Kind, l.Object.Position(l.Path), engine.SubjectName(l.Written), engine.SubjectName(s))
	}
	return nil
}

// ownFolders returns the folders of the extension and of its account.
func (e *Variant) ownFolders(u *objects.Unit, s rbac.Subject) map[string]bool {
	folders := map[string]bool{path.Dir(e.Object.File): true}
	if s.Kind != rbac.KindServiceAccount {
		return folders
	}
	group := ""
	query := objects.Query{Group: &group, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}
	owned, _ := u.Near(e.objectIn(u), u.Find(query))
	for _, account := range owned {
		folders[path.Dir(account.File)] = true
	}
	return folders
}
