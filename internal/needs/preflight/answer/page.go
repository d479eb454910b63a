package answer

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
)

// fileName returns a name without path separators and other special characters.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, strings.TrimLeft(name, "-."))
}

// Widths in characters.
const (
	maxUnread = 300
	maxVerbs  = 64
	maxObject = 80
)

func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxUnread {
		return string(runes[:maxUnread]) + "…"
	}
	return text
}

// page is growing text. Everything from manifests is escaped for the terminal.
type page struct {
	strings.Builder
	verbose bool
}

func (t *page) line(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Text(text)
		}
	}
	fmt.Fprintf(t, format+"\n", args...)
}

func (t *page) field(label, value string) { t.line("  %-10s  %s", label, value) }

// some prints up to the maximum of n lines, and the number of those left out.
func (t *page) some(indent string, n int, print func(i int)) {
	show := n
	if !t.verbose && n > shown {
		show = shown - 1
	}
	for i := range show {
		print(i)
	}
	if more := n - show; more > 0 {
		t.line("%s… and %d more (--verbose lists them)", indent, more)
	}
}

// rules prints rules with their verbs in a column, followed by the text of about.
func (t *page) rules(indent string, rules []rbacv1.PolicyRule, about func(i int) string) {
	width := 0
	for _, r := range rules {
		width = max(width, len(strings.Join(r.Verbs, ", ")))
	}
	width = min(width, maxVerbs)
	objects := 0
	for _, r := range rules {
		if n := len(object(r)); n <= maxObject {
			objects = max(objects, n)
		}
	}
	t.some(indent, len(rules), func(i int) {
		text := fmt.Sprintf("%-*s  %s", width, strings.Join(rules[i].Verbs, ", "), object(rules[i]))
		if about != nil {
			text = fmt.Sprintf("%-*s  %s", width+2+objects, text, about(i))
		}
		t.line("%s%s", indent, strings.TrimRight(text, " "))
	})
}

// object returns the resource of a rule as kubectl writes it: deployments.apps/name.
func object(r rbacv1.PolicyRule) string {
	if len(r.NonResourceURLs) > 0 {
		return strings.Join(r.NonResourceURLs, ", ")
	}
	var words []string
	for _, group := range r.APIGroups {
		for _, resource := range r.Resources {
			word, sub, _ := strings.Cut(resource, "/")
			if group != "" {
				word += "." + group
			}
			if sub != "" {
				word += "/" + sub
			}
			words = append(words, word)
		}
	}
	text := strings.Join(words, ", ")
	if len(r.ResourceNames) > 0 {
		text += " " + strings.Join(slices.Sorted(slices.Values(r.ResourceNames)), ", ")
	}
	return text
}
