// Package words counts and lists things in sentences.
package words

import (
	"fmt"
	"slices"
	"strings"
)

// Count returns a number with its noun, whose plural is regular: "1 entry", "2 entries".
func Count(n int, noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return CountOf(n, noun, stem+"ies")
	}
	return CountOf(n, noun, noun+"s")
}

// CountOf is Count with both forms of the words: "1 rule is", "2 rules are".
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// And lists names: "a, b and c".
func And(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// First lists at most so many names, and counts the rest: "a, b, and 2 more".
func First(most int, names []string) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// AddOnce appends a text to a list that does not have it.
func AddOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// NotNil returns an empty list for nil, which JSON shows as [] instead of null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// UpperFirst begins a text with a capital letter, as an item of a list.
func UpperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// LowerFirst begins a sentence with a small letter, in the middle of another one.
func LowerFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
