package prefilter

import "github.com/salint/salint/internal/files/manifest"

// Of returns the facts of an object as it is applied, without accounts and releases. ok is false if a fact is not a simple word.
func Of(object *manifest.Node) (f *Facts, ok bool) {
	f = &Facts{}
	metadata, role := object.Get("metadata"), object.Get("roleRef")
	f.wordIn(object, "apiVersion", &f.APIVersion)
	f.wordIn(object, "kind", &f.Kind)
	f.wordIn(metadata, "namespace", &f.Namespace)
	f.wordIn(metadata, "name", &f.Name)
	f.wordIn(role, "kind", &f.RoleKind)
	f.wordIn(role, "name", &f.RoleName)
	f.wordIn(role, "apiGroup", &f.RoleGroup)
	if subjects := object.Get("subjects"); subjects != nil {
		// The items of an alias are those of its anchor.
		f.uncertain = f.uncertain || !subjects.IsSequence() || len(subjects.Items()) == 0
		for _, item := range subjects.Items() {
			var s Subject
			f.uncertain = f.uncertain || !item.IsMapping()
			f.wordIn(item, "kind", &s.Kind)
			f.wordIn(item, "namespace", &s.Namespace)
			f.wordIn(item, "name", &s.Name)
			f.wordIn(item, "apiGroup", &s.APIGroup)
			f.Subjects = append(f.Subjects, s)
		}
	}
	return f, !f.uncertain && f.Kind != "" && f.APIVersion != ""
}

// wordIn reads a field of a mapping, which need not exist.
func (f *Facts) wordIn(mapping *manifest.Node, name string, into *string) {
	if mapping == nil {
		return
	}
	f.uncertain = f.uncertain || !mapping.IsMapping()
	if value := mapping.Get(name); value != nil {
		*into = value.String()
		f.uncertain = f.uncertain || !value.IsString() || !isWord(*into)
	}
}

// AddObject adds an account or a role as it is applied.
func (i *Index) AddObject(object *manifest.Node) {
	if f, ok := Of(object); ok && f.Kind != KindRelease {
		i.Add(f)
	}
}
