package grants

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Grant is a place that binds a role to a subject. A name or namespace with a placeholder is filled in when the text runs, and an unknown
// namespace is "".
type Grant struct {
	Position objects.Position
	Subject  rbac.Subject
	// Namespace is the namespace to which the binding is limited; "" if it holds in all, or if that is unknown.
	Namespace string
	// OfConstraints is set if the role only allows the use of security context constraints.
	OfConstraints bool
	// OfPatch is set if a patch binds the subject: in a deployment unit that salint builds, the binding has it then.
	OfPatch bool
}

// Unknown is the name of a subject that the text does not show.
const Unknown = "${NAME}"

// maxText is the size of the largest file that is read: bindings are written by hand.
const maxText = 1 << 20

// Read returns the bindings that a file makes, in the order of its lines. Documentation makes none. Of templates of charts, which are
// rendered, only commands are read, those of a Job or of a script in a ConfigMap; of kustomizations, these and the patches.
func Read(file string, data []byte, isFolder func(dir string) bool) []Grant {
	if len(data) > maxText || !worthReading(data) || textpaths.IsDocument(path.Base(file)) {
		return nil
	}
	found := ofCommands(file, data, isFolder)
	switch {
	case isTemplate(file):
	case objects.IsKustomizationFile(file):
		found = append(found, ofPatches(file, data)...)
	case objects.IsManifestName(file), file == objects.StandardInput:
		found = append(found, ofDocuments(file, data, linesOf(found))...)
	default:
		found = append(found, ofText(file, data, 0)...)
	}
	slices.SortStableFunc(found, func(a, b Grant) int { return cmp.Compare(a.Position.Line, b.Position.Line) })
	return slices.Compact(found)
}

// linesOf returns the lines of grants.
func linesOf(found []Grant) map[int]bool {
	lines := map[int]bool{}
	for _, grant := range found {
		lines[grant.Position.Line] = true
	}
	return lines
}

// isTemplate reports whether a file is a template of a chart, so that what it binds is in a deployment unit.
func isTemplate(file string) bool {
	return strings.Contains("/"+file, "/templates/") && slices.Contains([]string{".tpl", ".yaml", ".yml"}, path.Ext(file))
}

// worthReading reports whether a file has a word without which it binds nothing.
func worthReading(data []byte) bool {
	has := func(word string) bool { return bytes.Contains(data, []byte(word)) }
	return hasSubjectPath(data) || slices.ContainsFunc([]string{"ole", "-to-user", "-to-group"}, has) && bindingWord().Match(data) ||
		slices.ContainsFunc([]string{"erviceAccount", "system:serviceaccount"}, has) && (has("members") || has("owners") || has("lusterPermissions"))
}

// bindingWord matches the words for bindings in manifests, commands, and modules.
var bindingWord = lazyregexp.New(`(?i)role[-_]?(?:template[-_]?)?bindings?|role[-_]?ref|-(?:role|scc)-to-(?:user|group)|\bClusterPermission\b|\bRBACDefinition\b`)

// CanBind reports whether a grant can be for an identity. Names that are filled in can be any: named reports whether the text in a file can fill
// in the name of the identity.
func (g Grant) CanBind(who rbac.Identity, named func(file string) bool) bool {
	account, isAccount := objects.ParseUser(who.User)
	subject := g.Subject
	if user, ok := objects.ParseUser(subject.Name); ok && subject.Kind == rbac.KindUser {
		subject = rbac.Account(user)
	}
	switch {
	case subject.Kind == rbac.KindGroup:
		return slices.Contains(who.Groups, subject.Name)
	case subject.Kind == rbac.KindUser && isAccount, subject.Kind != rbac.KindUser && !isAccount:
		return false
	case subject.Kind == rbac.KindUser:
		return g.canName(subject.Name, who.User, named)
	}
	namespace := subject.Namespace
	if namespace != "" && namespace != account.Namespace && !(rbac.Templated(namespace) && rbac.CanEqual(namespace, account.Namespace)) {
		return false
	}
	return g.canName(subject.Name, account.Name, named)
}

// canName reports whether a name in the text is, or can be filled in as, that of an identity.
func (g Grant) canName(written, name string, named func(file string) bool) bool {
	if !rbac.Templated(written) {
		return written == name
	}
	return name != "" && rbac.CanEqual(written, name) && named(g.Position.File)
}

// Reaches reports whether the permissions of a grant can hold in a namespace; "" is a request that is in none.
func (g Grant) Reaches(namespace string) bool {
	return g.Namespace == "" || rbac.Templated(g.Namespace) || g.Namespace == namespace
}
