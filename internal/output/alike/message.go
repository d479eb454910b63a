package alike

import (
	"slices"
	"strings"
	"unicode"
)

// kept begin words that are part of what a message says although they look like names.
var kept = []string{"cluster-admin", "olm-", "ocp-", "--"}

// powers are names of roles that every cluster has: another one is another power.
var powers = []string{"admin", "edit", "view"}

// notNames are words that follow a kind without being a name.
var notNames = strings.Fields("and are as can cannot does for has in is may names of or that to whose with without")

// Shape returns a message without the names in it: those that are given, words after a kind, and those with
// a digit, a slash, a dash, or another sign inside of them. Two messages with one shape say the same of different objects.
func Shape(message string, names ...string) string {
	words := strings.Fields(message)
	afterKind := false
	for i, word := range words {
		bare := bareOf(word)
		if bare != "" && (slices.Contains(names, bare) || isName(bare, afterKind)) {
			words[i] = strings.Replace(word, bare, "*", 1)
		}
		afterKind = isKind(word)
	}
	return strings.Join(words, " ")
}

// Name returns the first word of another message of the same shape that differs from the message, without punctuation around it.
func Name(message, other string) string {
	words := strings.Fields(message)
	for i, word := range strings.Fields(other) {
		if i >= len(words) || words[i] != word {
			return bareOf(word)
		}
	}
	return ""
}

func bareOf(word string) string { return strings.Trim(word, `"'()[],.:;`+"`") }

// isKind returns whether a word is the kind of an object, such as ClusterRole or Secret.
func isKind(word string) bool {
	switch word {
	case "Group", "Job", "Namespace", "Pod", "Deployment", "Role", "Secret", "User":
		return true
	}
	capitals := strings.IndexFunc(word[1:], unicode.IsUpper) >= 0
	return capitals && unicode.IsUpper(rune(word[0])) && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

func isName(word string, afterKind bool) bool {
	if slices.Contains(powers, word) {
		return false
	}
	if afterKind && !slices.Contains(notNames, word) {
		return !strings.HasPrefix(word, "cluster-admin")
	}
	for _, prefix := range kept {
		if strings.HasPrefix(word, prefix) {
			return false
		}
	}
	return strings.ContainsAny(word, "/-_:@0123456789")
}
