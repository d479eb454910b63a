package judging

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evaluate"
)

// subjectKinds are the kinds of subjects.
var subjectKinds = []string{"ServiceAccount", "User", "Group"}

// subjectOf returns the subject of a binding that a report is about: the one at its path, otherwise the one that its policy names as the
// holder; nil if there is none.
func subjectOf(r evaluate.Report) *finding.Subject {
	if len(r.Path) > 1 && r.Path[0] == "subjects" {
		if _, err := strconv.Atoi(r.Path[1]); err == nil {
			node := r.Object.Node.Lookup(r.Path[:2])
			return subject(node.Get("kind").String(), node.Get("namespace").String(), node.Get("name").String())
		}
	}
	if parts := strings.Split(r.Holder, "\x00"); len(parts) == 3 {
		return subject(parts[0], parts[1], parts[2])
	}
	return nil
}

func subject(kind, namespace, name string) *finding.Subject {
	if !slices.Contains(subjectKinds, kind) || name == "" {
		return nil
	}
	if kind != "ServiceAccount" {
		namespace = ""
	}
	return &finding.Subject{Kind: kind, Namespace: namespace, Name: name}
}

// subjectSetElsewhere returns the subject at the path of a report in the form of a holder, and which of its fields is set where, if a patch, a variable, or
// the namespace of an overlay sets it: units that apply one binding then give its role to different subjects. A name with a prefix or a suffix is that of
// an account of the same unit.
func subjectSetElsewhere(unit *objects.Unit, r evaluate.Report) (holder, field string, at objects.Position) {
	found, source := subjectOf(r), r.Object.Source()
	if found == nil || r.Holder != "" || source == nil {
		return "", "", at
	}
	holder = strings.Join([]string{found.Kind, found.Namespace, found.Name}, "\x00")
	for _, field := range []string{"name", "namespace"} {
		path := manifest.Path{r.Path[0], r.Path[1], field}
		written, applied := source.Node.Lookup(path).String(), r.Object.Node.Lookup(path).String()
		variable := strings.Contains(written, "$")
		if written == "" || !variable && (written == applied || field == "name" && strings.Contains(applied, written)) {
			continue
		}
		at = r.Object.Position(path)
		if i := slices.IndexFunc(unit.Transforms, func(t objects.Transform) bool { return t.Field == field && t.Value == applied }); i >= 0 {
			at = unit.Transforms[i].Position
		}
		if by := unit.AppliedBy().Appliers; variable && at.File == source.File && len(by) > 0 {
			at = by[0].Object.Position(nil)
		}
		if at.File != source.File {
			return holder, field, at
		}
	}
	return "", "", at
}
