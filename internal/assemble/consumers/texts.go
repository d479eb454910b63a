package consumers

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// readersOf returns the functions that read the consumers in a file, by its name.
func readersOf(file string) []func(x *Index, file string, data []byte) {
	var found []func(*Index, string, []byte)
	base := strings.ToLower(path.Base(file))
	ext := path.Ext(base)
	if textpaths.MayBuild(file) && !textpaths.IsDocument(file) {
		found = append(found, (*Index).commands)
	}
	switch {
	case textpaths.IsDocument(file):
	case base == "tiltfile" || strings.HasSuffix(base, ".tiltfile"):
		found = append(found, (*Index).tiltfile)
	case ext == ".go" && !strings.HasSuffix(base, "_test.go"):
		found = append(found, (*Index).program, (*Index).accountProgram, (*Index).embedded)
	case ext == ".tf", ext == ".tofu", ext == ".hcl":
		found = append(found, (*Index).terraform)
	case ext == ".jsonnet", ext == ".libsonnet":
		found = append(found, (*Index).jsonnet)
	case ext == ".k":
		found = append(found, (*Index).kcl)
	case ext == ".cue":
		found = append(found, (*Index).cue)
	case slices.Contains([]string{".py", ".ts", ".js", ".mjs", ".go", ".cs", ".java", ".rb"}, ext):
		found = append(found, (*Index).program, (*Index).accountProgram)
	case isBazel(base):
		found = append(found, (*Index).bazel)
	case base == "kptfile":
		found = append(found, (*Index).kptfile)
	}
	return found
}

// isMentioned reports whether a text has one of the programs, so that its commands are worth reading.
func isMentioned(data []byte) bool {
	for _, word := range mentions {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return bytes.Contains(bytes.ToLower(data), []byte("ytt")) || bytes.Contains(data, []byte("KUSTOMIZE"))
}

var mentions = []string{
	"kapp", "kbld", "imgpkg", "kpt", "flux", "oras", "cue", "timoni", "sonnet", "kubecfg", "sed", "SED", "yq", "YQ", "perl", "awk", "jq", "kustomize", "helm",
	"cdk8s", "gomplate", "jinja", "s3", "gsutil", "gcloud", "mc ", "rclone", "az ", "--local", "python", "node ", "kompose", "tk ", "serviceAccount",
	"spruce", "kcl", "crane", "argocd-vault-plugin", "tar ", "| ./",
}

// commands adds the consumers among the commands of a text.
func (x *Index) commands(file string, data []byte) {
	if !isMentioned(data) {
		return
	}
	x.all(file, data, commands.Read(file, data, x.from.Paths.HasFolder))
}

func (x *Index) all(file string, data []byte, all []*commands.Command) {
	t := &text{applied: appliedFiles(all), changed: map[string]Consumer{}, appliesAll: bytes.Contains(data, []byte("k8s_yaml("))}
	for _, c := range all {
		x.command(file, c, t)
	}
}

func (x *Index) command(file string, c *commands.Command, t *text) {
	t.copy(c)
	x.accountReader(file, c)
	x.helmRun(file, c)
	consumer := at(file, c.Line, c.Name)
	if inputs, is := inputsOf[c.Name]; is {
		given := inputs(c)
		paths := append(pathsOf(c, file, given), t.originals(given)...)
		if slices.Contains(uploads, c.Name) {
			x.uploads = append(x.uploads, upload1{consumer, paths})
		} else {
			x.add(consumer, paths)
		}
	}
	if c.Name == "tar" && len(c.After()) > 0 && inputsOf[c.After()[0].Name] != nil {
		x.add(at(file, c.Line, c.After()[0].Name), pathsOf(c, file, packed(c)))
	}
	if read, is := changerOf(c); is {
		x.change(consumer, c, read(c), t)
	}
	if c.Name == "kustomize" && c.Has("edit") && edits(c) {
		for _, folder := range c.Folders {
			consumer.Program, consumer.Input = edit, folder
			x.addBuilt(consumer, folder)
		}
	}
	if words := c.Positionals(); c.Name == "mv" && len(words) == 2 {
		if by, is := t.changed[words[0]]; is {
			x.addOutputs(by, c, words[1:])
		}
	}
	if files, program := outputsOf(c); len(files) > 0 {
		consumer.Program, consumer.Writes = program, true
		x.addOutputs(consumer, c, files)
	}
}

// change adds the files that a command changes in place, or on their way into what is applied.
func (x *Index) change(consumer Consumer, c *commands.Command, does change, t *text) {
	isFirst := len(c.Before()) == 0
	switch {
	case does.harmless:
	case does.inPlace:
		x.changeCopies(consumer, does.files, t)
		for _, found := range x.addFiles(consumer, pathsOf(c, consumer.script(), does.files)) {
			if objects.IsKustomizationFile(found) && renames().MatchString(strings.Join(c.Args, " ")) {
				consumer.Input = found
				x.addBuilt(consumer, path.Dir(found))
			}
		}
	case isFirst && (c.Name == "ytt" || c.Name == "kbld" || c.Name == "kpt"), len(does.files) == 0 && (c.Name == "kubectl" || c.Name == "oc"):
	case isApplied(c, t.applied) || t.appliesAll:
		before, _ := sourcesOf(c)
		x.add(consumer, pathsOf(c, consumer.script(), append(does.files, before...)))
	default:
		for _, output := range redirectedTo(c) {
			t.changed[output] = consumer
			x.addOutputs(consumer, c, []string{output})
		}
	}
}

// changeCopies adds the files of the repository of which a command changes a copy that is applied.
func (x *Index) changeCopies(consumer Consumer, files []string, t *text) {
	for _, c := range t.copies {
		isIn := func(file string) bool {
			return file == c.to || strings.HasPrefix(file, c.to+"/") || strings.HasPrefix(c.to, file+"/")
		}
		if slices.ContainsFunc(files, func(file string) bool { return isIn(path.Clean(file)) }) && slices.ContainsFunc(slices.Collect(maps.Keys(t.applied)), isIn) {
			x.add(consumer, c.from)
		}
	}
}

// copy notes what a command copies, or builds into a file.
func (t *text) copy(c *commands.Command) {
	words := c.Positionals("-t")
	switch files := packed(c); {
	case len(files) > 1:
		t.copies = append(t.copies, copied{path.Clean(files[0]), pathsOf(c, "", files[1:])})
	case c.Name == "cp" && len(words) > 1:
		t.copies = append(t.copies, copied{path.Clean(words[len(words)-1]), pathsOf(c, "", words[:len(words)-1])})
	case c.Output != "" && (c.Name == "kustomize" && c.Has("build") || c.Name == "cat"):
		files := builtFolder(c)
		if c.Name == "cat" {
			files = words
		}
		t.copies = append(t.copies, copied{path.Clean(c.Output), pathsOf(c, "", files)})
	}
}

// packed returns the archive that tar makes, and the files that it packs; nil for other commands.
func packed(c *commands.Command) []string {
	creates := func(a string) bool {
		return a == "--create" || strings.Trim(a, "-cvzjJhf") == "" && strings.Contains(a, "c")
	}
	if c.Name != "tar" || !slices.ContainsFunc(c.Args, creates) {
		return nil
	}
	return slices.DeleteFunc(c.Positionals("-C", "--exclude"), creates)
}

// originals returns the files of the repository of which a text has made a copy, or an archive, that has one of some names.
func (t *text) originals(names []string) (found []string) {
	for _, c := range t.copies {
		if slices.ContainsFunc(names, func(name string) bool {
			return c.to == path.Clean(name) || strings.HasPrefix(c.to, path.Clean(name)+"/")
		}) {
			found = append(found, c.from...)
		}
	}
	return found
}

// renames matches an expression about a field of a kustomization that changes the objects in its files.
var renames = lazyregexp.New(`(?i)nameprefix|namesuffix|namespace|patches`)

// text is what is known of the commands of one text.
type text struct {
	// applied are the files that it applies, and changed those into which it writes what it changes.
	applied map[string]bool
	changed map[string]Consumer
	// copies are what it copies or builds into other files.
	copies []copied
	// appliesAll is set for a text whose program applies what its commands print: a Tiltfile.
	appliesAll bool
}

// copied are paths of the repository whose content is in a file or folder of another name.
type copied struct {
	to   string
	from []string
}

// addOutputs adds files that a command writes, unless it writes a whole folder that has other files: only the folders of generators are theirs.
func (x *Index) addOutputs(consumer Consumer, c *commands.Command, files []string) {
	for _, p := range pathsOf(c, "", files) {
		if p != "." && !strings.Contains(p, commands.Unknown) && x.from.Paths.Has(p) {
			x.addFiles(consumer, []string{p})
		}
	}
}

// pathsOf returns the paths of arguments of a command. An argument of which nothing is known stands for the files of a folder only if the
// script changes into the folder: otherwise any file could be meant.
func pathsOf(c *commands.Command, script string, arguments []string) []string {
	own := []string{".", path.Dir(script)}
	var found []string
	for _, argument := range arguments {
		if argument == "-" || argument == "" {
			continue
		}
		isUnknown := strings.Trim(argument, commands.Unknown+"*./") == ""
		for _, p := range c.Paths(argument) {
			if !isUnknown || !strings.Contains(argument, commands.Unknown) || !slices.Contains(own, path.Dir(p)) {
				found = append(found, p)
			}
		}
	}
	return found
}

// edits reports whether a command of kustomize edit changes more than images, replicas, labels, and annotations.
func edits(c *commands.Command) bool {
	words := c.Positionals()
	at := slices.Index(words, "edit")
	if at < 0 || len(words) < at+3 {
		return false
	}
	switch words[at+1] {
	case "set":
		return slices.Contains([]string{"nameprefix", "namesuffix", "namespace"}, words[at+2])
	case "add", "remove":
		return slices.Contains([]string{"patch", "resource", "base", "component", "transformer", "generator"}, words[at+2])
	}
	return false
}
