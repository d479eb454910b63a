package deniedtext

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// source is a stretch of text that is read by itself.
type source struct {
	text string
	// quiet is true of a value that is no message, where words such as "permissions" mean nothing.
	quiet bool
}

// sourcesOf takes the text apart: objects, which kubectl prints, into their values, so that YAML's and JSON's ways of
// breaking lines and escaping quotes are undone by a parser; all else as it stands. The extensions among the objects are
// given as well.
func sourcesOf(data []byte) (sources []source, extensions []olm.Extension) {
	data = clean(data)
	for _, doc := range manifest.Scan("", data).Docs {
		values, ok := valuesOf(doc)
		if !ok {
			values = []source{{text: unwrap(string(doc.Bytes()))}}
		}
		sources = append(sources, values...)
		if ok {
			extensions = append(extensions, extensionsOf(doc)...)
		}
	}
	return sources, extensions
}

// extensionsOf finds extensions: one that kubectl prints, or those of a list.
func extensionsOf(doc *manifest.Document) []olm.Extension {
	nodes := []*manifest.Node{doc.Root}
	if items := doc.Root.Get("items"); items.IsSequence() {
		nodes = items.Items
	}
	var found []olm.Extension
	for _, n := range nodes {
		if e, ok := olm.ReadExtension(n); ok && e.Name != "" {
			found = append(found, e)
		}
	}
	return found
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// clean undoes what a terminal or PowerShell's redirection did to the text.
func clean(data []byte) []byte {
	if order := byteOrder(data); order != nil {
		units := make([]uint16, 0, len(data)/2)
		for rest := data[2:]; len(rest) >= 2; rest = rest[2:] {
			units = append(units, order.Uint16(rest))
		}
		data = []byte(string(utf16.Decode(units)))
	}
	data = colours.ReplaceAll(data, nil)
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

func byteOrder(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

// continued is a line of a double-quoted YAML scalar that ends in a backslash. What follows the indentation of the next
// line may be a blank, which has a backslash too. A log that was wrapped at its margin can break between a backslash and
// its quote.
var continued = regexp.MustCompile(`\\\n[ \t]*(\\ |")?`)

// unwrap puts the lines of text together again that was copied out of YAML and is none.
func unwrap(text string) string {
	return continued.ReplaceAllStringFunc(text, func(s string) string {
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

// valuesOf gives the strings in a document. It is false of text that is no object, and of text that only looks like one:
// then sentences would be lost, in what YAML takes for a comment or a key.
func valuesOf(doc *manifest.Document) ([]source, bool) {
	if doc.Parse() != nil || doc.Root == nil || !doc.Root.IsMapping() && !doc.Root.IsSequence() {
		return nil, false
	}
	for _, field := range doc.Root.Fields {
		if strings.ContainsAny(field.Key.String(), " \t\n") {
			return nil, false
		}
	}
	w := walker{}
	w.walk(doc.Root, "")
	return w.values, w.signs >= len(sign.FindAllIndex(doc.Bytes(), -1))
}

// sign is something that must not get lost.
var sign = regexp.MustCompile(anchor.String() + "|forbidden")

type walker struct {
	values []source
	signs  int
}

// messages are the keys under which programs say what went wrong.
var messages = []string{"message", "msg", "err", "error", "note"}

// walk does not follow aliases: what they stand for is walked where it is written.
func (w *walker) walk(n *manifest.Node, key string) {
	if secret(n) {
		w.signs += count(n)
		return
	}
	for _, field := range n.Fields {
		w.walk(field.Value, field.Key.String())
	}
	for _, item := range n.Items {
		w.walk(item, key)
	}
	if len(n.Fields)+len(n.Items) == 0 && n.YAML != nil && n.YAML.Value != "" && n.YAML.Alias == nil {
		w.values = append(w.values, source{text: n.YAML.Value, quiet: !slices.Contains(messages, strings.ToLower(key))})
		w.signs += len(sign.FindAllStringIndex(n.YAML.Value, -1))
	}
}

// secret is true of an object whose values must not be shown, whatever they say.
func secret(n *manifest.Node) bool {
	for _, field := range n.Fields {
		if field.Key.String() == "kind" && field.Value.String() == "Secret" {
			return true
		}
	}
	return false
}

// count counts the signs below a node without looking at what they say.
func count(n *manifest.Node) int {
	total := 0
	for _, field := range n.Fields {
		total += count(field.Value)
	}
	for _, item := range n.Items {
		total += count(item)
	}
	if n.YAML != nil {
		total += len(sign.FindAllStringIndex(n.YAML.Value, -1))
	}
	return total
}
