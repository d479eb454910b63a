package olm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	// maxBindingName is the length to which generated binding names are cut.
	maxBindingName = 63
	// maxAccountName is the API server's limit for the name of a ServiceAccount.
	maxAccountName = 253
	// hashLength is the number of hash characters that distinguish shortened names: 40 bits.
	hashLength = 10
)

// BindingName returns the name of the binding that salint generates to bind a role to the identity of an extension. It is
// at most 63 bytes long. A name that had to be cut or cleaned ends in a hash of its parts. The result is the same in every
// run.
//
// Names that are not cut can collide: role b-c of extension a, and role c of extension a-b. If the name is taken, use
// UniqueBindingName.
func BindingName(extension, role string) string {
	plain := PlainBindingName(extension, role)
	if name := cleanName(plain); name == plain && len(name) <= maxBindingName {
		return name
	}
	return UniqueBindingName(extension, role)
}

// PlainBindingName is BindingName before it is cut and cleaned, for names that a template renders.
func PlainBindingName(extension, role string) string { return BindingPrefix + extension + "-" + role }

// UniqueBindingName is BindingName with a hash in every case. Further distinguishing parts, such as the kind of the role,
// are added to the hash.
func UniqueBindingName(extension, role string, more ...string) string {
	plain := cleanName(PlainBindingName(extension, role))
	return cutName(plain, maxBindingName, append([]string{extension, role}, more...))
}

// InstallerName returns the name of the account that salint generates for an extension: at most 253 bytes.
func InstallerName(extension string) string {
	plain := extension + installerSuffix
	if len(plain) <= maxAccountName {
		return plain
	}
	return cutName(extension, maxAccountName-len(installerSuffix), []string{extension}) + installerSuffix
}

// BindingPrefix is the beginning of the names of bindings and roles.
const BindingPrefix = "olm-clusterextension-"

const installerSuffix = "-installer"

// cutName shortens a name to a number of bytes, including the hash of its parts at the end.
func cutName(name string, limit int, parts []string) string {
	if keep := limit - hashLength - 1; len(name) > keep {
		for keep > 0 && !utf8.RuneStart(name[keep]) {
			keep--
		}
		name = name[:keep]
	}
	// A dash after a dash or dot is not a valid DNS name.
	return strings.TrimRight(name, "-.:") + "-" + hash(parts)
}

// cleanName replaces the characters that the API server rejects in the name of an RBAC object, which is a path segment
// (k8s.io/apimachinery/pkg/api/validation/path): a slash and a percent signal. Colons are common there and stay.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '%' || r <= ' ' || r == 0x7f || r == utf8.RuneError {
			return '-'
		}
		return r
	}, name)
}

// hash depends on the parts and their borders: ("a", "bc") differs from ("ab", "c").
func hash(parts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:hashLength]
}
