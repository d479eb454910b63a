package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// fixLabel precedes the description of a fix that is offered.
const fixLabel = "fix:"

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

// offered returns the description of a fix as an imperative that continues a line: "remove spec.serviceAccount".
func offered(f *finding.Fix) string {
	verb, rest, _ := strings.Cut(f.Description, " ")
	if pastTense[strings.ToLower(verb)] == "" {
		return f.Description
	}
	return strings.TrimSuffix(strings.ToLower(verb)+" "+rest, " ")
}

// made returns the description of a fix in the past tense: "removed spec.serviceAccount". A description that begins with an
// unknown verb is returned unchanged.
func made(f *finding.Fix) string {
	description := offered(f)
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

// offerText is the line that offers a fix, without styles.
func offerText(f *finding.Fix) string {
	return fmt.Sprintf("%s %s (%s)", fixLabel, safetext.Text(offered(f)), fixHint(f.Kind))
}

// resultText is the line that reports a fix that was made, without styles.
func resultText(f finding.Finding, p paths) string {
	return fixedLabel(f, p) + ": " + safetext.Text(made(f.Fix))
}

// fixedLabel precedes the description of a fix that was made. It names the changed files if the file of the finding is not one of
// them: for one overlay of a shared base, the fix is a patch in the overlay.
func fixedLabel(f finding.Finding, p paths) string {
	if files := otherFiles(f, p); files != "" {
		return "fixed in " + safetext.Text(files)
	}
	return "fixed"
}

// shownFiles is how many of the files that a fix changes are named.
const shownFiles = 2

// otherFiles names the files that a fix changes if the file of the finding is not one of them; otherwise it returns "".
func otherFiles(f finding.Finding, p paths) string {
	if f.Fix == nil || len(f.Fix.Files) == 0 || slices.Contains(f.Fix.Files, f.File) {
		return ""
	}
	var names []string
	for _, file := range f.Fix.Files[:min(shownFiles, len(f.Fix.Files))] {
		names = append(names, p.rel(file))
	}
	if more := len(f.Fix.Files) - len(names); more > 0 {
		return strings.Join(names, ", ") + ", and " + words.Count(more, "more file")
	}
	return words.And(names)
}

// upperFirst begins a text with a capital letter, as an item of a list.
func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
