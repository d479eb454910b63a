package textpaths

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Built has the folders that commands in texts give to kustomize. The zero value is empty.
type Built struct {
	// IsFolder reports whether a folder has a kustomization, and with Files whether a path exists.
	IsFolder func(dir string) bool
	// Files also takes the files, folders, and charts that commands apply or install without kustomize, and the charts of Fleet and
	// helmfile.
	Files bool
	// Direct takes only the files and folders that commands apply without kustomize. What helm takes is a chart, and applies no file as it is.
	Direct bool
	// exact are folders; suffixes are paths whose beginning is unknown, by their last component; patterns are paths with an unknown
	// part; values are the words of texts whose commands name only a variable.
	exact    map[string]bool
	suffixes map[string][]named
	patterns []named
	values   map[string]bool
	words    map[string]map[string]bool
}

var (
	appliesFolder = lazyregexp.New(`(?i)\b(?:apply|create|replace|delete|diff)\b[^|;&]*?\s(?:-k|--kustomize)(?:\s+|=)(.*)`)
	appliesFiles  = lazyregexp.New(`(?i)\b(?:apply|create|replace)\b[^|;&]*?(\s(?:-[a-z]*f|--filename)(?:\s+|=).*)`)
	fileFlag      = lazyregexp.New(`(?i)\s(?:-[a-z]*f|--filename)(?:\s+|=)`)
	installsChart = lazyregexp.New(`(?i)\bhelm\b[^|;&]*?\s(?:install|upgrade|template)\s(.*)`)
	chartSetting  = lazyregexp.New(`\bchart:\s*(.*)`)
	buildsFolder  = lazyregexp.New(`(?i)kustomize[^\s|;&]*\s+build(?:\s+(.*)|$)|\b(?:kubectl|oc)\s+kustomize(?:\s+(.*)|$)`)
	changesFolder = lazyregexp.New(`(?i)\b(?:cd|pushd|chdir|set-location|push-location)\s+(.*)|\b(?:dir|working[-_]?dir(?:ectory)?|cwd)\s*[:=]\s*(.*)`)
	settingFolder = lazyregexp.New(`(?i)kustom\w*[-_]?(?:path|dir(?:ectory)?)\s*[:=]\s*(.*)`)
	callFolder    = lazyregexp.New(`\bkustomize\s*\(\s*(?:\w+\s*=\s*)?(.*)`)
	namedFolder   = lazyregexp.New(`(?i)kustomiz\w*\s.*?[-\s(](?:dir|path|directory)\s*[=\s]\s*(.*)`)
	publishFolder = lazyregexp.New(`\b(?:flux|argocd)\s.*?\s--path[=\s]\s*(.*)`)
	terraformPath = lazyregexp.New(`^\s*path\s*=\s*(.*)`)
	templatedPath = lazyregexp.New(`\bpath:\s*(.*<<.*)`)
	fleetDir      = lazyregexp.New(`\bdir:\s*(.*)`)
	placeholder   = lazyregexp.New(`<<[^<>]*>>|<[\w-]+>`)
	listMarks     = strings.NewReplacer(`"`, " ", `'`, " ", ",", " ")
	brackets      = strings.NewReplacer("[", " ", "]", " ", "{", " ", "}", " ")
	continuations = strings.NewReplacer("\\\r\n", " ", "\\\n", " ")
)

// MayBuild reports whether a text may contain commands that build kustomizations. Sources of programs are left out: they contain
// many commands of tests.
func MayBuild(file string) bool {
	return IsText(file) && !slices.Contains(programs, strings.ToLower(path.Ext(file)))
}

// programs are the extensions of sources of programs.
var programs = []string{".go", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".java", ".kt", ".cs", ".rs", ".php", ".c", ".cc", ".cpp", ".h", ".swift"}

// Add adds the folders that the commands of a text, or the templated paths of a ResourceSet of Flux, give to kustomize.
func (b *Built) Add(file string, data []byte) {
	if len(data) > maxText || !b.Files && !b.Direct && !mentionsKustomize(data) {
		return
	}
	if b.exact == nil {
		b.exact, b.values = map[string]bool{}, map[string]bool{}
		b.suffixes, b.words = map[string][]named{}, map[string]map[string]bool{}
	}
	text := continuations.Replace(string(data))
	var arguments []string
	if !b.Direct {
		arguments = foldersIn(file, text)
	}
	if b.Files || b.Direct {
		arguments = append(arguments, filesIn(file, text, b.Files)...)
	}
	if len(arguments) == 0 {
		return
	}
	b.words[file] = wordsOf(text)
	for _, argument := range arguments {
		b.add(file, argument)
	}
}

func mentionsKustomize(data []byte) bool {
	text := string(data)
	return strings.Contains(text, "-k") || strings.Contains(text, "kustom") || strings.Contains(text, "KUSTOM") ||
		strings.Contains(text, "--path")
}

// foldersIn returns the folders of all commands of a text. A command for the current folder is for one of those to which the text changes.
func foldersIn(file, text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if len(line) <= maxPatternLine {
			found = append(found, builtIn(file, line)...)
		}
	}
	if !slices.Contains(found, current) {
		return found
	}
	for line := range strings.Lines(text) {
		if len(line) <= maxPatternLine {
			found = append(found, enteredIn(line)...)
		}
	}
	return found
}

// filesIn returns the files and folders that the commands of a text apply without kustomize, and, if asked for, the charts that they install.
func filesIn(file, text string, charts bool) []string {
	var found []string
	base := strings.ToLower(path.Base(file))
	setsCharts := strings.HasPrefix(base, "fleet.") || strings.HasPrefix(base, "helmfile")
	for line := range strings.Lines(text) {
		if len(line) > maxPatternLine {
			continue
		}
		plain := listMarks.Replace(line)
		if m := appliesFiles().FindStringSubmatch(plain); m != nil {
			for _, rest := range fileFlag().Split(m[1], -1)[1:] {
				found = append(found, arguments(rest, 1)...)
			}
		}
		if !charts {
			continue
		}
		if m := installsChart().FindStringSubmatch(plain); m != nil {
			found = append(found, arguments(m[1], maxChartWords)...)
		}
		if m := chartSetting().FindStringSubmatch(plain); m != nil && setsCharts {
			found = append(found, arguments(strings.Trim(m[1], "{} \t\r\n"), 1)...)
		}
	}
	return found
}

// maxChartWords are the words of a command of helm among which the chart is: before it are the name of the release, and values of flags.
const maxChartWords = 6

// current is the folder of commands that name no other.
const current = "."

// enteredIn returns the folder to which a line changes. The folder of the text itself, as in `cd "$(dirname "$0")"`, is none.
func enteredIn(line string) []string {
	plain := listMarks.Replace(line)
	m := changesFolder().FindStringSubmatch(plain)
	if m == nil {
		return nil
	}
	folder := strings.TrimSpace(m[1] + m[2])
	if strings.HasPrefix(folder, "$(dirname") || strings.HasPrefix(folder, "${0") || strings.HasPrefix(folder, "${BASH_SOURCE") {
		return nil
	}
	return arguments(folder, 1)
}

// builtIn returns the folders of the commands in a line, with [unknown] for their unknown parts.
func builtIn(file, line string) []string {
	var found []string
	plain := listMarks.Replace(line)
	if m := appliesFolder().FindStringSubmatch(plain); m != nil {
		found = append(found, arguments(m[1], 1)...)
	}
	if m := buildsFolder().FindStringSubmatch(plain); m != nil {
		folders := arguments(m[1]+m[2], 2) // the first can be the value of a flag
		if len(folders) == 0 {
			folders = []string{current}
		}
		found = append(found, folders...)
	}
	if strings.Contains(strings.ToLower(line), "kustom") || strings.Contains(line, "--path") {
		found = append(found, namedIn(plain)...)
	}
	base := strings.ToLower(path.Base(file))
	switch {
	case strings.HasPrefix(base, "skaffold"):
		found = append(found, slices.DeleteFunc(strings.Fields(brackets.Replace(plain)), func(word string) bool {
			return word == "-" || strings.HasSuffix(word, ":")
		})...)
	case strings.HasSuffix(base, ".tf"), strings.HasSuffix(base, ".tofu"):
		if m := terraformPath().FindStringSubmatch(plain); m != nil {
			found = append(found, arguments(m[1], 1)...)
		}
	case isManifest(base) && strings.Contains(line, "<<"):
		if m := templatedPath().FindStringSubmatch(plain); m != nil {
			found = append(found, arguments(m[1], 1)...)
		}
	case strings.HasPrefix(base, "fleet."):
		if m := fleetDir().FindStringSubmatch(plain); m != nil {
			found = append(found, arguments(strings.Trim(m[1], "{} \t\r\n"), 1)...)
		}
	}
	return found
}

// namedIn returns the folders that a line names in another way than as the argument of a build: as a setting of an action, in a call of
// Tilt or a lookup of Ansible, or in a command of Flux or Argo CD.
func namedIn(line string) []string {
	var found []string
	for _, form := range []func() *regexp.Regexp{settingFolder, callFolder, namedFolder, publishFolder} {
		if m := form().FindStringSubmatch(line); m != nil {
			found = append(found, arguments(m[1], 1)...)
		}
	}
	return found
}

// arguments returns the first arguments of a command that are no flags.
func arguments(text string, most int) []string {
	text = placeholder().ReplaceAllString(text, unknown)
	for _, u := range unknowns[:4] {
		text = u.form().ReplaceAllString(text, u.with)
	}
	if end := strings.IndexAny(text, "|;&<>`#)}]"); end >= 0 {
		text = text[:end]
	}
	var found []string
	for _, word := range strings.Fields(text) {
		if word == "./" {
			word = current
		}
		if !strings.HasPrefix(word, "-") && len(found) < most {
			found = append(found, word)
		}
	}
	return found
}

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, t := range tokens(text) {
		words[t.text] = true
	}
	return words
}

// add adds one argument of a command in a file.
func (b *Built) add(file, argument string) {
	n := named{Place: Place{File: file}}
	argument, n.open = withoutBeginning(argument)
	switch {
	case argument == "" && n.open: // only a variable
		for word := range b.words[file] {
			b.values[path.Join(path.Dir(file), word)] = true
			b.values[path.Clean(word)] = true
		}
	case argument == "":
	case strings.Contains(argument, unknown):
		n.path = strings.ReplaceAll(argument, unknown, "*")
		b.patterns = append(b.patterns, n)
	case !n.open && b.IsFolder(path.Join(path.Dir(file), argument)):
		b.exact[path.Join(path.Dir(file), argument)] = true
		if !runsInFolder(file) && b.IsFolder(path.Clean(argument)) {
			b.exact[path.Clean(argument)] = true
		}
	case !n.open && b.IsFolder(path.Clean(argument)):
		b.exact[path.Clean(argument)] = true
	default:
		n.path = strings.TrimPrefix(path.Clean("/"+argument), "/")
		b.suffixes[path.Base(n.path)] = append(b.suffixes[path.Base(n.path)], n)
	}
}

// withoutBeginning removes the host of a URL, or a variable, from the beginning of a path. Then its beginning is unknown.
func withoutBeginning(argument string) (rest string, open bool) {
	argument, _, _ = strings.Cut(argument, "?")
	if _, remote, is := strings.Cut(argument, "://"); is {
		return strings.ReplaceAll(remote, "//", "/"), true
	}
	if strings.HasPrefix(argument, "github.com/") {
		return strings.ReplaceAll(argument, "//", "/"), true
	}
	argument = strings.TrimPrefix(argument, "./")
	for strings.HasPrefix(argument, unknown) {
		first, after, _ := strings.Cut(argument, "/")
		if strings.Trim(first, unknown) != "" {
			return argument, open
		}
		argument, open = after, true
	}
	return argument, open || strings.HasPrefix(argument, "/")
}

// Has reports whether a command may build the kustomization of a folder by itself.
func (b *Built) Has(dir string) bool {
	if b.exact[dir] || b.values[dir] {
		return true
	}
	for _, n := range b.suffixes[path.Base(dir)] {
		if b.endsLike(n, dir) {
			return true
		}
	}
	for _, n := range b.patterns {
		if matchesPattern(n, dir) {
			return true
		}
	}
	return false
}

// endsLike reports whether a folder may be the one of a path whose beginning is unknown. After cd, the text names the folder above.
func (b *Built) endsLike(n named, dir string) bool {
	if n.open {
		return dir == n.path || strings.HasSuffix(dir, "/"+n.path) || strings.Contains(dir, "/") && strings.HasSuffix(n.path, "/"+dir)
	}
	above, isBelow := strings.CutSuffix(dir, "/"+n.path)
	if !isBelow {
		return false
	}
	relative := strings.TrimPrefix(above, path.Dir(n.File)+"/")
	return b.words[n.File][above] || b.words[n.File][relative]
}

// matchesPattern reports whether a folder matches a path with unknown parts.
func matchesPattern(n named, dir string) bool {
	if isMatch(path.Clean(n.path), dir) || isMatch(path.Join(path.Dir(n.File), n.path), dir) {
		return true
	}
	if !n.open {
		return false
	}
	parts, pattern := strings.Split(dir, "/"), strings.Split(path.Clean(n.path), "/")
	shared := min(len(parts), len(pattern)) // a URL begins with what is no folder, a variable stands for more folders
	return shared > 1 && isMatch(strings.Join(pattern[len(pattern)-shared:], "/"), strings.Join(parts[len(parts)-shared:], "/")) &&
		strings.Trim(pattern[len(pattern)-shared], "*") != ""
}
