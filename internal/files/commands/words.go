package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// part is a piece of a word: text, a variable, or the output of a command.
type part struct {
	text     string
	variable string // the name, or what a program fills in there
	fallback *string
	script   string // of $(COMMAND) and <(COMMAND)
	process  bool   // <(COMMAND)
}

// word is a word of a script before variables are filled in.
type word []part

func (w word) isLiteral() bool {
	return !slices.ContainsFunc(w, func(p part) bool { return p.variable != "" || p.script != "" })
}

// literal returns the text of a word, without what is filled in.
func (w word) literal() string {
	var text strings.Builder
	for _, p := range w {
		text.WriteString(p.text)
	}
	return text.String()
}

const (
	// maxValues limits the values of one word, and maxDepth the variables that contain each other.
	maxValues = 64
	maxDepth  = 8
)

// expand returns the values of a word.
func (r *reader) expand(w word, depth int) []string {
	values := []string{""}
	for _, p := range w {
		var next []string
		for _, value := range r.valuesOf(p, depth) {
			for _, before := range values {
				if len(next) < maxValues {
					next = append(next, before+value)
				}
			}
		}
		values = next
	}
	return values
}

func (r *reader) valuesOf(p part, depth int) []string {
	switch {
	case p.variable != "":
		return r.variable(p, depth)
	case p.script != "":
		return r.output(p.script, depth)
	}
	return []string{p.text}
}

// variable returns the values of a variable that the text sets.
func (r *reader) variable(p part, depth int) []string {
	if p.fallback == nil {
		if known, is := r.expanded[p.variable]; is {
			return known
		}
		r.expanded[p.variable] = []string{Unknown} // for a variable that contains itself
	}
	found := r.values(p, depth)
	if p.fallback == nil {
		r.expanded[p.variable] = found
	}
	return found
}

func (r *reader) values(p part, depth int) []string {
	if depth > maxDepth {
		return []string{Unknown}
	}
	var found []string
	for _, value := range r.variables[p.variable] {
		for _, one := range r.expand(value, depth+1) {
			found = append(found, strings.Fields(one)...)
		}
	}
	if (len(found) == 0 || isParameter(p.variable)) && p.fallback != nil && *p.fallback != "" {
		for _, w := range lexWords(*p.fallback) {
			found = append(found, r.expand(w, depth+1)...)
		}
	}
	if len(found) > 0 {
		slices.Sort(found)
		found = slices.Compact(found)
		return found[:min(len(found), maxValues)]
	}
	if slices.Contains(rootVariables, p.variable) {
		return []string{repositoryRoot}
	}
	return []string{Unknown}
}

// rootVariables are the variables in which pipelines have the folder of the checkout.
var rootVariables = []string{
	"GITHUB_WORKSPACE", "github.workspace", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "Build.SourcesDirectory", "WORKSPACE", "TRAVIS_BUILD_DIR",
	"CIRCLE_WORKING_DIRECTORY", "DRONE_WORKSPACE", "PWD", checkout,
}

// checkout is the variable that stands for a workspace of Tekton.
const checkout = "workspaces.path"

var (
	topLevel        = lazyregexp.New(`^git\s+(?:-C\s+\S+\s+)?rev-parse\s+--show-toplevel`)
	ownFolder       = lazyregexp.New(`^dirname\s.*(?:\$\{?0\}?|BASH_SOURCE|__file__)|^realpath\s.*(?:\$\{?0\}?|BASH_SOURCE)`)
	entersAndPrints = lazyregexp.New(`^cd\s+(?:-P\s+|--\s+)?(.*?)(?:\s*>\s*/dev/null)?(?:\s*2>&1)?\s*(?:&&|;)\s*pwd(?:\s+-P)?\s*$`)
	printsPaths     = lazyregexp.New(`^(?:realpath|readlink\s+-f|echo|printf\s+%s|ls(?:\s+-\w+)*|wildcard|abspath)\s+([^|;&]*)`)
)

// output returns what a command prints, if it is a path.
func (r *reader) output(script string, depth int) []string {
	script = strings.TrimSpace(script)
	switch {
	case depth > maxDepth:
		return []string{Unknown}
	case topLevel().MatchString(script):
		return []string{repositoryRoot}
	case script == "pwd" || strings.HasPrefix(script, "pwd "), script == "CURDIR":
		return []string{"."}
	case ownFolder().MatchString(script):
		return []string{repositoryRoot + "/" + path.Dir(r.file)}
	}
	if strings.HasPrefix(script, "find ") || strings.HasPrefix(script, "git ls-files ") {
		var found []string
		for _, w := range listed(firstCommand(script)) {
			found = append(found, r.expand(w, depth+1)...)
		}
		if len(found) > 0 {
			return found
		}
	}
	match := entersAndPrints().FindStringSubmatch(script)
	if match == nil {
		match = printsPaths().FindStringSubmatch(script)
	}
	if match == nil {
		return []string{Unknown}
	}
	var found []string
	for _, w := range lexWords(match[1]) {
		found = append(found, r.expand(w, depth+1)...)
	}
	if len(found) == 0 {
		return []string{Unknown}
	}
	return found
}

// inside adds the path that a name means in a folder, unless it leads out of the repository.
func inside(to []string, folder, name string) []string {
	joined := path.Join(folder, strings.TrimLeft(name, "/"))
	if joined == ".." || strings.HasPrefix(joined, "../") || slices.Contains(to, joined) {
		return to
	}
	return append(to, joined)
}

var version = lazyregexp.New(`[-_]?v?\d+(?:\.\d+)+.*$|\.exe$`)

// programName returns the name of a program by the first word of its command.
func (r *reader) programName(w word) string {
	name := ""
	for _, p := range w {
		if p.variable != "" {
			values := r.variable(p, 0)
			if len(values) != 1 || strings.Contains(path.Base(values[0]), Unknown) && strings.Trim(values[0], Unknown+"./-") == "" {
				name += strings.ToLower(p.variable)
				continue
			}
			name += values[0]
			continue
		}
		name += p.text
	}
	name = strings.ReplaceAll(name, Unknown, "")
	return strings.TrimRight(version().ReplaceAllString(path.Base(name), ""), "-_")
}
