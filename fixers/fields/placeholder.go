package fields

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rbac"
)

// placeholder matches texts that a tool replaces before the manifest is applied, in addition to those of rbac.Templated: variables of a
// shell, of Maven, Ant, and Windows, the marks of argocd-vault-plugin, vals, vault-env, Concourse, and Azure, and names between
// underscores. Encrypted values are replaced, too.
var placeholder = lazyregexp.New(`\$[A-Za-z_][A-Za-z0-9_]*|(^|[^A-Za-z0-9])__[A-Za-z0-9][A-Za-z0-9_.-]*__|<path:|^<[^<>]+>$|^@@?[A-Za-z0-9_.-]+@@?$|%[A-Z][A-Z0-9_]+%|` +
	`#\{|\(\(|\[\[[^\]]+\]\]|^ref\+|^vault:|^ENC\[|(?i:^(change|replace)[-_ ]?(me|this|it)\b|^(todo|fixme)\b)`)

// maxShown is the length, in characters, from which on the text with a placeholder is cut in a message.
const maxShown = 40

// placeholderOf returns a short text with the placeholder in a text; "" if there is none.
func placeholderOf(text string) string {
	if !rbac.Templated(text) && !placeholder().MatchString(text) {
		return ""
	}
	line, _, more := strings.Cut(text, "\n")
	if shown := []rune(line); more || len(shown) > maxShown {
		return string(shown[:min(len(shown), maxShown)]) + "…"
	}
	return text
}

// placeholderIn returns the first placeholder in a value, and its path; "" if there is none.
func placeholderIn(n *manifest.Node, path manifest.Path) (at manifest.Path, text string) {
	switch {
	case n == nil, n.Alias() != nil:
		return nil, ""
	case n.IsScalar():
		return path, placeholderOf(n.String())
	}
	for _, field := range n.Fields() {
		step := path.Join(field.Key.Value())
		if text := placeholderOf(field.Key.Value()); text != "" {
			return step, text
		}
		if at, text := placeholderIn(field.Value, step); text != "" {
			return at, text
		}
	}
	for i, item := range n.Items() {
		if at, text := placeholderIn(item, path.Join(strconv.Itoa(i))); text != "" {
			return at, text
		}
	}
	return nil, ""
}
