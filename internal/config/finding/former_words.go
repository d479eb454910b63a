package finding

import (
	"regexp"
	"strings"
	"sync"
)

// The fingerprint of a finding without an object contains its message, and baselines contain fingerprints. Messages were
// reworded later, so the fingerprint is made of the former words: otherwise a baseline that was written
// before would not match.
//
// If the words of such a message change, add an entry to one of the tables below, with a pair of messages in the test. A new
// message needs no entry. Former words never change.

// formerWords returns a message about a file in its former words.
func formerWords(message string) string {
	t := formerTables()
	for _, p := range t.patterns {
		if strings.Contains(message, p.guard) {
			message = p.pattern.ReplaceAllString(message, p.former)
		}
	}
	return t.fragments.Replace(message)
}

type formerPattern struct {
	// guard is a text that each match contains: most messages are not searched with the pattern.
	guard   string
	pattern *regexp.Regexp
	former  string
}

type tables struct {
	patterns  []formerPattern
	fragments *strings.Replacer
}

// formerTables compiles the tables, which most runs do not need.
var formerTables = sync.OnceValue(func() tables {
	t := tables{fragments: strings.NewReplacer(formerFragments...)}
	for _, p := range formerPatterns {
		t.patterns = append(t.patterns, formerPattern{p[0], regexp.MustCompile(p[1]), p[2]})
	}
	return t
})

// formerPatterns are the messages whose words change around a value: a text that each match contains, the pattern, and the
// replacement. They are applied in order, before the fragments.
var formerPatterns = [][3]string{
	// Kustomizations and overlays
	{"cannot be built, so its objects", `(?s)^(.*?) cannot be built, so its objects were checked as they are in their files: `,
		"not built, so the objects of ${1} were checked as they stand in their files: "},
	{"salint fetches nothing", `(\w+): ("(?:[^"\\]|\\.)*") is not in the repository, and salint fetches nothing`,
		"${1} wants ${2}, which is not in the repository: nothing is fetched"},
	{"kustomize reads one", `kustomize reads one kustomization per folder: it reads (.*), and this one was not checked`,
		"the folder already has the kustomization ${1}: kustomize takes one per folder, and this one was not looked at"},
	{"exceeds the limit", `it exceeds the limit at (.*)$`, "${1} was one file too many"},
	{"reads too much:", `reads too much: `, "reads too much; "},

	// Charts
	{"In `helm`, use", "^the chart (.*) does not exist\\. In `helm`, use ", "there is no chart ${1}: `helm` names "},
	{"dependencies missing", "dependencies missing in charts/: (.*)\\. Run `helm dependency build` in the chart, and commit the result",
		"dependencies that are not in charts/: ${1}; run `helm dependency build` in the chart and commit what it puts there"},
	{"requires Kubernetes", `the chart requires Kubernetes (.*), but is rendered for `, "the chart wants Kubernetes ${1}, and is rendered for "},

	// Applications
	{"was not checked: ", `\bthe (source .* of .*|chart of .*) was not checked: `, "the ${1} was not looked at: "},
	{"the folder ", `\bthe folder (.*) is not in the repository`, "there is no folder ${1} in the repository"},
	{"the values file ", `\bthe values file (.*) is not in the repository`, "there is no file of values ${1} in the repository"},
	{"the values file ", `\bthe values file (.*) is outside the repository`, "the values ${1} lead out of the repository"},
	{"the values file ", `\bthe values file (.*) was not read: `, "the values ${1} are not read: "},
	{" are unknown: ", `\bthe (variables|values) of (.*) are unknown: `, "the ${1} of ${2} are not known: "},
	{" are unknown: ", `\bthe files that (.*) ignores are unknown: `, "what ${1} leaves out is not known: "},
	{" is unknown: ", `\bthe application for (.*) is unknown: `, "the application for ${1} is not known: "},
	{"not a git repository", `its source is a (.*), not a git repository`, "its source is of the kind ${1}, and not a git repository"},
	{"the values of variables in", `^the values of variables in operator sources, labels, and annotations are not in the repository and were not checked: (.*)$`,
		"what the variables of an operator's source, of labels and of annotations come to (${1}) is not in the repository and was not checked"},
	{"the kustomization in", `^the kustomization in (.*) cannot be read, so its objects were not checked`,
		"the kustomization of ${1} could not be read, so what it applies was not checked"},
	{"a rendered copy", `^Argo CD applies a rendered copy of the source on the branch (.*), which is updated when`,
		"what is applied is a rendered copy of the source on the branch ${1}: it follows when"},
	{"encrypted with", `^values encrypted with (.*) are not read`, "what is encrypted with ${1} is not read"},
	{"cannot be read", `^(.*: )?(\S+) cannot be read$`, "${1}${2} cannot be read here"},
	{"cannot be set by Helm", `the value ("(?:[^"\\]|\\.)*") cannot be set by Helm: its name requires a list or a mapping where the values have something different`,
		"the value ${1} cannot be set, and Helm fails: its name takes something for a list or a mapping that is none among the values before it"},

	// ApplicationSets
	{" requires ", `\bthe generator (\S+) requires `, "the generator ${1} needs "},
	{"the generator ", `\bthe generator (\S+) does not exist`, "there is no generator ${1}"},
	{"which is not this repository", `it reads (.*), which is not this repository`, "it looks at ${1}, which is not this repository"},
	{"it returns more", `it returns more than (\d+) sets of parameters`, "it gives more than ${1} sets of parameters"},
	{"the selector has", `the selector has an unknown operator `, "a selector has no operator "},
	{"an element must be", `the values of an element must be strings, but (.*) is not\b`, "an element holds texts, and ${1} is none"},
	{"without goTemplate, values", `without goTemplate, values must be strings, but (.*) is not\b`, "without goTemplate values are texts, and ${1} is none"},
	{"without goTemplate, ", `without goTemplate, `, "without goTemplate "},
	{"does not support the function", `salint does not support the function (\S+)`, "the function ${1} is not called here"},
	{"returns more than", `(filling in|substituting) (the template|the variables) returns more than`, "filling in ${2} gives more than"},
	{"valid variable name", `is not a valid variable name: use letters, digits, and _`, "is no name of a variable: letters, digits and _ make one"},
	{"parts of a variable", `parts of a variable with more than (\d+) bytes are replaced`, "parts of variables are replaced where one has more than ${1} bytes"},

	// Files
	{"not UTF-8: byte", `not UTF-8: byte (0x[0-9a-f]+)`, "not UTF-8: the byte ${1} stands here"},
	{"the YAML parser reads", `the YAML parser reads (.*) than the bytes show`, "the YAML parser sees ${1} than its text shows"},
	{"outside the given paths", `the symlink points to (.*), which is outside the given paths`, "the symlink points at ${1}, which lies outside of the paths given"},
	{"unknown directive", `^this comment has no effect: unknown directive (.*): use ignore or ignore-file$`,
		"this comment has no effect: salint knows ignore and ignore-file, not ${1}"},
	{"this ignore of", `^this ignore of (.*) expired on (\S+): fix the finding, remove the ignore, or set a new date$`,
		"this ignore of ${1} ended with ${2} and silences nothing any more: mend what it hid, remove it, or set a new date"},
	{"this ignore of", `^this ignore of (.*) has no effect: remove it$`, "this ignore of ${1} silences nothing: remove it"},
	{"is ignored without a reason", `^(.*) is ignored without a reason: add the reason after the rule$`,
		"${1} is silenced here and nobody says why: put the reason behind the rule"},
	{"in an ignore: see", "^unknown rule (.*) in an ignore: see `salint rules`$", "there is no rule ${1} to be ignored: `salint rules` lists them"},
	{"in an ignore: did", `^unknown rule (.*) in an ignore: did you mean `, "there is no rule ${1} to be ignored: did you mean "},
}

// formerFragments are the parts of messages whose words change without a value between them, each followed by its former
// words.
var formerFragments = []string{
	// Kustomizations and overlays
	"leads back to a kustomization that lists it: kustomize refuses such a cycle", "leads back to a kustomization that lists it: kustomize refuses such a circle",
	"is outside the repository and was not checked", "lies outside the repository and was not looked at",
	"was not read: it is missing, excluded, or ignored", "is not among the files that were read: it is missing, excluded or ignored",
	"is a folder without a readable kustomization", "is a folder without a kustomization that could be read",
	"which kustomize does not accept: use", "which kustomize does not take for a kustomization: use",
	"a kustomization must be a mapping", "a kustomization is a mapping of fields",
	"no kustomization in the repository lists this component, and it cannot be built by itself: its objects were checked as they are in their files",
	"no kustomization of the repository lists this component, and it cannot be built by itself: its objects were checked as they stand in their files",
	" runs the program helm, and salint runs no programs. Commit the rendered chart, or check the chart separately",
	" starts the program helm, which is not done: render the chart into the repository, or check it on its own",
	", outside the repository, where salint reads nothing", ", outside of the repository: nothing there is read",
	"outside the repository, where salint reads nothing", "lies outside of the repository: nothing there is read",
	"too many levels of symlinks", "too many symlinks lead to one another",
	"folders are nested more than", "folders lie in one another more than",
	"the folder contains more than", "the folder holds more than",
	"the document is not an object: it must be a mapping with apiVersion and kind", "a document that is no object: a mapping with apiVersion and kind is expected",
	"it contains no Chart.yaml", "no Chart.yaml in it",

	// The process that renders
	"stopped: the result has more than", "stopped: it gives more than",
	"stopped: something references itself endlessly", "stopped: something in it refers to itself without end",
	"the render process ended", "the process that renders ended",
	"cannot start the render process", "cannot start the process that renders",
	"cannot find the program to start for rendering", "cannot tell which program to start for rendering",
	"unexpected answer", "it answered something else",
	"the library failed: ", "the library gave up: ",
	"a build cannot walk folders", "a build walks no folders",
	"a build cannot list folders", "a build lists no folders",
	"a build cannot change files", "a build changes no files",
	"a build cannot match patterns", "a build takes no patterns",
	"a build cannot open files", "files are read whole",
	"the request is empty", "the request asks for nothing",

	// Charts
	"was not checked, because it cannot be rendered: ", "was not checked, for it cannot be rendered: ",
	"its templates were checked only where charts contain them in charts/", "its templates were checked as far as charts have the same in their charts/",
	"a library chart cannot be rendered by itself", "a library chart has nothing to render: it is for other charts",
	"the file does not exist (paths are relative", "there is no such file (paths are relative",
	"templates that test for the API version ", "what depends on the API version ",
	" were checked only for clusters without it. Pass --", " was checked as on a cluster without it: add --",
	", or add `helm: {", ", or `helm: {",
	"this template renders differently each time, because it reads the clock: it was checked as rendered now, and fixes of it may not be verifiable",
	"this renders to something else every time, for it asks for the time: it was checked as rendered now, and fixes of this template may not be provable",
	"the chart renders differently each time, so its output cannot be traced to lines of templates",
	"the chart renders to something else every time, so it is not known which lines of its templates write what",
	": the values were not checked against the schema, because it references something outside the chart",
	": the values were not checked against the schema, which refers to something outside of the chart",

	// Applications
	" sources of applications are in other repositories, so their objects were not checked. Run salint in these repositories. The first source: ",
	" sources of applications are not in this repository, and what they apply was not checked: lint the repositories they are in. The first: ",
	"the changes of the application cannot be built: ", "not built as the application would have it: ",
	"the variables of an object cannot be substituted, so it was checked as it is written: ",
	"the variables of an object could not be filled in, so it was checked without: ",
	"is not in the repository, so objects were checked without it", "is not in the repository, so objects were checked as they are without it",
	" contains a variable that is filled in later", " is filled in later",
	"the application has no source", "it names no source",
	"it is a chart of a Helm repository", "a chart of a Helm repository is not a folder",
	"the source has neither a path nor a chart", "the source names neither a path nor a chart",
	"a plugin generates the objects, and salint runs no plugins", "the objects are made by a plugin, which is not run",
	"Argo CD rejects a source with settings of several kinds", "Argo CD refuses a source with settings of several kinds",
	"it is in another repository: ", "they are in another repository: ",
	": it is a URL", ": they are at an address",
	"no source has this ref", "no source has that ref",
	"it is in the repository of the chart", "they lie with the chart",
	"its path is known only during a sync", "where they are is only known when it is synced",
	" is known only during a sync", " is only known when it is synced",
	"it references an object other than a HelmChart of the repository", "a HelmChart of the repository is not what it refers to",
	": it has no key ", ": it has no data under ",
	"several GitRepositories have the name ", "several GitRepositories could be meant by ",
	"the folder is in this repository, and the GitRepository ", "the folder is here, and the GitRepository ",
	": Secrets are not read", ": what Secrets hold is not read",
	"several ConfigMaps have this name", "there are several of this name",
	"it is not in the repository, but can be in the cluster", "it is not in the repository, though it may be in the cluster",
	"its own data may contain variables", "its own data may have variables in it",
	"no git remote has this address or repository name", "no git remote has this address, or one of the same name",
	"no git remote has this address, and the files are unknown", "no git remote has this address, and the files are not known",
	"and most folders referenced with it do not exist here", "and most folders that are taken from it are not here",
	"and no folder referenced with it exists here", "and no folder that is taken from it is here",
	"the folders referenced with this address exist here", "the folders that are taken from this address are here",

	// ApplicationSets
	"the applications of this generator are unknown: ", "the applications of this generator are not known: ",
	"the clusters registered in Argo CD", "the clusters that Argo CD knows",
	"the files of the repository are unknown", "the files of the repository are not known",
	"elementsYaml is not a list of mappings", "elementsYaml is no list of mappings",
	"it has neither directories nor files", "it names neither directories nor files",
	"an element is not a mapping", "an element is no mapping",
	"null is not a mapping", "null is no mapping",
	"both generators set ", "both generators give ",
	" contains neither a mapping nor a list of mappings", " holds neither a mapping nor a list of mappings",
	"the files contain more than", "the files hold more than",
	"templatePatch is not valid YAML: ", "templatePatch is no YAML: ",
	"templatePatch has directives such as $patch, which salint does not support", "templatePatch has directives, such as $patch, which are not followed",
	"a matrix requires two generators", "a matrix has two generators",
	"a merge requires at least two generators, and mergeKeys", "a merge has two generators or more, and mergeKeys",
	"a nested generator must have exactly one kind", "each generator within another is one of a kind",
	"generators are nested more than", "generators lie in one another more than",
	"stopped: the templates process too much data", "stopped: the templates handle too much data",
	"salint does not support printf with such a width", "printf with such a width is not called here",
	"salint does not support nested templates", "templates within a template are not followed here",
	"or by other variables", "or by variables again",
	"content with a zero byte is not valid YAML", "a text with a zero byte is no YAML",
	"are replaced in content of more than ", "are replaced in a text of more than ",
	"with its variables substituted, the object is not valid YAML: ", "with its variables filled in, the object is no YAML: ",

	// Files
	"not text: it has a zero byte here, so", "not text, for it has a zero byte here, so",
	"a template, which is not YAML before it is rendered, was not checked: ", "a text template, which is no YAML before it is filled in, was not checked: ",
	" is remote and was not checked", " lies outside of the repository and was not checked",
	"were not checked, because it cannot be rendered here: ", "were not checked, for it cannot be rendered here: ",
	"it was deleted while the repository was read", "it vanished while the repository was read",
	"the symlink points to ", "the symlink points at ",
	"the symlink's target cannot be read", "the symlink points at nothing that can be read",
	"this comment has no effect: ", "this comment silences nothing: ",
	"no rule is named: write `# salint:", "it names no rule: write `# salint:",
	" is not a date: use a date such as until=", " is not a date: write it as until=",
}
