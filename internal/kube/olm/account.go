package olm

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// AccountState is the state of the field with which an extension names its account.
type AccountState string

const (
	// Absent: the key does not exist.
	Absent AccountState = "absent"
	// Null: serviceAccount is null. On an object that is the same as Absent; in a kustomize patch it deletes the key.
	Null AccountState = "null"
	// Empty: serviceAccount is a mapping without a name, as in {}.
	Empty AccountState = "empty"
	// EmptyName: the name exists, and is "" or null.
	EmptyName AccountState = "empty-name"
	// Named: an account is named.
	Named AccountState = "named"
	// Templated: the account or its name is a placeholder, as in ${ACCOUNT} or {{ .account }}.
	Templated AccountState = "templated"
	// Malformed: a value that the API server rejects, such as a bare string or a list.
	Malformed AccountState = "malformed"
	// Hidden: a placeholder stands for the mapping around the key, as in spec: '{{ … }}', so whether the key exists is unknown.
	Hidden AccountState = "hidden"
)

// Account is the service account of an extension, as its manifest sets it.
type Account struct {
	// Name is the name as written. It is set if State is Named, and if State is Templated and the name is a string.
	Name  string
	State AccountState
	// Path leads to the key serviceAccount (serviceAccountName in an Extension) inside the object. If State is Absent, it
	// is the path at which the key would be.
	Path manifest.Path
}

// readAccount reads the mapping serviceAccount at a path.
func readAccount(obj *manifest.Node, path manifest.Path) Account {
	account := Account{Path: path}
	field, ok := obj.Field(path)
	switch value := field.Value; {
	case !ok && isHidden(obj, path):
		account.State = Hidden
	case !ok:
		account.State = Absent
	case value.IsNull():
		account.State = Null
	case isTemplateNode(value):
		account.State, account.Name = Templated, value.String()
	case !value.IsMapping():
		account.State = Malformed
	default:
		account.State, account.Name = readName(value, manifest.Path{"name"})
		if account.State == Absent {
			account.State = Empty
		}
	}
	return account
}

// isHidden reports whether a placeholder stands for a mapping on the way to a path.
func isHidden(obj *manifest.Node, path manifest.Path) bool {
	for i := range path {
		if n := obj.Lookup(path[:i]); !n.IsMapping() || isTemplateNode(n) {
			return isTemplateNode(n)
		}
	}
	return false
}

// readAccountName reads the scalar serviceAccountName of an Extension.
func readAccountName(obj *manifest.Node, path manifest.Path) Account {
	state, name := readName(obj, path)
	return Account{Name: name, State: state, Path: path}
}

// readName reads the name of an account at a path.
func readName(n *manifest.Node, path manifest.Path) (AccountState, string) {
	field, ok := n.Field(path)
	switch name := field.Value; {
	case !ok:
		return Absent, ""
	case isTemplateNode(name):
		return Templated, name.String()
	case name.IsNull(), name.IsString() && strings.TrimSpace(name.String()) == "":
		return EmptyName, ""
	case !name.IsString():
		return Malformed, ""
	default:
		return Named, name.String()
	}
}
