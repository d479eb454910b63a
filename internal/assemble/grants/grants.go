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
}

// Unknown is the name of a subject that the text does not show.
const Unknown = "${NAME}"

// maxText is the size of the largest file that is read: bindings are written by hand.
const maxText = 1 << 20

// Read returns the bindings that a file makes, in the order of its lines. Documentation makes none. Of kustomizations and templates of charts,
// which are built, only commands are read: those of a Job or of a script in a ConfigMap.
func Read(file string, data []byte, isFolder func(dir string) bool) []Grant {
	if len(data) > maxText || !worthReading(data) || textpaths.IsDocument(path.Base(file)) {
		return nil
	}
	found := ofCommands(file, data, isFolder)
	if !isBuilt(file) {
		found = slices.Concat(found, ofObjects(file, data), ofText(file, data))
	}
	slices.SortStableFunc(found, func(a, b Grant) int { return cmp.Compare(a.Position.Line, b.Position.Line) })
	return slices.Compact(found)
}

// isBuilt reports whether salint builds a file, so that what it binds is in a deployment unit.
func isBuilt(file string) bool {
	inChart := strings.Contains("/"+file, "/templates/") && slices.Contains([]string{".tpl", ".yaml", ".yml"}, path.Ext(file))
	return inChart || objects.IsKustomizationFile(file)
}

// worthReading reports whether a file has a word without which it binds nothing.
func worthReading(data []byte) bool {
	return slices.ContainsFunc([]string{"ole", "-to-user", "-to-group"}, func(word string) bool { return bytes.Contains(data, []byte(word)) }) &&
		bindingWord().Match(data)
}

// bindingWord matches the words for bindings in manifests, commands, and modules.
var bindingWord = lazyregexp.New(`(?i)role[-_]?bindings?|role[-_]?ref|-role-to-(?:user|group)|\bClusterPermission\b|\bRBACDefinition\b`)

// CanBind reports whether a grant can be for a service account. Names that are filled in can be any: named reports whether the text can fill in
// the name of the account.
func (g Grant) CanBind(account objects.Account, named func(file string) bool) bool {
	switch g.Subject.Kind {
	case "Group":
		return g.Subject.Name == "system:serviceaccounts" || g.Subject.Name == "system:serviceaccounts:"+account.Namespace
	case "User":
		user, ok := objects.ParseUser(g.Subject.Name)
		return ok && Grant{g.Position, rbac.Account(user)}.CanBind(account, named)
	}
	namespace := g.Subject.Namespace
	if namespace != "" && namespace != account.Namespace && !(rbac.Templated(namespace) && rbac.CanEqual(namespace, account.Namespace)) {
		return false
	}
	if !rbac.Templated(g.Subject.Name) {
		return g.Subject.Name == account.Name
	}
	return rbac.CanEqual(g.Subject.Name, account.Name) && named(g.Position.File)
}
