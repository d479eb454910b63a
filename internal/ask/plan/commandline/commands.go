package commandline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	base "github.com/salint/salint/internal/base/shell"
)

// Lint returns a command line of salint lint. Without a target each unit keeps its own; reading are the flags about reading the repository. A path
// that begins with a dash is prefixed, so that it is not a flag.
func Lint(flags []string, target string, reading, paths []string) string {
	words := append([]string{"salint", "lint"}, flags...)
	if target != "" {
		words = append(words, "--target", target)
	}
	words = append(words, reading...)
	for _, path := range paths {
		words = append(words, base.Path(path))
	}
	return shell(words)
}

// shell joins words to a command line. Quoted words are safe whatever names a manifest contains; words that cannot be shown
// on one line are written as $'…', which bash, zsh and ksh support.
func shell(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

func quote(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./=,:@%+", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	switch {
	case word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0:
		return word
	case strings.IndexFunc(word, func(r rune) bool { return r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) }) < 0:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return "$'" + b.String() + "'"
}

const (
	// withField prints the names of all live extensions that have the field.
	withField = `{range .items[?(@.spec.serviceAccount)]}{.metadata.name}{"\n"}{end}`
	// accounts prints all live extensions with their accounts.
	accounts = "NAME:.metadata.name,NAMESPACE:.spec.namespace,ACCOUNT:.spec.serviceAccount.name"
)

// GetSet lists the live extensions that have the field.
func GetSet() string {
	return shell([]string{"kubectl", "get", "clusterextensions", "-o", "jsonpath=" + withField})
}

// GetAccounts lists all live extensions; an extension without an account shows <none>.
func GetAccounts() string {
	return shell([]string{"kubectl", "get", "clusterextensions", "-o", "custom-columns=" + accounts})
}

// GetManagers shows which managers own the fields of live extensions, and what was last applied. Missing extensions are
// ignored.
func GetManagers(names []string) string {
	words := append([]string{"kubectl", "get", "clusterextensions"}, names...)
	return shell(append(words, "-o", "yaml", "--show-managed-fields", "--ignore-not-found"))
}

// RemoveField is a JSON patch. It fails and changes nothing if the field is not set or, if an account is given, if the live
// object names another one.
func RemoveField(name, account string) string {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value string `json:"value,omitempty"`
	}
	patch := []operation{{Op: "remove", Path: "/spec/serviceAccount"}}
	if account != "" {
		patch = slices.Insert(patch, 0, operation{"test", "/spec/serviceAccount/name", account})
	}
	data, _ := json.Marshal(patch) // encoding strings cannot fail
	return shell([]string{"kubectl", "patch", "clusterextension", name, "--type=json", "-p=" + string(data)})
}
