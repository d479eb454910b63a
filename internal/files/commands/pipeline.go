package commands

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

var (
	// scriptFields are the fields of pipelines that hold commands.
	scriptFields = []string{
		"run", "script", "before_script", "after_script", "cmd", "cmds", "command", "commands", "args", "sh", "bash", "inlineScript", "inline", "shell",
		"build", "pre_build", "post_build", "install", "deploy", "steps", "before", "after", "entrypoint", "pwsh", "powershell", "ansible.builtin.shell",
		"ansible.builtin.command",
	}
	// folderFields are the fields of pipelines that set the folder of commands.
	folderFields = []string{"working-directory", "workingDirectory", "working_directory", "workingDir", "dir", "cwd", "chdir"}
	// variableFields are the fields of pipelines that set variables.
	variableFields = []string{"env", "variables", "vars", "environment", "matrix", "parameters", "params"}
	// loopFields are the fields of tasks of Ansible whose items a command gets as item.
	loopFields = []string{"loop", "with_items", "with_list"}
)

// pipeline reads the commands of a workflow or another pipeline in YAML.
func (r *reader) pipeline(text string) {
	r.documents(text, func(*manifest.Document) bool { return true })
}

// documents reads the commands of the documents for which holds returns true.
func (r *reader) documents(text string, holds func(*manifest.Document) bool) {
	file := manifest.Scan(r.file, []byte(text))
	for _, doc := range file.Docs {
		if !holds(doc) || doc.Parse() != nil {
			continue
		}
		w := pipelineWalk{r, file}
		start := r.folders()
		if textStartsAtRoot(r.file) {
			start = []string{"."}
		}
		w.walk(doc.Root, start, 0)
	}
}

// textStartsAtRoot reports whether the commands of a pipeline start in the root of the repository, whatever its folder.
func textStartsAtRoot(file string) bool {
	return strings.HasPrefix(file, ".")
}

type pipelineWalk struct {
	reader *reader
	file   *manifest.File
}

// maxPipelineDepth limits the depth of a pipeline.
const maxPipelineDepth = 40

func (w pipelineWalk) walk(n *manifest.Node, folders []string, depth int) {
	if depth > maxPipelineDepth {
		return
	}
	for _, item := range n.Items() {
		w.walk(item, folders, depth+1)
	}
	for _, field := range n.Fields() {
		if slices.Contains(folderFields, field.Key.String()) && field.Value.IsScalar() {
			folders = w.folderIn(folders, field.Value)
		}
		if run := field.Value.Get("run"); field.Key.String() == "defaults" && run.Get("working-directory") != nil {
			folders = w.folderIn(folders, run.Get("working-directory"))
		}
	}
	if w.isService(n) {
		w.service(n, folders)
		return
	}
	for _, field := range n.Fields() {
		key := field.Key.String()
		switch {
		case slices.Contains(variableFields, key):
			w.setVariables(field.Value)
		case slices.Contains(loopFields, key):
			w.setItems(field.Value)
		case key == "source" && n.Get("image") != nil && field.Value.IsScalar(): // of a workflow
			w.scriptOf(field.Value, folders)
			continue
		case key == "command" && w.takesArguments(n):
			w.arguments(append(field.Value.Items(), n.Get("args").Items()...), folders)
			continue
		case slices.Contains(scriptFields, key) && w.isScript(field.Value):
			w.scriptOf(field.Value, folders)
			continue
		}
		w.walk(field.Value, folders, depth+1)
	}
}

// isService reports whether a mapping is a service of Compose, with an image and folders of the repository.
func (w pipelineWalk) isService(n *manifest.Node) bool {
	return n.Get("image").IsScalar() && len(n.Get("volumes").Items()) > 0 && w.isScript(n.Get("volumes"))
}

// service reads the command of a service, as that of docker which runs it.
func (w pipelineWalk) service(n *manifest.Node, folders []string) {
	line := "docker run"
	for _, volume := range n.Get("volumes").Items() {
		if volume.IsScalar() {
			line += " -v " + quoted(volume.String())
		}
	}
	if work := n.Get("working_dir"); work.IsScalar() {
		line += " -w " + quoted(work.String())
	}
	line += " " + quoted(n.Get("image").String())
	for _, field := range []string{"entrypoint", "command"} {
		if value := n.Get(field); value.IsScalar() {
			line += " " + value.String()
		}
		for _, item := range n.Get(field).Items() {
			line += " " + quoted(item.String())
		}
	}
	w.reader.script(line, w.lineOf(n.Get("image")), folders, nil)
}

// folderIn returns the folders that a field sets, from those before.
func (w pipelineWalk) folderIn(folders []string, n *manifest.Node) []string {
	var found []string
	c := &Command{Folders: []string{"."}}
	if !textStartsAtRoot(w.reader.file) {
		c.Folders = folders
	}
	for _, words := range lexWords(n.String()) {
		for _, value := range w.reader.expand(words, 0) {
			for _, p := range c.Paths(value) {
				if w.reader.isFolder(p) {
					found = append(found, p)
				}
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for rest := n.String(); strings.Contains(rest, "/"); { // of a container, in which the checkout is anywhere
		_, rest, _ = strings.Cut(rest, "/")
		if strings.HasPrefix(n.String(), "/") && rest != "" && w.reader.isFolder(rest) {
			return []string{rest}
		}
	}
	if strings.HasPrefix(n.String(), "/") || strings.Contains(n.String(), "{{") || strings.Contains(n.String(), "$(") {
		return folders
	}
	return nil
}

// setItems sets the variable of a loop.
func (w pipelineWalk) setItems(n *manifest.Node) {
	for _, item := range n.Items() {
		if item.IsScalar() {
			w.reader.set("item", lexWords(item.String())...)
		}
	}
}

func (w pipelineWalk) setVariables(n *manifest.Node) {
	for _, field := range n.Fields() {
		values := field.Value.Items()
		if field.Value.IsScalar() {
			values = []*manifest.Node{field.Value}
		}
		for _, value := range values {
			if value.IsScalar() {
				for _, words := range lexWords(value.String()) {
					w.reader.set(field.Key.String(), words)
				}
			}
			w.setVariables(value)
		}
	}
	for _, item := range n.Items() {
		for _, field := range []string{"value", "default"} {
			if name := item.Get("name"); name != nil && item.Get(field).IsScalar() {
				for _, words := range lexWords(item.Get(field).String()) {
					w.reader.set(name.String(), words)
				}
			}
		}
	}
}

// isScript reports whether a value is a text, or a list with texts.
func (w pipelineWalk) isScript(n *manifest.Node) bool {
	return n.IsScalar() || slices.ContainsFunc(n.Items(), func(item *manifest.Node) bool { return item.IsScalar() })
}

func (w pipelineWalk) scriptOf(n *manifest.Node, folders []string) {
	if n.IsScalar() {
		w.reader.script(n.String(), w.lineOf(n), folders, nil)
		return
	}
	items, shared := n.Items(), &state{folders: folders} // the items are one script
	isArguments := len(items) > 1 && !slices.ContainsFunc(items, func(item *manifest.Node) bool { return strings.Contains(item.String(), " ") })
	for _, item := range items {
		switch {
		case !item.IsScalar():
			w.walk(item, folders, 0)
		case !isArguments:
			w.reader.read(shared, item.String(), w.lineOf(item))
		}
	}
	if isArguments {
		w.arguments(items, folders)
	}
}

// takesArguments reports whether a container has a program in one field and its arguments in another one, which are no script.
func (w pipelineWalk) takesArguments(n *manifest.Node) bool {
	command, args := n.Get("command").Items(), n.Get("args").Items()
	return len(command) > 0 && len(args) > 0 && !strings.HasSuffix(command[len(command)-1].String(), "c")
}

// arguments reads a command with its arguments, such as [ytt, -f, config].
func (w pipelineWalk) arguments(items []*manifest.Node, folders []string) {
	var values []string
	for _, item := range items {
		if item.IsScalar() {
			values = append(values, item.String())
		}
	}
	w.reader.script(joined(values), w.lineOf(items[0]), folders, nil)
}

// quoted returns an argument as a word, in which expressions of the pipeline are filled in.
func quoted(argument string) string {
	if strings.Contains(argument, "{{") || strings.Contains(argument, "$(") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(argument) + `"`
	}
	return "'" + argument + "'"
}

// lineOf returns the line on which the text of a scalar begins.
func (w pipelineWalk) lineOf(n *manifest.Node) int {
	start := n.Span().Start
	line, _ := w.file.Position(start)
	if start < len(w.file.Data) && (w.file.Data[start] == '|' || w.file.Data[start] == '>') {
		line++
	}
	return line
}
