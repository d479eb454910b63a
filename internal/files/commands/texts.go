package commands

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
)

// maxText is the size of the largest text that is read: commands are written by hand.
const maxText = 1 << 20

// Read returns the commands of a text: of a script, a build file, a pipeline, or a program that passes them on in strings. Documentation and
// comments have none. isFolder reports whether the repository has a folder.
func Read(file string, data []byte, isFolder func(dir string) bool) []*Command {
	return read(file, data, isFolder, formOf(file, data))
}

// ReadObjects returns the commands of the documents of a manifest for which holds returns true: of tasks and workflows that run on a cluster,
// with a checkout of the repository.
func ReadObjects(file string, data []byte, isFolder func(dir string) bool, holds func(*manifest.Document) bool) []*Command {
	return read(file, data, isFolder, func(r *reader, text string) {
		for _, at := range checkoutPaths().FindAllStringSubmatch(text, -1) {
			r.roots = append(r.roots, at[1]+at[2])
		}
		r.documents(text, holds)
	})
}

// checkoutPaths matches the absolute folders of a container that can be that of a checkout.
var checkoutPaths = lazyregexp.New(`(?m)^[ \t-]*(?:workingDir|mountPath|path):[ \t]*["']?(/[\w./-]*[\w-])|(/workspace/[\w-]+)`)

func read(file string, data []byte, isFolder func(string) bool, form func(*reader, string)) []*Command {
	if form == nil || len(data) > maxText || bytes.IndexByte(data[:min(len(data), 1024)], 0) >= 0 {
		return nil
	}
	r := &reader{file: file, isFolder: isFolder, variables: map[string][]word{}, expanded: map[string][]string{}, functions: map[string]bool{}, settingOnly: true}
	text := withContinuations(path.Ext(file), strings.ReplaceAll(string(data), "\r\n", "\n"))
	form(r, text) // variables can be set below their use
	r.settingOnly = false
	clear(r.expanded)
	form(r, text)
	return r.found
}

// withContinuations returns a script with the line continuations of PowerShell and of batch files as those of other shells.
func withContinuations(extension, text string) string {
	switch extension {
	case ".ps1":
		return strings.ReplaceAll(text, "`\n", "\\\n")
	case ".bat", ".cmd":
		return strings.ReplaceAll(text, "^\n", "\\\n")
	}
	return text
}

// formOf returns how the commands of a file are read; nil if it has none.
func formOf(file string, data []byte) func(r *reader, text string) {
	base := strings.ToLower(path.Base(file))
	ext := path.Ext(base)
	switch {
	case !textpaths.MayBuild(file):
		return nil
	case textpaths.IsDocument(file):
		return nil
	case strings.Contains(base, "makefile"), ext == ".mk":
		return (*reader).makefile
	case base == "justfile", base == ".justfile", ext == ".just":
		return (*reader).justfile
	case strings.TrimSuffix(base, ext) == "procfile":
		return (*reader).procfile
	case ext == ".yaml", ext == ".yml":
		return (*reader).pipeline
	case slices.Contains(inStrings, ext), slices.ContainsFunc([]string{"jenkinsfile", "tiltfile", "vagrantfile", "rakefile"}, func(name string) bool { return strings.HasPrefix(base, name) }):
		return (*reader).strings
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "containerfile"), strings.HasPrefix(base, "earthfile"):
		return (*reader).dockerfile
	case slices.Contains(shells, ext), bytes.HasPrefix(data, []byte("#!")) && !bytes.Contains(firstLine(data), []byte("python")):
		return (*reader).shell
	case bytes.HasPrefix(data, []byte("#!")):
		return (*reader).strings
	}
	return nil
}

var (
	// shells are the extensions of scripts of shells.
	shells = []string{".sh", ".bash", ".zsh", ".ksh", ".fish", ".bats", ".ps1", ".bat", ".cmd"}
	// inStrings are the extensions of texts that have commands in strings.
	inStrings = []string{".py", ".rb", ".groovy", ".star", ".json", ".toml", ".tf", ".tofu", ".hcl", ".pl", ".nix", ".ipynb"}
)

func firstLine(data []byte) []byte {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

// folders returns the folders in which a text may run: the repository, and its own.
func (r *reader) folders() []string {
	if own := path.Dir(r.file); own != "." {
		return []string{".", own}
	}
	return []string{"."}
}

func (r *reader) shell(text string) { r.script(text, 1, r.folders(), nil) }

var dockerRun = lazyregexp.New(`(?m)^[ \t]*RUN[ \t]+(?:--\S+[ \t]+)*`)

func (r *reader) dockerfile(text string) {
	r.script(dockerRun().ReplaceAllString(text, ""), 1, r.folders(), nil)
}

// makefile reads the recipes of a Makefile, each line of which is a separate script, and its variables.
func (r *reader) makefile(text string) {
	folders := []string{path.Dir(r.file)} // make starts in the folder of the file
	number := 0
	lines := strings.Split(text, "\n")
	for number < len(lines) {
		first := number
		line := lines[number]
		for number++; strings.HasSuffix(line, "\\") && number < len(lines); number++ {
			line += "\n" + lines[number]
		}
		recipe, isRecipe := strings.CutPrefix(line, "\t")
		switch {
		case isRecipe:
			r.script(ofMake(strings.TrimLeft(recipe, "@+- ")), first+1, folders, nil)
		case makeSetting().MatchString(line):
			r.makeVariable(strings.ReplaceAll(line, "\\\n", " "), first+1, folders)
		case !r.settingOnly:
			r.rule(line)
		}
	}
}

var (
	makeSetting  = lazyregexp.New(`^\s*(?:export\s+|override\s+)*([\w.-]+)\s*[:?+]{0,3}=\s*(.*)$`)
	makeFunction = lazyregexp.New(`\$\((?:wildcard|abspath|realpath|strip)\s+([^()]*)\)`)
	makeShell    = lazyregexp.New(`\$\(shell\s+`)
	makeRule     = lazyregexp.New(`^([\w./%$(){}-][^:=]*):([^=:][^#]*|)(?:#.*)?$`)
)

func (r *reader) makeVariable(line string, number int, folders []string) {
	match := makeSetting().FindStringSubmatch(line)
	if match == nil {
		return
	}
	for _, w := range lexWords(ofMake(match[2])) {
		r.set(match[1], w)
		r.nested(w, &state{folders: folders}, nil, number)
	}
}

// rule notes what $< and $^ stand for in the recipe of a rule.
func (r *reader) rule(line string) {
	match := makeRule().FindStringSubmatch(line)
	if match == nil {
		return
	}
	needs, target := lexWords(ofMake(match[2])), lexWords(ofMake(match[1]))
	for _, name := range []string{"^", "<", "@"} {
		delete(r.expanded, name)
	}
	r.variables["^"], r.variables["<"], r.variables["@"] = needs, needs[:min(1, len(needs))], target[:min(1, len(target))]
}

// ofMake writes a line of make as one of a shell.
func ofMake(line string) string {
	line = makeFunction().ReplaceAllString(line, "$1")
	line = makeShell().ReplaceAllString(line, "$$(")
	return strings.ReplaceAll(line, "$$", "$")
}

// justfile reads the recipes and variables of a justfile.
func (r *reader) justfile(text string) {
	folders := []string{path.Dir(r.file)}
	number := 0
	for line := range strings.Lines(text) {
		number++
		name, value, is := strings.Cut(line, ":=")
		switch {
		case strings.TrimLeft(line, " \t") != line:
			r.script(strings.TrimLeft(line, "@- \t"), number, folders, nil)
		case is && r.settingOnly:
			for _, w := range lexWords(value) {
				r.set(strings.TrimSpace(name), w)
			}
		}
	}
}

// procfile reads the commands of a Procfile, each behind the name of its process.
func (r *reader) procfile(text string) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if name, command, is := strings.Cut(line, ":"); is && !strings.HasPrefix(name, "#") {
			r.script(command, number, []string{path.Dir(r.file)}, nil)
		}
	}
}

var (
	stringLiteral = lazyregexp.New(`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'`)
	listOfStrings = lazyregexp.New(`[\[(]\s*(?:["'][^"'\n]*["']\s*,\s*){1,}["'][^"'\n]*["']\s*,?\s*[\])]`)
	comments      = lazyregexp.New(`(?m)^[ \t]*(?:#|//).*$|[ \t](?:#|//)[ \t].*$`)
	nameOfSetting = lazyregexp.New(`(?m)^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*[bfru]{0,2}(?:"([^"\n]*)"|'([^'\n]*)')[ \t]*$`)
)

// strings reads the commands in the strings of a program, and in its lists of strings.
func (r *reader) strings(text string) {
	text = comments().ReplaceAllString(text, "")
	if r.settingOnly {
		for _, m := range nameOfSetting().FindAllStringSubmatch(text, -1) {
			for _, w := range lexWords(m[2] + m[3]) {
				r.set(m[1], w)
			}
		}
	}
	for _, at := range listOfStrings().FindAllStringIndex(text, -1) {
		var words []string
		for _, m := range stringLiteral().FindAllStringSubmatch(text[at[0]:at[1]], -1) {
			words = append(words, "'"+m[1]+m[2]+"'")
		}
		r.script(strings.Join(words, " "), 1+strings.Count(text[:at[0]], "\n"), r.folders(), nil)
	}
	inBlock, number := false, 0
	var continued strings.Builder // the lines of a script between quotes that the next line continues
	for line := range strings.Lines(text) {
		number++
		if n := strings.Count(line, "'''") + strings.Count(line, `"""`); n == 1 {
			inBlock = !inBlock
			continue
		}
		if inBlock {
			if continued.WriteString(line); !strings.HasSuffix(line, "\\\n") {
				r.script(continued.String(), number+1-strings.Count(continued.String(), "\n"), r.folders(), nil)
				continued.Reset()
			}
			continue
		}
		for _, m := range stringLiteral().FindAllStringSubmatch(line, -1) {
			if literal := m[1] + m[2]; strings.Contains(literal, " ") {
				r.script(unescape.Replace(literal), number, r.folders(), nil)
			}
		}
	}
}

var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n")
