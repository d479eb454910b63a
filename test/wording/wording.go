// Package wording splits the messages of findings into their parts. Only tests import it.
package wording

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// remedyVerbs begin the remedy of a message, an imperative.
var remedyVerbs = regexp.MustCompile(`^(Add|Align|Apply|Bind|Change|Check|Configure|Correct|Create|Delete|Give|Grant|Keep|Leave|List|Move|Name|Narrow|` +
	`Patch|Pin|Project|Put|Remove|Rename|Replace|Restrict|Review|Run|Set|Take|Turn|Upgrade|Use|Write) `)

// sentenceEnd is the end of a sentence: the next one begins with a capital letter, or with a name such as olm-1.11.
var sentenceEnd = regexp.MustCompile(`\. `)

// targetUnknown begins the sentences about an unknown target, see target_unknown in rego/lib/target.rego.
const targetUnknown = " Target not detected; "

// BeforeRemedy returns what precedes the first sentence that is a remedy. ok is false if there is no such sentence.
func BeforeRemedy(message string) (problem string, ok bool) {
	message, _, _ = strings.Cut(message, targetUnknown)
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(message, -1) {
		if start > 0 && remedyVerbs.MatchString(message[start:]) {
			break
		}
		start = end[1]
	}
	return strings.TrimSpace(message[:start]), start > 0 && remedyVerbs.MatchString(message[start:])
}

// refusalRemedy begins the remedy of a note that a finding is not fixed, which is the last part of its only sentence.
var refusalRemedy = regexp.MustCompile(`: (add|apply|bind|change|check|create|edit|fix|give|keep|list|mount|move|name|narrow|pass|remove|rename|run|set|use|write|wrap) `)

// BeforeRefusalRemedy is [BeforeRemedy] for notes that a finding is not fixed.
func BeforeRefusalRemedy(message string) string {
	all := refusalRemedy.FindAllStringIndex(message, -1)
	if len(all) == 0 {
		return message
	}
	return message[:all[len(all)-1][0]]
}

// nameLength is what a name counts for: its length is not the choice of the message. A word of more than maxWord characters is a name.
const (
	nameLength = 12
	maxWord    = 40 // no kind is longer
)

// Length is the number of characters of a message apart from what names of objects, fields, and files have more than [nameLength].
func Length(message string) int {
	n := 0
	for word := range strings.SplitSeq(message, " ") {
		length := utf8.RuneCountInString(word)
		if length > maxWord || strings.ContainsAny(strings.TrimRight(word, ".,:;"), "-/.:_") {
			length = min(length, nameLength)
		}
		n += length + 1
	}
	return n - 1
}
