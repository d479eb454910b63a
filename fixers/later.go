package fixers

import (
	"path"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// checkLater refuses to say what an identity holds where a binding names somebody who is only known when names are filled
// in, and who may be that identity. Among plain files only those beside the extension or its account are asked.
func checkLater(u *objects.Unit, e *extension, s rbac.Subject) error {
	later := rbac.TemplatedSubjects(u, s)
	if len(later) == 0 {
		return nil
	}
	folders := e.folders(u, s)
	for _, l := range later {
		if u.Kind == objects.PlainUnit && !folders[path.Dir(l.Object.File)] {
			continue
		}
		return refuse("%s at %s binds %s, which may be %s when names are filled in, so what that holds is not known here: "+
			"write the name down, or say what to grant by --grant role=NAME",
			l.Object.Kind, l.Object.Position(l.Path), subjectName(l.Written), subjectName(s))
	}
	return nil
}

// folders are those of the extension and of its account.
func (e *extension) folders(u *objects.Unit, s rbac.Subject) map[string]bool {
	folders := map[string]bool{path.Dir(e.object.File): true}
	if s.Kind != rbac.KindServiceAccount {
		return folders
	}
	group := ""
	query := objects.Query{Group: &group, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}
	owned, _ := u.Near(e.in(u), u.Find(query))
	for _, account := range owned {
		folders[path.Dir(account.File)] = true
	}
	return folders
}
