package nearest

import "strings"

// minTypoWord is the length of a part of a name from which on one other letter is rather a typing error than another part: prod and
// prop are two words.
const minTypoWord = 5

// Typo reports whether two names of Kubernetes differ by one letter or dash that was forgotten, added, confused, or swapped with the
// next one. Digits are not letters here: registry-1 and registry-2 are two names. Nor is a letter in a short part of a name.
func Typo(a, b string) bool {
	before := commonPrefix(a, b)
	restA, restB := a[before:], b[before:]
	after := commonSuffix(restA, restB)
	restA, restB = restA[:len(restA)-after], restB[:len(restB)-after]
	if !oneEdit(restA, restB) || strings.ContainsAny(restA+restB, "0123456789") {
		return false
	}
	if restA+restB == "-" {
		return len(a)+len(b) > 2*minTypoWord
	}
	return !strings.ContainsAny(restA+restB, "-.") && len(partAround(a, before)) >= minTypoWord && len(partAround(b, before)) >= minTypoWord
}

func oneEdit(a, b string) bool {
	switch {
	case len(a)+len(b) == 1, len(a) == 1 && len(b) == 1:
		return true
	case len(a) == 2 && len(b) == 2:
		return a[0] == b[1] && a[1] == b[0]
	}
	return false
}

// partAround returns the part of a name, between its dashes and dots, that contains an index or ends there.
func partAround(name string, at int) string {
	start := strings.LastIndexAny(name[:at], "-.") + 1
	end := strings.IndexAny(name[at:], "-.")
	if end < 0 {
		return name[start:]
	}
	return name[start : at+end]
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// maxTypoName is the length of the longest name for which TypoKeys returns keys.
const maxTypoName = 100

// TypoKeys returns texts of which two names have at least one in common if they differ by a [Typo]: an index by them avoids comparing
// each name with each.
func TypoKeys(name string) []string {
	if len(name) > maxTypoName {
		return nil
	}
	keys := make([]string, 0, len(name)+1)
	keys = append(keys, name)
	for i := range len(name) {
		if i > 0 && name[i] == name[i-1] {
			continue // the same key as that of the letter before
		}
		keys = append(keys, name[:i]+name[i+1:])
	}
	return keys
}
