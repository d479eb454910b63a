package envsubst

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Flux writes an object as YAML, substitutes the variables in that text, and reads it again. The result is known without that if all values
// are words, and every text and number of the object is one that is written and read without a change.

var (
	// word matches the values that change nothing about the YAML around them.
	word = lazyregexp.New(`^[A-Za-z][A-Za-z0-9._/-]*$`)
	// withVariables matches a text in which words are filled in: it has no blanks, and begins so that it is no number.
	withVariables = lazyregexp.New(`^(?:[A-Za-z]|\$\{[_[:alpha:]]\w*\})(?:[!-#%-~]|\$\{[_[:alpha:]]\w*\})*$`)
	variable      = lazyregexp.New(`\$\{(\w+)\}`)
)

// notTexts are the words that are no texts in YAML, in lower case.
var notTexts = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// maxWhole is the largest number that Flux reads exactly, and maxKey the length of keys that are written in one line with their value.
const maxWhole, maxKey = 1 << 53, 100

// maxWords is the length of the texts of an object that can be known to be far below the limits.
const maxWords = 1 << 20

// words substitutes variables of an object whose values are words.
type words struct {
	variables map[string]string
	left      int // of maxWords
}

// withWords returns what [Object] returns. It is false if the object has to be written as YAML.
func withWords(object map[string]any, variables map[string]string) (filled map[string]any, ok bool) {
	for name := range variables {
		if !variableName().MatchString(name) {
			return nil, false // an error
		}
	}
	w := words{variables, maxWords}
	return w.object(object)
}

func (w *words) object(object map[string]any) (filled map[string]any, ok bool) {
	filled = make(map[string]any, len(object))
	for name, value := range object {
		if w.left -= len(name); !isPlainKey(name) {
			return nil, false
		}
		if filled[name], ok = w.value(value); !ok {
			return nil, false
		}
	}
	return filled, true
}

func (w *words) value(value any) (filled any, ok bool) {
	switch value := value.(type) {
	case nil, bool:
		return value, true
	case int64:
		return value, -maxWhole < value && value < maxWhole
	case string:
		return w.text(value)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			if items[i], ok = w.value(item); !ok {
				return nil, false
			}
		}
		return items, true
	case map[string]any:
		return w.object(value)
	}
	return nil, false
}

func (w *words) text(text string) (filled string, ok bool) {
	if w.left -= len(text); w.left < 0 {
		return "", false
	}
	if !strings.Contains(text, "$") {
		return text, isPlainText(text)
	}
	if !withVariables().MatchString(text) {
		return "", false
	}
	ok = true
	filled = variable().ReplaceAllStringFunc(text, func(reference string) string {
		if !ok {
			return "" // a short text can ask for gigabytes
		}
		value := w.variables[reference[len("${"):len(reference)-len("}")]]
		w.left -= len(value)
		ok = w.left >= 0 && word().MatchString(value)
		return value
	})
	return filled, ok && !slices.Contains(notTexts, strings.ToLower(filled))
}

// isPlainText reports whether a text of one or several lines is written and read without a change.
func isPlainText(text string) bool {
	if text == "" {
		return true
	}
	first, last := text[0], strings.TrimSuffix(text, "\n")
	return first > ' ' && last != "" && last[len(last)-1] > ' ' && !strings.ContainsFunc(last, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') })
}

func isPlainKey(key string) bool {
	return key != "" && len(key) <= maxKey && isPlainText(key) && !strings.ContainsAny(key, "$\n") && key != "<<" && key != "="
}
