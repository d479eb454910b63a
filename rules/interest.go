package rules

import (
	"slices"
	"strings"
)

// Interest says which kinds of objects a set of rules wants to see, in the form that manifest.NewInterest takes: kinds
// without their group, and for each the words without one of which a document interests nobody. No words: always.
type Interest struct {
	// Judged are the kinds that rules are evaluated on.
	Judged map[string][]string
	// Context are the kinds that the rules ask the built-in functions about.
	Context map[string][]string
}

// Interest is what the rules of these names want to see. With kinds, only rules that judge one of them count: what is
// wanted further once it is known which kinds there are.
func (r *Registry) Interest(enabled []string, kinds ...string) Interest {
	i := Interest{Judged: map[string][]string{}, Context: map[string][]string{}}
	for _, name := range enabled {
		rule := r.find(name)
		if rule != nil && (len(kinds) == 0 || rule.judgesAny(kinds)) {
			i.add(rule)
		}
	}
	return i
}

func (i Interest) add(rule *Rule) {
	for _, kind := range rule.Kinds {
		kind = bareKind(kind)
		words, known := i.Judged[kind]
		switch {
		case len(rule.Words) == 0 || known && len(words) == 0:
			i.Judged[kind] = nil
		default:
			i.Judged[kind] = union(words, rule.Words)
		}
	}
	for _, kind := range rule.Context {
		i.Context[bareKind(kind)] = nil
	}
}

func (r *Rule) judgesAny(kinds []string) bool {
	return slices.ContainsFunc(r.Kinds, func(k string) bool { return slices.Contains(kinds, bareKind(k)) })
}

// bareKind cuts the group off Kind.group.
func bareKind(kind string) string {
	bare, _, _ := strings.Cut(kind, ".")
	return bare
}

// kindKey is the inverse: the form in which METADATA names a kind.
func kindKey(kind, group string) string {
	if group == "" {
		return kind
	}
	return kind + "." + group
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
