package judging

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
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
