package olm

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/salint/salint/internal/base/lazyregexp"
)

const (
	userKind           = "User"
	groupKind          = "Group"
	serviceAccountKind = "ServiceAccount"

	extensionWord  = "clusterextension"
	extensionsWord = "clusterextensions"
)

// Mistyped reports whether a subject of a binding was intended for a synthetic identity but matches none. It returns the
// intended subject, and why the written one matches no user or group. correctKind and correctName are empty if the mistake
// is certain but the intention is not. ok is false for a subject that is correct or unrelated.
func Mistyped(kind, name string) (correctKind, correctName, why string, ok bool) {
	switch kind {
	case userKind, groupKind:
	case serviceAccountKind:
		// A colon cannot be in the name of an account, but a dot can: olm.clusterextensions is a valid account name.
		if !strings.Contains(name, ":") {
			return "", "", "", false
		}
	default:
		return "", "", "", false
	}
	if name == Placeholder {
		return "", "", Placeholder + " is a value of spec.serviceAccount.name, not the name of a user or group: " +
			"the user of an extension is " + User("<name>"), true
	}
	s, ok := readSubject(name)
	if !ok || s.correct(kind, name) {
		return "", "", "", false
	}
	correctKind, correctName = s.intended(kind)
	return correctKind, correctName, s.why(kind, name), true
}

// subject is a name that looks like that of a synthetic identity.
type subject struct {
	plural    bool
	extension string
	// hasExtension is true if a separator follows the word, so that an extension was intended even if its name is empty.
	hasExtension bool
}

// A slash and a dot occur instead of the colon, as in olm/clusterextension/argocd. After the second separator comes the
// name of the extension, which can contain dots.
var subjectName = lazyregexp.New(`^\s*([A-Za-z]+)[:/.]([A-Za-z_-]+)(?:([:/.])(.*?))?\s*$`)

// separators are the characters that can separate the words of clusterextension.
var separators = strings.NewReplacer("-", "", "_", "")

// readSubject splits names that begin with olm and a word close to clusterextension.
func readSubject(name string) (subject, bool) {
	m := subjectName().FindStringSubmatch(name)
	if m == nil || !strings.EqualFold(m[1], "olm") {
		return subject{}, false
	}
	word := separators.Replace(strings.ToLower(m[2]))
	one, many := levenshtein.ComputeDistance(word, extensionWord), levenshtein.ComputeDistance(word, extensionsWord)
	if min(one, many) > 2 {
		return subject{}, false
	}
	return subject{plural: many < one, extension: m[4], hasExtension: m[3] != ""}, true
}

func (s subject) correct(kind, name string) bool {
	if s.hasExtension {
		return kind == userKind && s.extension != "" && name == User(s.extension) && !s.namespaced() && canName(s.extension)
	}
	return kind == groupKind && name == Group
}

// namespaced reports whether a namespace precedes the extension's name.
func (s subject) namespaced() bool {
	return strings.ContainsAny(s.extension, ":/") && !isTemplate(s.extension)
}

// dnsSubdomain is what the API server accepts as the name of a custom resource (k8s.io/apimachinery, IsDNS1123Subdomain).
var dnsSubdomain = lazyregexp.New(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// canName reports whether an extension can have a name. What a template fills in is unknown.
func canName(extension string) bool {
	return isTemplate(extension) || len(extension) <= maxAccountName && dnsSubdomain().MatchString(extension)
}

// MeansOne reports whether a subject for which [Mistyped] knows no correction was meant for one extension, whatever its name.
func MeansOne(kind, name string) bool {
	_, correct, _, mistyped := Mistyped(kind, name)
	s, ok := readSubject(name)
	return mistyped && correct == "" && ok && s.hasExtension
}

// intended returns the subject that was probably intended. It is empty if the name of the extension is unknown, or if the
// correction could turn a subject for one extension into a grant for all of them.
func (s subject) intended(written string) (kind, name string) {
	switch {
	case s.hasExtension && (s.extension == "" || s.namespaced() || !canName(strings.ToLower(s.extension))):
		return "", ""
	case s.hasExtension && !canName(s.extension):
		return userKind, User(strings.ToLower(s.extension))
	case s.hasExtension:
		return userKind, User(s.extension)
	case !s.plural && written != groupKind:
		return "", ""
	default:
		return groupKind, Group
	}
}

func (s subject) why(kind, name string) string {
	switch {
	case s.hasExtension && s.extension == "":
		return "it names no extension: the user of an extension is " + User("<name>")
	case s.hasExtension && s.namespaced():
		return "extensions are cluster-scoped, so their users are named without a namespace: " + User("<name>")
	case s.hasExtension && !canName(s.extension):
		return "no extension can be named " + s.extension
	case s.hasExtension && s.plural && kind != userKind:
		return "the identity of one extension is a User, and its name is singular"
	case s.hasExtension && s.plural:
		return "the user name of one extension is singular; " + Group + " is the group of all of them"
	case s.hasExtension && name != User(s.extension):
		return "the user of an extension is spelled " + User(s.extension)
	case s.hasExtension:
		return "the identity of one extension is a User, not a " + kind
	case !s.plural && kind != groupKind:
		return "it names no extension: the user of an extension is " + User("<name>") +
			", and the group of all extensions is " + Group
	case name != Group:
		return "the group of all extensions is plural, " + Group
	default:
		return "the identity of all extensions is a Group, not a " + kind
	}
}
