package fixtext

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// pastTense holds the verbs with which descriptions of fixes begin, or join a second step, and their past tenses.
var pastTense = map[string]string{
	"add": "added", "align": "aligned", "apply": "applied", "bind": "bound", "change": "changed", "complete": "completed",
	"correct": "corrected", "create": "created", "delete": "deleted", "disable": "disabled", "drop": "dropped", "grant": "granted",
	"keep": "kept", "let": "let", "move": "moved", "narrow": "narrowed", "patch": "patched", "project": "projected",
	"convert": "converted", "remove": "removed", "rename": "renamed", "replace": "replaced", "restrict": "restricted", "set": "set", "stop": "stopped",
	"turn": "turned", "unmount": "unmounted", "update": "updated",
}

// step finds the verb of each step of a description, such as "Remove x, and first grant y".
var step = lazyregexp.New(`^[A-Za-z]+|(?:, and first |, and |; )[a-z]+`)

// Offered returns the description of a fix as an imperative that continues a line: "remove spec.serviceAccount".
func Offered(f *finding.Fix) string {
	verb, rest, _ := strings.Cut(f.Description, " ")
	if pastTense[strings.ToLower(verb)] == "" {
		return f.Description
	}
	return strings.TrimSuffix(strings.ToLower(verb)+" "+rest, " ")
}

// Made returns the description of a fix in the past tense: "removed spec.serviceAccount". A description that begins with an
// unknown verb is returned unchanged.
func Made(f *finding.Fix) string {
	description := Offered(f)
	verb, _, _ := strings.Cut(description, " ")
	if pastTense[verb] == "" {
		return description
	}
	return step().ReplaceAllStringFunc(description, func(match string) string {
		before := strings.LastIndex(match, " ") + 1
		if past, known := pastTense[match[before:]]; known {
			return match[:before] + past
		}
		return match
	})
}

// shownFiles is how many of the files that a fix changes are named.
const shownFiles = 2

// OtherFiles names the files that a fix changes if the file of the finding is not one of them, each as show returns it; otherwise it returns "". The
// fix can be nil.
func OtherFiles(fix *finding.Fix, file string, show func(string) string) string {
	if fix == nil || len(fix.Files) == 0 || slices.Contains(fix.Files, file) {
		return ""
	}
	var names []string
	for _, changed := range fix.Files[:min(shownFiles, len(fix.Files))] {
		names = append(names, show(changed))
	}
	if more := len(fix.Files) - len(names); more > 0 {
		return strings.Join(names, ", ") + ", and " + words.Count(more, "more file")
	}
	return words.And(names)
}
