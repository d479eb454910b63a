package olm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	// maxBindingName is the length that generated binding names are cut to.
	maxBindingName = 63
	// maxAccountName is the API server's limit for the name of a ServiceAccount.
	maxAccountName = 253
	// hashLength is how many characters of hash keep shortened names apart: 40 bits.
	hashLength = 10
)

// BindingName is the name of the binding that salint generates to bind a role to the identity of an extension. It is
// at most 63 bytes long; a name that had to be cut or cleaned ends in a hash of what it was made from, and is the same
// in every run.
//
// Names that are not cut may coincide: role b-c of extension a, and role c of extension a-b. Where the name is taken,
// use UniqueBindingName.
func BindingName(extension, role string) string {
	plain := PlainBindingName(extension, role)
	if name := cleanName(plain); name == plain && len(name) <= maxBindingName {
		return name
	}
	return UniqueBindingName(extension, role)
}

// PlainBindingName is BindingName before it is cut and cleaned: what a template can write of names that it fills in.
func PlainBindingName(extension, role string) string { return bindingPrefix + extension + "-" + role }

// UniqueBindingName is BindingName with the hash always there. What else tells two bindings apart, as the kind of the
// role, is added to the hash.
func UniqueBindingName(extension, role string, more ...string) string {
	plain := cleanName(PlainBindingName(extension, role))
	return cutName(plain, maxBindingName, append([]string{extension, role}, more...))
}

// InstallerName is the name of the account that salint generates for an extension: at most 253 bytes.
func InstallerName(extension string) string {
	plain := extension + installerSuffix
	if len(plain) <= maxAccountName {
		return plain
	}
	return cutName(extension, maxAccountName-len(installerSuffix), []string{extension}) + installerSuffix
}

const (
	bindingPrefix   = "olm-clusterextension-"
	installerSuffix = "-installer"
)

// cutName shortens a name to a number of bytes, the hash of its parts at its end included.
func cutName(name string, limit int, parts []string) string {
	if keep := limit - hashLength - 1; len(name) > keep {
		for keep > 0 && !utf8.RuneStart(name[keep]) {
			keep--
		}
		name = name[:keep]
	}
	// A dash behind a dash or dot looks torn, and is no DNS name.
	return strings.TrimRight(name, "-.:") + "-" + hash(parts)
}

// cleanName replaces what the API server does not take in the name of an RBAC object, which is a segment of a path
// (k8s.io/apimachinery/pkg/api/validation/path): a slash and a percent sign. Colons are common there and stay.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '%' || r <= ' ' || r == 0x7f || r == utf8.RuneError {
			return '-'
		}
		return r
	}, name)
}

// hash is the same for the same parts, and tells ("a", "bc") from ("ab", "c").
func hash(parts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:hashLength]
}
