// Package wording splits the messages of findings into their parts. Only tests import it.
package wording

import (
	"regexp"
	"strings"
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
