package uses

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// TextManifest is a manifest in a text: in a heredoc of a script, or in a string of a ConfigMap. Nothing of it is applied until the
// text is, so it is not an object.
type TextManifest struct {
	Kind, Namespace, Name string
	// Line is the line of the kind, from 1, and Span the bytes on that line.
	Line int
	Span manifest.Span
	// Text is the manifest as written, without its indentation.
	Text []byte
}

const (
	// maxTextManifest limits the lines of a manifest before and after its kind.
	maxTextManifest = 200
	// maxTextManifests limits the manifests that are read in one file.
	maxTextManifests = 500
)

// TextManifests finds the manifests of a kind in the texts of a file: anywhere in a script, and in block scalars of a YAML file. What
// is around a manifest need not be known: it ends where the indentation or the form of the lines does.
func TextManifests(file string, data []byte, kind string) []TextManifest {
	data = loader.SearchText(file, data)
	if !bytes.Contains(data, []byte(kind)) {
		return nil
	}
	lines := bytes.Split(data, []byte("\n"))
	text := func(int) bool { return true }
	if objects.IsManifestName(file) {
		inBlock := manifest.BlockScalarLines(lines)
		text = func(i int) bool { return inBlock[i] }
	}
	var found []TextManifest
	offset := 0
	for i, line := range lines {
		if len(found) < maxTextManifests && bytes.Contains(line, []byte(kind)) && kindOf(line) == kind && text(i) {
			m := newTextManifest(lines, i, kind)
			m.Span = manifest.Span{Start: offset + columnOf(line), End: offset + len(bytes.TrimRight(line, " \t\r"))}
			found = append(found, m)
		}
		offset += len(line) + 1
	}
	return found
}

// kindLine matches the kind in YAML, JSON, and languages that set fields with `=`, such as that of Terraform.
var kindLine = lazyregexp.New(`(?:^[ \t-]*|[{,;][ \t]*)["']?kind["']?[ \t]*[:=][ \t]*["']?([A-Za-z]+)["']?[ \t]*(?:$|[,;}#])`)

// kindOf returns the kind that a line of a manifest sets; "" for other lines.
func kindOf(line []byte) string {
	match := kindLine().FindSubmatch(bytes.TrimRight(line, "\r"))
	if match == nil {
		return ""
	}
	return string(match[1])
}

// textName and textNamespace match the fields of metadata in a text that is not YAML until it is filled in.
var (
	textName      = lazyregexp.New(`["']?metadata["']?[ \t]*[:=](?:[^}$]|\$\{[^}]*\}|\$)*?["']?\bname["']?[ \t]*[:=][ \t]*["']?((?:\$\{[^}]*\}|\{\{[^}]*\}\}|[^\s"',#{}])+)`)
	textNamespace = lazyregexp.New(`["']?metadata["']?[ \t]*[:=](?:[^}$]|\$\{[^}]*\}|\$)*?["']?\bnamespace["']?[ \t]*[:=][ \t]*["']?((?:\$\{[^}]*\}|\{\{[^}]*\}\}|[^\s"',#{}])+)`)
)

// newTextManifest reads the manifest around the line of its kind.
func newTextManifest(lines [][]byte, at int, kind string) TextManifest {
	m := TextManifest{Kind: kind, Line: at + 1, Text: around(lines, at)}
	for _, doc := range manifest.Scan("text.yaml", m.Text).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			if o.Kind == kind {
				m.Namespace, m.Name = o.Namespace, o.Name
				return m
			}
		}
	}
	m.Name, m.Namespace = submatch(textName(), m.Text), submatch(textNamespace(), m.Text)
	return m
}

func submatch(form *regexp.Regexp, text []byte) string {
	match := form.FindSubmatch(text)
	if match == nil {
		return ""
	}
	return string(match[1])
}

// around returns the lines of the manifest that has a line, without their indentation.
func around(lines [][]byte, at int) []byte {
	column := columnOf(lines[at])
	if bytes.ContainsAny(bytes.TrimSpace(lines[at])[:1], "{[") { // the whole manifest is on one line
		return bytes.TrimSpace(lines[at])
	}
	first, last := at, at
	for first > 0 && at-first < maxTextManifest && !beginsItem(lines[first], column) && belongs(lines[first-1], column) {
		first--
	}
	for last+1 < len(lines) && last-at < maxTextManifest && !beginsItem(lines[last+1], column) && belongs(lines[last+1], column) {
		last++
	}
	var text bytes.Buffer
	for _, line := range lines[first : last+1] {
		line = bytes.TrimRight(line, "\r")
		if beginsItem(line, column) {
			line = bytes.Replace(line, []byte("-"), []byte(" "), 1)
		}
		text.Write(line[min(len(line), column):])
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// columnOf returns the column of the first character of a line after its indentation and the dash of an item.
func columnOf(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " \t-"))
}

// beginsItem reports whether a line begins an item of a list whose content begins at a column.
func beginsItem(line []byte, column int) bool {
	trimmed := bytes.TrimLeft(line, " \t")
	return bytes.HasPrefix(trimmed, []byte("- ")) && columnOf(line) == column
}

// manifestKey matches a line that begins with a field, a comment, or a template, or that ends a field in braces.
var manifestKey = lazyregexp.New(`^(?:["']?[A-Za-z][\w./-]*["']?[ \t]*[:=](?:[ \t\r]|$)|#|\{\{|[}\])]+[,;]?$)`)

// belongs reports whether a line can be part of a manifest whose fields begin at a column.
func belongs(line []byte, column int) bool {
	trimmed := bytes.TrimSpace(line)
	switch own := columnOf(line); {
	case len(trimmed) == 0:
		return true
	case bytes.HasPrefix(trimmed, []byte("---")):
		return false
	case own == column && kindOf(line) != "": // another manifest
		return false
	case own != column:
		return own > column
	}
	return manifestKey().Match(bytes.TrimLeft(bytes.TrimPrefix(trimmed, []byte("- ")), " "))
}

var createAccount = lazyregexp.New(`\bcreate[ \t]+(?:serviceaccounts?|sa)[ \t]+(.+)`)

// AccountsInText finds the service accounts that the texts of a file create, as manifests or with a command of kubectl. The namespace is
// "" if it is unknown. A name with a variable of a shell has the form ${NAME}.
func AccountsInText(file string, data []byte) []TextManifest {
	found := TextManifests(file, data, "ServiceAccount")
	number := 0
	if bytes.Contains(data, []byte("create")) {
		for line := range bytes.Lines(loader.SearchText(file, data)) {
			number++
			if match := createAccount().FindSubmatch(line); match != nil {
				name, namespace := createdByCommand(strings.Fields(string(match[1])))
				found = append(found, TextManifest{Kind: "ServiceAccount", Namespace: namespace, Name: name, Line: number})
			}
		}
	}
	for i := range found {
		found[i].Name, found[i].Namespace = shellVariables(found[i].Name), shellVariables(found[i].Namespace)
	}
	return found
}

// createdByCommand reads the arguments of `kubectl create serviceaccount`.
func createdByCommand(arguments []string) (name, namespace string) {
	for i := 0; i < len(arguments); i++ {
		argument := strings.Trim(arguments[i], `"'`)
		flag, value, inline := strings.Cut(argument, "=")
		switch {
		case (flag == "-n" || flag == "--namespace") && !inline && i+1 < len(arguments):
			i++
			namespace = strings.Trim(arguments[i], `"'`)
		case (flag == "-n" || flag == "--namespace") && inline:
			namespace = strings.Trim(value, `"'`)
		case strings.HasPrefix(argument, "-"):
		case name == "":
			name = argument
		}
	}
	return name, namespace
}

var bareVariable = lazyregexp.New(`\$([A-Za-z_]\w*)`)

func shellVariables(text string) string { return bareVariable().ReplaceAllString(text, "$${$1}") }
