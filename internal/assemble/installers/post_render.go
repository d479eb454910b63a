package installers

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// postRendered returns the charts whose objects a command of a script or a module of Terraform changes before they are applied, and
// those to which Terraform passes values.
func (r Inputs) postRendered() []objects.LeftOut {
	c := commands{kustomizations: r.Kustomizations}
	for dir := range pathset.Of(r.Names).FoldersWith("Chart.yaml") { // helm renders no kustomization
		c.charts = append(c.charts, dir)
	}
	var found []objects.LeftOut
	for _, name := range r.Candidates {
		if isHelmfile(name) || isFleet(name) {
			continue
		}
		data, err := r.Files.ReadFile(name)
		if err != nil {
			continue // a file that cannot be read is reported where it is read
		}
		if isTerraform(name) {
			found = append(found, c.terraformReleases(name, string(data))...)
		} else {
			found = append(found, c.changingCommands(name, string(data))...)
		}
	}
	return found
}

// commands finds the charts that commands and modules install.
type commands struct {
	kustomizations []*objects.Kustomization
	charts         []string
}

func isTerraform(name string) bool {
	return strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tofu")
}

// templateCommand is a command that renders a chart.
var templateCommand = lazyregexp.New(`\bhelm[^\n|;&]*\stemplate\s`)

// maxCommand is the length of the longest command that is read: longer ones are generated.
const maxCommand = 8192

// changingCommands returns the charts of the commands of a text that change what helm renders.
func (c commands) changingCommands(name, text string) []objects.LeftOut {
	var found []objects.LeftOut
	var otherLines string
	eachCommand(text, func(line int, command string) {
		why := c.changeIn(name, command)
		if why == "" {
			return
		}
		charts := c.chartsNamed(name, command)
		if len(charts) == 0 && namesElsewhere(command) { // other lines set the variable, or change the folder
			if otherLines == "" {
				otherLines = withoutHelm(text)
			}
			charts = c.chartsNamed(name, otherLines)
		}
		for _, dir := range charts {
			found = append(found, objects.LeftOut{
				Position: objects.Position{File: name, Line: line, Column: indent(command) + 1}, Files: []string{dir},
				Reason: fmt.Sprintf("%s, and salint runs no programs: the chart %s was checked as it renders without it", why, dir),
			})
		}
	})
	return found
}

// remoteChart is a chart of a chart repository.
var remoteChart = lazyregexp.New(`(?:^|\s)["']?(?:oci://|https?://|[a-z0-9-]+/[a-z0-9-]+["']?(?:\s|$))`)

// namesElsewhere reports whether a command may take a chart that other lines of the text name: in a variable, or the current folder.
func namesElsewhere(command string) bool {
	command = parametersIn().ReplaceAllString(command, "*")
	return !remoteChart().MatchString(command) && (strings.Contains(command, "*") || slices.Contains(strings.Fields(command), "."))
}

// withoutHelm returns the lines of a text that are no commands of helm.
func withoutHelm(text string) string {
	var lines strings.Builder
	eachCommand(text, func(_ int, command string) {
		if !strings.Contains(command, "helm ") {
			lines.WriteString(command + "\n")
		}
	})
	return lines.String()
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t-")) }

// eachCommand calls visit with each line of a text, joined with the lines that continue it, and the number of its first line.
func eachCommand(text string, visit func(line int, command string)) {
	var command strings.Builder
	first, number := 1, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if command.Len() == 0 {
			first = number
		}
		part, continues := strings.CutSuffix(line, "\\")
		command.WriteString(part)
		if continues && command.Len() < maxCommand {
			command.WriteByte(' ')
			continue
		}
		if command.Len() < maxCommand {
			visit(first, command.String())
		}
		command.Reset()
	}
}

// changeIn returns how a command changes what helm renders, or "".
func (c commands) changeIn(name, command string) string {
	trimmed := strings.TrimLeft(command, " \t")
	if strings.HasPrefix(trimmed, "#") || !strings.Contains(command, "helm") && !strings.Contains(command, "--post-renderer") {
		return ""
	}
	if strings.Contains(command, "--post-renderer") {
		return "a post-renderer changes what helm renders"
	}
	at := templateCommand().FindStringIndex(command)
	if at == nil {
		return ""
	}
	command, _, _ = strings.Cut(command[at[1]:], "&&")
	command, _, _ = strings.Cut(command, ";")
	pipe := strings.Split(command, "|")
	last := pipe[len(pipe)-1]
	before, output, writes := strings.Cut(last, ">")
	for _, stage := range pipe[1:] {
		if program := programOf(stage); !readsOnly[program] && (writes || appliesInput(last)) {
			return fmt.Sprintf("the output of helm template goes through %s", program)
		}
	}
	if fields := strings.Fields(before); !writes && len(fields) > 1 && fields[0] == "tee" {
		output, writes = fields[1], true
	}
	if k := c.kustomizationOf(name, output); writes && k != "" {
		return fmt.Sprintf("%s applies the output of helm template", k)
	}
	return ""
}

func appliesInput(stage string) bool {
	program := programOf(stage)
	return program == "kubectl" || program == "oc"
}

// programOf returns the program of a command.
func programOf(command string) string {
	fields := strings.Fields(command)
	if len(fields) == 0 {
		return ""
	}
	return strings.Trim(fields[0], `"'`)
}

// readsOnly are programs after which the objects are the same.
var readsOnly = map[string]bool{"": true, "kubectl": true, "oc": true, "tee": true, "cat": true, "kapp": true}

// kustomizationOf returns the kustomization that lists a file which a command of a text writes, or "".
func (c commands) kustomizationOf(name, output string) string {
	fields := strings.Fields(strings.TrimLeft(output, "> "))
	if len(fields) == 0 {
		return ""
	}
	means := meaning(name, withoutUnknown(fields[0]))
	for _, k := range c.kustomizations {
		for _, entry := range k.Resources {
			if means(path.Join(k.Dir, entry.Value)) {
				return k.Path
			}
		}
	}
	return ""
}

// parametersIn are the parts of a command that the shell or a template supplies.
var parametersIn = lazyregexp.New(`\$*\{\{[^{}]*\}\}|\$+\{[^{}]*\}|\$+\([^()]*\)|\$+\w+`)

// withoutUnknown returns a path of a command with * for its unknown parts, without quotation marks and a beginning that is unknown.
func withoutUnknown(word string) string {
	word = parametersIn().ReplaceAllString(strings.Trim(word, `"'`), "*")
	word = strings.TrimPrefix(strings.ReplaceAll(word, `"`, ""), "*/")
	return strings.TrimRight(word, "/")
}

// meaning returns a function that reports whether a path in a text may mean a file or folder. The command can run in the folder of the
// text, at the root, or in another folder.
func meaning(text, name string) func(target string) bool {
	if name == "" || strings.Trim(name, "*./") == "" && strings.Contains(name, "*") {
		return func(string) bool { return false }
	}
	beside, fromRoot := pathPattern(path.Join(path.Dir(text), name)), pathPattern(name)
	end := path.Clean(strings.TrimLeft(name, "/"))
	for strings.HasPrefix(end, "../") {
		end = end[len("../"):]
	}
	below := func(target string) bool { return strings.HasSuffix(target, "/"+end) }
	switch {
	case !strings.Contains(end, "/"):
		below = func(string) bool { return false }
	case strings.Contains(end, "*"):
		below = pathPattern("*/" + end)
	}
	return func(target string) bool { return beside(target) || fromRoot(target) || below(target) }
}

// chartsNamed returns the charts that the words of a command name.
func (c commands) chartsNamed(file, command string) []string {
	words := map[string]bool{}
	named := map[string]bool{}
	for _, word := range strings.FieldsFunc(parametersIn().ReplaceAllString(command, "*"), func(r rune) bool {
		return strings.ContainsRune(" \t\r\n=,;|&<>()[]{}\"'`", r)
	}) {
		word = withoutUnknown(word)
		if words[word] || strings.HasPrefix(word, "-") || len(words) == maxWords {
			continue
		}
		words[word] = true
		means := meaning(file, word)
		for _, dir := range c.charts {
			if means(dir) {
				named[dir] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// maxWords limits the words of a text that can name charts.
const maxWords = 500

var (
	helmResource  = lazyregexp.New(`^\s*resource\s+"helm_release"`)
	chartArgument = lazyregexp.New(`^\s*chart\s*=\s*"([^"]*)"`)
	modulePath    = lazyregexp.New(`\$\{path\.(?:module|root|cwd)\}`)
	postRender    = lazyregexp.New(`^\s*postrender\s*(?:=\s*)?\{`)
	setsValues    = lazyregexp.New(`^\s*(?:set|set_list|set_sensitive|set_wo|values)\s*(?:=|\{)`)
	setBlock      = lazyregexp.New(`^\s*dynamic\s+"set`)
)

// terraformRelease is what of a helm_release of Terraform matters.
type terraformRelease struct {
	chart string
	// patchedAt and valuesAt are the places of the post-renderer and of the first values.
	patchedAt, valuesAt objects.Position
	depth               int
}

// terraformReleases returns the local charts of a module that are post-rendered, or installed with values.
func (c commands) terraformReleases(name, text string) []objects.LeftOut {
	var found []objects.LeftOut
	var current *terraformRelease
	number := 0
	for line := range strings.Lines(text) {
		number++
		if current == nil {
			if !helmResource().MatchString(line) {
				continue
			}
			current = &terraformRelease{}
		}
		if current.read(line, objects.Position{File: name, Line: number, Column: indent(line) + 1}) {
			continue
		}
		found = append(found, c.leftOutRelease(name, current)...)
		current = nil
	}
	return found
}

// read reads a line of the block. It returns false after the last one.
func (r *terraformRelease) read(line string, at objects.Position) bool {
	if m := chartArgument().FindStringSubmatch(line); m != nil {
		r.chart = m[1]
	}
	if r.patchedAt.Line == 0 && postRender().MatchString(line) {
		r.patchedAt = at
	}
	if r.valuesAt.Line == 0 && (setsValues().MatchString(line) || setBlock().MatchString(line)) {
		r.valuesAt = at
	}
	r.depth += strings.Count(line, "{") - strings.Count(line, "}")
	return r.depth > 0
}

func (c commands) leftOutRelease(name string, r *terraformRelease) []objects.LeftOut {
	chart := withoutUnknown(modulePath().ReplaceAllString(r.chart, "."))
	at := r.patchedAt
	why := "a post-renderer of Terraform changes what helm renders, and salint runs no programs: the chart %s was checked as it renders without it"
	if at.Line == 0 {
		at = r.valuesAt
		why = "these values of Terraform were not read: the chart %s was checked without them"
	}
	if at.Line == 0 {
		return nil
	}
	var found []objects.LeftOut
	means := meaning(name, chart)
	for _, dir := range c.charts {
		if !means(dir) {
			continue
		}
		found = append(found, objects.LeftOut{Position: at, Files: []string{dir}, Reason: fmt.Sprintf(why, dir)})
	}
	return found
}
