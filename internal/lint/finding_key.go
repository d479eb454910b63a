package lint

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// findingKey is what two findings have in common if they are one finding for the user, who fixes them in one place. A
// judgedFinding gets its key when it is made; see [sourceKey].
type findingKey struct {
	rule string
	// place is where the finding is reported.
	place place
	// object is the ref of the object in its file. It is "" for a rendered object: a template has no objects, only lines.
	object string
	// path is the field of the object.
	path string
	// statement is what the finding says about the field. A rule can say several things about one field.
	statement statement
	// ignored is the annotation that silences rules on this variant of the object, if the variant is reported separately.
	ignored string
}

// place is a position in a file.
type place struct {
	file         string
	line, column int
}

// statement is the message of a finding with the values of its object replaced by what they have in common in all units: the names
// in the file, or a placeholder for the values that a template fills in.
type statement string

func placeOf(f finding.Finding) place { return place{f.File, f.Range.Line, f.Range.Column} }

// placeKey returns the key of a finding as it is reported. Different objects at one place with the same message share it.
func placeKey(f finding.Finding) findingKey {
	return findingKey{rule: f.Rule, place: placeOf(f), path: f.Path, statement: statement(f.Message)}
}

// sourceKey returns the key of a finding about an object of a unit. Units that apply one object, under whatever names,
// have findings of the same key, and so have all renderings of one line of a template.
func sourceKey(f finding.Finding, o *objects.Object) findingKey {
	source := o.Source()
	if source == nil {
		source = o
	}
	key := placeKey(f)
	key.object = source.Ref()
	switch {
	case charts.Of(o) != nil:
		key.object, key.statement = "", statementOfTemplate(f.Message, o.Node)
	case o.Applied != nil:
		key.statement = statementAsWritten(f.Message, o, source)
	}
	if f.Source.Variant != "" {
		key.ignored = ignored(o)
	}
	return key
}

// extensionsIn matches a list of extensions in a message. With some values a chart has more of them than with others.
var extensionsIn = regexp.MustCompile(`ClusterExtension [\w.-]*\w(?:(?:, | and |, and )ClusterExtension [\w.-]*\w)*`)

// wordsOf matches what can be the name of an object.
var wordsOf = regexp.MustCompile(`[\w](?:[\w.-]*[\w])?`)

const (
	// placeholder stands for the value of a field.
	placeholder = "\x00"
	// minPart is the minimal length of a value that is replaced inside of a word. Shorter values are replaced only as words.
	minPart = 3
)

// statementOfTemplate replaces the values of fields by placeholders: a template fills in others in each rendering, and what is wrong
// with its lines stays the same.
func statementOfTemplate(message string, object *manifest.Node) statement {
	message = extensionsIn.ReplaceAllString(message, "extensions")
	values := map[string]bool{}
	collectValues(object, values)
	message = wordsOf.ReplaceAllStringFunc(message, func(word string) string {
		if values[word] {
			return placeholder
		}
		return word
	})
	longestFirst := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	var pairs []string
	for _, value := range longestFirst {
		if len(value) >= minPart {
			pairs = append(pairs, value, placeholder)
		}
	}
	return statement(strings.NewReplacer(pairs...).Replace(message))
}

func collectValues(n *manifest.Node, values map[string]bool) {
	if text := n.String(); text != "" {
		values[text] = true
	}
	for _, field := range n.Fields {
		collectValues(field.Value, values)
	}
	for _, item := range n.Items {
		collectValues(item, values)
	}
}

// statementAsWritten replaces applied names by those in files: without the prefix and the suffix of the unit, and with the namespace
// in the source of the object.
func statementAsWritten(message string, applied, source *objects.Object) statement {
	prefix, suffix, affixed := strings.Cut(applied.Name, source.Name)
	if !affixed || source.Name == "" {
		prefix, suffix = "", ""
	}
	return statement(wordsOf.ReplaceAllStringFunc(message, func(word string) string {
		inner, hasPrefix := strings.CutPrefix(word, prefix)
		inner, hasSuffix := strings.CutSuffix(inner, suffix)
		switch {
		case word == applied.Name:
			return source.Name
		case word == applied.Namespace:
			return source.Namespace
		case hasPrefix && hasSuffix && inner != "":
			return inner
		}
		return word
	}))
}
