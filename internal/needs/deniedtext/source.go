package deniedtext

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/encoding"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// source is a part of the text that is read separately.
type source struct {
	text string
	// quiet is set for a value that is no message, in which words such as "permissions" have no meaning.
	quiet bool
	// about is the ClusterExtension that a line of a log is about, "" if it does not name one.
	about string
}

// sourcesOf splits the text: objects, as kubectl prints them, into their values, so that a parser undoes line breaks and
// escapes of YAML and JSON; everything else as it is. It also returns the extensions among the objects.
func sourcesOf(data []byte) (sources []source, extensions []olm.Extension) {
	data = clean(data)
	for _, doc := range manifest.Scan("", data).Docs {
		values, ok := valuesOf(doc)
		if !ok {
			values = []source{{text: unwrap(string(doc.Bytes()))}}
		}
		for i := range values {
			values[i].text = escapedLines().ReplaceAllString(values[i].text, "\n")
		}
		sources = append(sources, values...)
		if ok {
			extensions = append(extensions, extensionsOf(doc)...)
		}
	}
	return sources, extensions
}

// extensionsOf returns the extensions that kubectl prints, alone or in a list.
func extensionsOf(doc *manifest.Document) []olm.Extension {
	nodes := []*manifest.Node{doc.Root}
	if items := doc.Root.Get("items"); items.IsSequence() {
		nodes = items.Items()
	}
	var found []olm.Extension
	for _, n := range nodes {
		if e, ok := olm.ReadExtension(n); ok && e.Name != "" {
			found = append(found, e)
		}
	}
	return found
}

// escapedLines are line ends in what Argo CD and workflow commands print.
var escapedLines = lazyregexp.New(`(?i)(%0D)?%0A`)

var colours = lazyregexp.New(`\x1b\[[0-9;]*[A-Za-z]`)

// clean undoes changes of the text by a terminal or by PowerShell's redirection.
func clean(data []byte) []byte {
	data = encoding.UTF8(data)
	data = colours().ReplaceAll(data, nil)
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// continued matches the end of a line in a double-quoted YAML scalar that ends in a backslash. A blank after the
// indentation of the next line can be escaped as well. A wrapped log can break between a backslash and its quote.
var continued = lazyregexp.New(`\\\n[ \t]*(\\ |")?`)

// unwrap joins the lines of text that was copied out of YAML.
func unwrap(text string) string {
	return continued().ReplaceAllStringFunc(text, func(s string) string {
		switch s[len(s)-1] {
		case '"':
			return `\"`
		case ' ':
			if strings.HasSuffix(s, `\ `) {
				return " "
			}
		}
		return ""
	})
}

// valuesOf returns the strings in a document. It is false for text that is no object, or only resembles one: then sentences
// would be lost in what YAML reads as a comment or key.
func valuesOf(doc *manifest.Document) ([]source, bool) {
	if doc.Parse() != nil || doc.Root == nil || !doc.Root.IsMapping() && !doc.Root.IsSequence() {
		return nil, false
	}
	for _, field := range doc.Root.Fields() {
		if strings.ContainsAny(field.Key.String(), " \t\n") {
			return nil, false
		}
	}
	w := walker{}
	w.walk(doc.Root, "")
	for i := range w.values {
		w.values[i].about = loggedExtension(doc.Root)
	}
	return w.values, w.denials >= len(denial().FindAllIndex(doc.Bytes(), -1))
}

// loggedExtension returns the extension that controller-runtime adds to a line of a log in JSON.
func loggedExtension(line *manifest.Node) string {
	of := line.Get(olm.ClusterExtensionKind)
	if name := of.Get("name"); name != nil {
		return name.String()
	}
	return of.String()
}

// denial matches the text of a denial, which must not be lost.
var denial = lazyregexp.New(anchor().String() + `|forbidden|ValidationError\(`)

type walker struct {
	values  []source
	denials int
}

// messages are the keys of error messages in logs.
var messages = []string{"message", "msg", "err", "error", "note"}

// walk does not follow aliases: their anchors are walked.
func (w *walker) walk(n *manifest.Node, key string) {
	if secret(n) {
		w.denials += countDenials(n)
		return
	}
	for _, field := range n.Fields() {
		w.walk(field.Value, field.Key.String())
	}
	for _, item := range n.Items() {
		w.walk(item, key)
	}
	if len(n.Fields())+len(n.Items()) == 0 && n.Value() != "" && n.Alias() == nil {
		w.values = append(w.values, source{text: n.Value(), quiet: !slices.Contains(messages, strings.ToLower(key))})
		w.denials += len(denial().FindAllStringIndex(n.Value(), -1))
	}
}

// secret reports whether the values of an object must not be shown.
func secret(n *manifest.Node) bool {
	for _, field := range n.Fields() {
		if field.Key.String() == "kind" && field.Value.String() == "Secret" {
			return true
		}
	}
	return false
}

// countDenials returns the number of denials below a node.
func countDenials(n *manifest.Node) int {
	total := 0
	for _, field := range n.Fields() {
		total += countDenials(field.Value)
	}
	for _, item := range n.Items() {
		total += countDenials(item)
	}
	if n != nil {
		total += len(denial().FindAllStringIndex(n.Value(), -1))
	}
	return total
}
