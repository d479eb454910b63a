package redact

import (
	"bytes"
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Words are the words of texts that must not be shown. A message that has one of them may quote such a text.
type Words map[string]bool

// word is what two texts are compared by. Shorter words are in every message.
var word = lazyregexp.New(`[\pL\pN]{3,}`)

// structural are words of every Secret, generator, and patch that reveal nothing.
var structural = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "name": true, "namespace": true, "labels": true, "annotations": true, "type": true,
	"data": true, "stringData": true, "immutable": true, "Secret": true, "SecretList": true, "List": true, "Opaque": true, "items": true,
	"literals": true, "files": true, "envs": true, "env": true, "behavior": true, "options": true, "patch": true, "path": true, "target": true,
	"value": true, "add": true, "replace": true, "remove": true, "test": true, "move": true, "copy": true, "from": true, "the": true,
	"Values": true, "Release": true, "Chart": true, "end": true, "range": true, "with": true, "else": true, "true": true, "false": true,
}

// Has returns whether a message has one of the words.
func (w Words) Has(message string) bool {
	for _, found := range word().FindAllString(message, -1) {
		if w[found] {
			return true
		}
	}
	return false
}

// AddText adds all words of a text.
func (w Words) AddText(text string) {
	for _, found := range word().FindAllString(text, -1) {
		if !structural[found] {
			w[found] = true
		}
	}
}

// AddManifest adds the words of everything in a file that Spans hides. The names of the files from which a Secret is generated are
// not among them: a message that names a missing one is of use.
func (w Words) AddManifest(file string, data []byte) {
	names := Words{}
	for _, name := range GeneratorFiles(file, data) {
		names.AddText(name)
	}
	for _, span := range Spans(file, data) {
		w.addHidden(string(data[span.Start:span.End]), names)
	}
}

func (w Words) addHidden(text string, except Words) {
	hidden := Words{}
	hidden.AddText(text)
	for found := range hidden {
		if !except[found] {
			w[found] = true
		}
	}
}

// fieldOfValues is a field that a template reads, and text between quotes is none.
var fieldOfValues = lazyregexp.New(`[.$][\pL\pN_.$]*`)

// AddTemplate adds the words of a template that can be data of a Secret: not the names of the fields that it reads.
func (w Words) AddTemplate(file string, data []byte) {
	for _, span := range Spans(file, data) {
		w.AddText(fieldOfValues().ReplaceAllString(string(data[span.Start:span.End]), " "))
	}
}

// AddValues adds the words of all values in a file with values of a chart, but not of the keys, which templates name, too.
func (w Words) AddValues(file string, data []byte) {
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			w.AddText(string(doc.Bytes()))
			continue
		}
		w.addScalars(doc.Root)
	}
}

func (w Words) addScalars(n *manifest.Node) {
	if n == nil {
		return
	}
	if n.Kind() == yaml.ScalarNode {
		w.AddText(n.Value())
	}
	for _, field := range n.Fields() {
		w.addScalars(field.Value)
	}
	for _, item := range n.Items() {
		w.addScalars(item)
	}
}

// GeneratorFiles returns the base names of the files from which a kustomization generates Secrets.
func GeneratorFiles(file string, data []byte) []string {
	if !bytes.Contains(data, []byte(generatorField)) {
		return nil
	}
	var names []string
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, generator := range items(doc.Root.Get(generatorField)) {
			names = append(names, filesOf(generator)...)
		}
	}
	return names
}

func filesOf(generator *manifest.Node) []string {
	names := []string{path.Base(generator.Get("env").String())}
	for _, field := range []string{"envs", "files"} {
		for _, entry := range items(generator.Get(field)) {
			_, name, hasKey := strings.Cut(entry.String(), "=")
			if !hasKey {
				name = entry.String()
			}
			names = append(names, path.Base(name))
		}
	}
	return names
}

const generatorField = "secretGenerator"

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items()
}
