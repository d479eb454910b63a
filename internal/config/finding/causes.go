package finding

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
)

// cause is a kind of reason why something was not checked, by the messages of its findings.
type cause struct {
	messages func() *regexp.Regexp
	// what says of a number of places what is wrong, and remedy what to do.
	what, remedy string
	// more is how many of them are listed one by one, because their messages differ.
	more int
}

// causes are in the order in which they are tried.
var causes = []cause{
	{lazyregexp.New(`^the (?:values? of (?:the )?variables?|variables of) `), "values of variables are unknown",
		"Commit the ConfigMaps that `substituteFrom` names; values of Secrets are not read, and stay unknown", 0},
	{lazyregexp.New(` is remote and was not checked|sources? of applications (?:is|are) in other repositories|^the applications of this generator are unknown`),
		"remote sources were not checked", "Run salint where they are maintained", 0},
	{lazyregexp.New(`it is excluded by .exclude. in the settings`), "entries name files or folders that `exclude` in the settings excludes",
		"Change `exclude` in .salint.yaml if they are applied", 0},
	{lazyregexp.New(`is ignored, by `), "entries name files or folders that git ignores", "Run salint where they exist, and name them as PATH", 0},
	{lazyregexp.New(`the checkout leaves it out$`), "entries name files or folders that the checkout leaves out", "Run salint in a full checkout", 0},
	{lazyregexp.New(`it is not here until a script writes it$`), "entries name files that scripts write", "Run salint after these scripts", 0},
	{lazyregexp.New(`it is missing|it does not exist|does not exist$| is not in the repository$|is a folder without a kustomization$`),
		"entries name files, folders, or kustomizations that do not exist", "Commit them, or remove the entries", 0},
	{lazyregexp.New(`^the chart .*dependenc(?:y|ies) `), "charts lack dependencies", "Run `helm dependency build`, and commit the result", 0},
	{lazyregexp.New(`^the chart .* was not checked|^not checked: the chart .* was not rendered`), "charts, or files of them, were not rendered",
		"Set values with which they render under `helm:` in .salint.yaml", 0},
	{lazyregexp.New(`no object is rendered from this template|no chart is rendered with these values`), "templates or values of charts make no object",
		"List the values that clusters use under `helm:` in .salint.yaml", 0},
	{lazyregexp.New(`^templates that test for the API version`), "tests of API versions in templates were checked only without the API",
		"Pass --helm-api-versions, or set `apiVersions` under `helm:` in .salint.yaml", 0},
	{lazyregexp.New(`^templates that test for the removed API version`), "tests of removed API versions in templates were checked only as if clusters had them",
		"Remove the tests", 0},
	{lazyregexp.New(`^templates that test the version of Kubernetes`), "tests of the version of Kubernetes in templates were checked only for one",
		"Set `kubeVersion` under `helm:` in .salint.yaml to that of the cluster", 0},
	{lazyregexp.New(`^this key is set again in the same mapping`), "rendered mappings have a key several times, which Flux and kustomize refuse",
		"Remove all but one", 0},
	{lazyregexp.New(`^a template, which is not YAML|^not valid YAML|^not valid JSON`), "templates or other files are not YAML",
		"List them under `exclude:` in .salint.yaml if nothing applies them", 0},
	{lazyregexp.New(`the object that this entry changes is not in what was built`), "entries change objects that were not read, or that do not exist",
		"Run salint where these objects are maintained", 0},
	{lazyregexp.New(`cannot be built|was left out|was not built|was built without it|is not in what was built|applies this patch`),
		"kustomizations, or files of them, were not built or were built in part", "Run `kustomize build` on them: it prints the reason", 3},
	{lazyregexp.New(`^the text has a manifest`), "manifests inside of other files were not checked", "Put them into separate files", 3},
	{lazyregexp.New(``), "other places were not checked", "Read their reasons", 6},
}

// firstPlaces is how many places the line of a cause names.
const firstPlaces = 3

// topic is what one line is about: a cause, or the files of a folder that no deployment applies.
type topic struct {
	cause    int // from 1, or unapplied
	unlisted bool
	folder   string
	folders  int // if there are too many for separate lines
}

// unapplied is the cause of a topic about files that no deployment applies.
const unapplied = -1

// Brief joins the notes of one cause, after [Gathered]: those about what was not checked for one kind of reason, and those in one folder that no
// deployment applies. Ignores, baselines, and revisions are about each place, so it runs last. Alone, a note stays as it is.
func Brief(findings []Finding) []Finding {
	findings = Gathered(findings)
	brief := briefWith(findings, mostFolders, false)
	isOther := func(f Finding) bool { return f.Rule != RuleNotChecked.Name || f.Severity != Note }
	if len(slices.DeleteFunc(slices.Clone(brief), isOther)) > mostNotes {
		brief = briefWith(findings, 1, true)
	}
	return brief
}

// mostNotes is how many notes about what was not checked there are before all folders are one topic, and nothing is listed one by one.
const mostNotes = 9

// briefWith is Brief with separate lines for at most some folders. With each cause, messages that differ are joined, too.
func briefWith(findings []Finding, folders int, each bool) []Finding {
	topics := topicsOf(findings, folders)
	byTopic := map[topic][]int{}
	for i, t := range topics {
		byTopic[t] = append(byTopic[t], i)
	}
	var kept []Finding
	for i, f := range findings {
		t, ok := topics[i], topics[i] != topic{}
		places := byTopic[t]
		switch {
		case !ok || f.Unapplied == nil && (len(places) == 1 || !each && len(places) <= causes[t.cause-1].more):
			kept = append(kept, f)
		case places[0] == i:
			kept = append(kept, joined(t, findings, places))
		}
	}
	return kept
}

// Limited returns the findings, or [Brief] if there are more notes than a report should list. If there are still more, notes with the same
// message are one.
func Limited(findings []Finding, most int) []Finding {
	if countNotes(findings) <= most {
		return findings
	}
	if findings = Brief(findings); countNotes(findings) <= most {
		return findings
	}
	return withoutRepeated(findings)
}

func countNotes(findings []Finding) int {
	notes := 0
	for _, f := range findings {
		if f.Severity == Note {
			notes++
		}
	}
	return notes
}

// withoutRepeated joins the notes of one rule with the same message: the first has the places of the others.
func withoutRepeated(findings []Finding) []Finding {
	type same struct{ rule, message string }
	first := map[same]int{}
	var kept []Finding
	for _, f := range findings {
		of := same{f.Rule, f.Message}
		i, known := first[of]
		switch {
		case f.Severity != Note || f.Fix != nil || f.Places > 0 || f.Suppression != nil:
		case known:
			head := &kept[i]
			head.Places = max(head.Places, 1) + 1
			head.Related = append(slices.Clone(head.Related), Related{File: f.File, Line: f.Range.Line, Message: "the same"})
			continue
		default:
			first[of] = len(kept)
		}
		kept = append(kept, f)
	}
	return kept
}

// topicsOf returns the topics of findings; the zero topic is that of a finding that is not joined with others. If there are too many folders,
// all are one topic.
func topicsOf(findings []Finding, most int) []topic {
	topics := make([]topic, len(findings))
	folders := map[bool]map[string]bool{true: {}, false: {}}
	for i, f := range findings {
		topics[i] = topicOf(f)
		if topics[i].folder != "" {
			folders[topics[i].unlisted][topics[i].folder] = true
		}
	}
	for i, t := range topics {
		if n := len(folders[t.unlisted]); t.folder != "" && n > most {
			topics[i].folder, topics[i].folders = "", n
		}
	}
	return topics
}

// mostFolders is how many folders have separate lines.
const mostFolders = 6

func topicOf(f Finding) topic {
	switch {
	case f.Severity != Note || f.Fix != nil || f.Places > 0:
		return topic{}
	case f.Unapplied != nil:
		return topic{cause: unapplied, unlisted: f.Unapplied.Beside != "", folder: f.Unapplied.Folder}
	case f.Rule != RuleNotChecked.Name:
		return topic{}
	}
	return topic{cause: 1 + slices.IndexFunc(causes, func(c cause) bool { return c.messages().MatchString(f.Message) })}
}

// joined returns the finding at the first of some places that stands for all.
func joined(t topic, findings []Finding, places []int) Finding {
	first := findings[places[0]]
	f := Finding{
		Rule: RuleNotChecked.Name, Severity: Note, File: first.File, Range: first.Range, Places: len(places), Unchecked: first.Unchecked,
		Recorded: first.Fingerprint(), Unapplied: first.Unapplied,
	}
	seen := map[Place]bool{{File: f.File, Line: f.Range.Line}: true}
	for _, i := range places[1:] {
		at := Place{findings[i].File, findings[i].Range.Line}
		if !seen[at] && len(f.Related) < firstPlaces-1 {
			f.Related = append(f.Related, Related{File: at.File, Line: at.Line, Message: findings[i].Message})
		}
		seen[at] = true
	}
	if t.cause == unapplied {
		f.Message = unappliedMessage(t, findings, places, first.Unapplied)
		return f
	}
	c := causes[t.cause-1]
	f.Message = fmt.Sprintf("%d %s%s. %s. --verbose lists all.", len(places), c.what, alsoAt(f, len(seen)), c.remedy)
	return f
}

// alsoAt names the places after the first.
func alsoAt(f Finding, places int) string {
	var also []string
	for _, r := range f.Related {
		also = append(also, fmt.Sprintf("%s:%d", r.File, max(r.Line, 1)))
	}
	if len(also) == 0 {
		return ""
	}
	more := ""
	if left := places - 1 - len(also); left > 0 {
		more = fmt.Sprintf(", and %d more", left)
	}
	return " (also " + strings.Join(also, ", ") + more + ")"
}

func unappliedMessage(t topic, findings []Finding, places []int, why *Unapplied) string {
	counts := map[string]int{}
	for _, i := range places {
		counts[findings[i].Rule]++
	}
	var rules []string
	for rule, n := range counts {
		rules = append(rules, fmt.Sprintf("%d %s", n, rule))
	}
	slices.Sort(rules)
	in := why.Folder
	switch {
	case t.folders > 0:
		in = fmt.Sprintf("%s and %s", why.Folder, words.Count(t.folders-1, "other folder"))
	case in == ".":
		in = "the top folder"
	}
	is := "data of tests, which no deployment applies"
	switch {
	case t.unlisted && t.folders > 0:
		is = "files that the kustomizations beside them do not list and nothing else applies"
	case t.unlisted:
		is = "files that " + why.Beside + " does not list and nothing else applies"
	}
	return fmt.Sprintf("%s in %s: %s (%s). If a cluster gets them, set `tests: [\"!%s\"]` in .salint.yaml.",
		words.Count(len(places), "finding"), is, in, List(rules, 5), pattern(why.Folder))
}

func pattern(folder string) string {
	if folder == "." {
		return "*"
	}
	return folder + "/**"
}
