package usage

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// textUses returns the places in files that may use a subject and that no object shows: texts inside of manifests, templates that were not
// rendered, values of charts and patches that nothing builds, scripts, and pages about it.
func (f *finder) textUses(s Subject) []Use {
	var found []Use
	for _, p := range f.places {
		if how, may := f.mayUse(p, s); may {
			found = append(found, Use{
				Object: p.ObjectIn(f.files), Position: objects.Position{File: p.File, Line: p.Line, Column: 1}, Path: p.Path, Effect: May, How: how,
			})
		}
	}
	return found
}

// mayUse reports whether a place with the name may use the subject, and how.
func (f *finder) mayUse(p uses.Place, s Subject) (how string, may bool) {
	switch {
	case p.Comment, p.Selects, strings.HasPrefix(path.Base(p.File), ".salint"), isShownBy(s.Uses, p):
		return "", false
	case s.Kind == account && (p.Unrelated || !meansAccount(p, s)):
		return "", false
	case p.Certainty == uses.Certain && !hasWord(f.line(p), s.Name):
		return "", false
	case p.Ref != "" && len(p.Path) > 0:
		return f.mayUseInObject(p, s)
	case p.IsChartValue(), p.IsInPatch(), objects.IsKustomizationFile(p.File):
		return "names it", !f.isBuilt(p.File) // what was built shows what for
	case s.Kind != account && textpaths.IsDocument(path.Base(p.File)) && !about(s.Kind).MatchString(f.line(p)):
		return "", false
	case p.Kind != "" && isMetadataName(p):
		return "", false
	}
	return "names it", true
}

// mayUseInObject is mayUse for a place in an object. A field with nothing but the name was read already, as the units apply it.
func (f *finder) mayUseInObject(p uses.Place, s Subject) (how string, may bool) {
	o := p.ObjectIn(f.files)
	if o == nil {
		return "names it", true
	}
	forms, asWritten := p.FormsIn(f.files)
	exact := o.Node.Lookup(p.Path).String() == s.Name
	switch {
	case asWritten && f.isBuilt(p.File): // a patch
		return "", false
	case exact && !asWritten && !isText(o, p.Path), isOtherName(p.Path) && !slices.Contains(p.Path, "annotations"):
		return "", false
	case p.Use == uses.Names:
		return "", false
	case !slices.ContainsFunc(forms, func(form *objects.Object) bool { return form.Node.Lookup(p.Path) != nil }):
		return "", false
	}
	return "has its name in a string", isText(o, p.Path) || !isBuiltIn(o) || asWritten
}

// isShownBy reports whether a place is one of the uses that objects show.
func isShownBy(all []Use, p uses.Place) bool {
	return slices.ContainsFunc(all, func(u Use) bool { return u.Position.File == p.File && u.Position.Line == p.Line })
}

// meansAccount reports whether a place can mean an account of the namespace.
func meansAccount(p uses.Place, s Subject) bool {
	return p.CanName(objects.Account{Namespace: s.Namespace, Name: s.Name})
}

// hasWord reports whether a line has a name as more than a step of a path, such as that of a folder with the manifests.
func hasWord(line, name string) bool {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`,;()[]{}<>=", r) }) {
		isPath := strings.HasPrefix(word, ".") || strings.HasPrefix(word, "/") || strings.Contains(word, name+"/") || strings.Contains(word, "://")
		if strings.Contains(word, name) && (!isPath || strings.Contains(name, "://")) {
			return true
		}
	}
	return false
}

// isBuilt reports whether units read a file, and all of them were built: what they apply shows its effect.
func (f *finder) isBuilt(file string) bool {
	reading := slices.DeleteFunc(slices.Clone(f.units), func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit || !u.Reads(file) })
	return len(reading) > 0 && !slices.ContainsFunc(reading, func(u *objects.Unit) bool { return u.NotBuilt })
}

func isMetadataName(p uses.Place) bool { return p.Path.String() == "metadata.name" }

// line returns the line of a place.
func (f *finder) line(p uses.Place) string {
	lines, known := f.lines[p.File]
	if !known {
		data, _ := f.Text(p.File)
		lines = strings.Split(string(data), "\n")
		f.lines[p.File] = lines
	}
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	return lines[p.Line-1]
}

var (
	aboutSecret   = lazyregexp.New(`(?i)secret|password|credential|token`)
	aboutRole     = lazyregexp.New(`(?i)role|rbac|permission`)
	aboutAudience = lazyregexp.New(`(?i)audience|token`)
)

// about returns a pattern of the lines of prose that are about a kind of things.
func about(kind string) interface{ MatchString(string) bool } {
	switch kind {
	case secret:
		return aboutSecret()
	case audience:
		return aboutAudience()
	}
	return aboutRole()
}
