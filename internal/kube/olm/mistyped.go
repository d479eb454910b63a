package olm

import (
	"regexp"
	"strings"

	"github.com/agnivade/levenshtein"
)

const (
	userKind           = "User"
	groupKind          = "Group"
	serviceAccountKind = "ServiceAccount"

	extensionWord  = "clusterextension"
	extensionsWord = "clusterextensions"
)

// Mistyped reports whether a subject of a binding was meant for a synthetic identity and reaches none. It gives the
// subject that was meant, and why the one that is written matches nobody. correctKind and correctName are empty where
// the mistake is certain and what was meant is not. ok is false for a subject that is right, or about something else.
func Mistyped(kind, name string) (correctKind, correctName, why string, ok bool) {
	switch kind {
	case userKind, groupKind:
	case serviceAccountKind:
		// A colon cannot be in the name of an account, a dot can: olm.clusterextensions is somebody's account.
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
	correctKind, correctName = s.meant(kind)
	return correctKind, correctName, s.why(kind, name), true
}

// subject is a name that looks like that of a synthetic identity.
type subject struct {
	plural    bool
	extension string
	// named tells that a separator follows the word, so that an extension was meant even if its name is empty.
	named bool
}

// A slash and a dot occur in place of the colon, as in olm/clusterextension/argocd. Behind the second separator comes
// the name of the extension, which may hold dots.
var subjectName = regexp.MustCompile(`^\s*([A-Za-z]+)[:/.]([A-Za-z_-]+)(?:([:/.])(.*?))?\s*$`)

// readSubject takes names apart that begin with olm and a word close to clusterextension.
func readSubject(name string) (subject, bool) {
	m := subjectName.FindStringSubmatch(name)
	if m == nil || !strings.EqualFold(m[1], "olm") {
		return subject{}, false
	}
	word := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(m[2]))
	one, many := levenshtein.ComputeDistance(word, extensionWord), levenshtein.ComputeDistance(word, extensionsWord)
	if min(one, many) > 2 {
		return subject{}, false
	}
	return subject{plural: many < one, extension: m[4], named: m[3] != ""}, true
}

func (s subject) correct(kind, name string) bool {
	if s.named {
		return kind == userKind && s.extension != "" && name == User(s.extension) && !s.namespaced()
	}
	return kind == groupKind && name == Group
}

// namespaced tells that a namespace stands before the extension's name.
func (s subject) namespaced() bool {
	return strings.ContainsAny(s.extension, ":/") && !isTemplate(s.extension)
}

// meant returns the subject that was probably meant, nothing where the name of the extension is unknown, or where the
// correction would turn what may have been meant for one extension into a grant for all of them.
func (s subject) meant(written string) (kind, name string) {
	switch {
	case s.named && (s.extension == "" || s.namespaced()):
		return "", ""
	case s.named:
		return userKind, User(s.extension)
	case !s.plural && written != groupKind:
		return "", ""
	default:
		return groupKind, Group
	}
}

func (s subject) why(kind, name string) string {
	switch {
	case s.named && s.extension == "":
		return "it names no extension: the user of an extension is " + User("<name>")
	case s.named && s.namespaced():
		return "extensions are cluster-scoped, so their users are named without a namespace: " + User("<name>")
	case s.named && s.plural && kind != userKind:
		return "the identity of one extension is a User, and its name is spelled in the singular"
	case s.named && s.plural:
		return "the user of one extension is spelled in the singular; " + Group + " is the group of all of them"
	case s.named && name != User(s.extension):
		return "the user of an extension is spelled " + User(s.extension)
	case s.named:
		return "the identity of one extension is a User, not a " + kind
	case !s.plural && kind != groupKind:
		return "it names no extension: the user of an extension is " + User("<name>") +
			", and the group of all extensions is " + Group
	case name != Group:
		return "the group of all extensions is spelled in the plural, " + Group
	default:
		return "the identity of all extensions is a Group, not a " + kind
	}
}
