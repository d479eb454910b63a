package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render/templates/source"
)

const renderOrByHand = "add a set of values that renders it (ci/…-values.yaml) to show whether it does, or "

// checkUnrenderedBindings refuses if the chart may bind the account with a template, or a branch of one, that no known set of
// values renders: with other values, the account would have other grants than those that are migrated.
func checkUnrenderedBindings(c *engine.Context, g *reachedExtensions) error {
	u := &unrenderedBindings{names: map[string]bool{}}
	var all []*rendering
	for _, m := range g.members {
		if m.Account.State == olm.Named && !slices.Contains(all, m.rendering) {
			all = append(all, m.rendering)
		}
		u.names[m.Account.Name] = true
	}
	for _, r := range all {
		u.addHelpers(r.sources())
	}
	u.files = mergedSources(all)
	for _, s := range u.files {
		if err := u.check(s); err != nil {
			return err
		}
	}
	return nil
}

// unrenderedBindings are the parts of charts that may bind the account.
type unrenderedBindings struct {
	names map[string]bool // of the account
	files []*chartSource
	// binding are the helpers that write bindings.
	binding []string
}

// addHelpers adds the helpers of a chart that write bindings.
func (u *unrenderedBindings) addHelpers(all *chartSources) {
	for name, text := range all.defined {
		if bindingSyntax().MatchString(all.withHelpers(text)) && strings.Contains(all.withHelpers(text), "roleRef") {
			u.binding = append(u.binding, name)
		}
	}
}

func (u *unrenderedBindings) check(s *chartSource) error {
	if s.file == nil {
		if at := bindingSyntax().FindString(s.text); at != "" {
			return engine.Refuse("%s contains %s but cannot be read as a template, so its bindings are unknown: %s", s.key, at, bindByHand)
		}
		return nil
	}
	for at, name := range s.includes {
		mayBind := slices.Contains(u.binding, name) || name == "" && len(u.binding) > 0
		if mayBind && !s.isRendered(at) {
			return engine.Refuse("%s includes a binding that no known set of values renders, and that may bind the account: "+
				"%s%s",
				s.position(at), renderOrByHand, bindByHand)
		}
	}
	for _, at := range bindingSyntax().FindAllStringIndex(s.text, -1) {
		if s.isComment(at[0]) {
			continue
		}
		region := s.region(at[0])
		if first := s.firstUnrendered(region); first >= 0 && u.mayBind(s, region) {
			return engine.Refuse("%s is part of a binding that no known set of values renders, and that may bind the "+
				"account: %s%s",
				s.position(first), renderOrByHand, bindByHand)
		}
	}
	return nil
}

// isComment reports whether a byte is not rendered: it is in a comment, or in an action that writes nothing.
func (s *chartSource) isComment(at int) bool {
	i := s.file.TokenAt(at)
	if i < 0 || s.file.Tokens[i].Kind == source.Comment {
		return true
	}
	token := s.file.Tokens[i]
	if token.Kind == source.Action {
		return !s.file.Writes(token)
	}
	line := s.text[max(token.Span.Start, strings.LastIndexByte(s.text[:at], '\n')+1):at]
	return strings.HasPrefix(strings.TrimSpace(line), "#") || strings.Contains(line, " #")
}

var separator = lazyregexp.New(`(?m)^---`)

// region returns the document around a byte: up to the next separators, within one definition.
func (s *chartSource) region(at int) manifest.Span {
	region := manifest.Span{End: len(s.text)}
	own := s.file.TokenAt(at)
	for i, token := range s.file.Tokens {
		if s.file.Definition(i) != s.file.Definition(own) {
			if i < own {
				region.Start = token.Span.End
			} else if token.Span.Start < region.End {
				region.End = token.Span.Start
			}
		}
	}
	for _, found := range separator().FindAllStringIndex(s.text, -1) {
		if found[0] <= at {
			region.Start = max(region.Start, found[1])
		} else {
			region.End = min(region.End, found[0])
		}
	}
	return region
}

// bindingLine is a line of a binding that names its subjects or its role.
var bindingLine = lazyregexp.New(`(?m)^[ \t-]*["']?(?:name|kind|namespace|subjects|roleRef)["']?[ \t]*:|\{\s*(?:name|kind|apiGroup)\s*:|\broleRef\b|RoleBinding\b`)

// firstUnrendered returns the first byte of such a line that is not rendered; -1 if there is none.
func (s *chartSource) firstUnrendered(region manifest.Span) int {
	for i, token := range s.file.Tokens {
		start, end := max(token.Span.Start, region.Start), min(token.Span.End, region.End)
		if start >= end || token.Kind == source.Comment {
			continue
		}
		if token.Kind == source.Action {
			if s.file.Writes(token) && bindingSyntax().MatchString(s.file.Slice(token.Span)) && !s.isRendered(token.Span.Start) {
				return token.Span.Start
			}
			continue
		}
		for _, at := range bindingLine().FindAllStringIndex(s.text[start:end], -1) {
			from := start + at[0] + len(s.text[start+at[0]:end]) - len(strings.TrimLeft(s.text[start+at[0]:end], " \t\r\n"))
			isAtStart := i == 0 || from > token.Span.Start || strings.HasSuffix(s.text[:from], "\n")
			if isAtStart && !s.isComment(from) && !s.isRendered(from) {
				return from
			}
		}
	}
	return -1
}

var (
	boundSubjects = lazyregexp.New(`\bsubjects["']?\s*:`)
	namedSubject  = lazyregexp.New(`\bname["']?\s*:\s*["']?([^\s"',}]+)`)
)

// mayBind reports whether the subjects of a binding may include the account: one has its name, is a group, or is not literal.
func (u *unrenderedBindings) mayBind(s *chartSource, region manifest.Span) bool {
	text := s.text[region.Start:region.End]
	at := boundSubjects().FindStringIndex(text)
	if at == nil {
		return true
	}
	for _, token := range s.file.Tokens {
		isInside := token.Span.Start >= region.Start+at[1] && token.Span.End <= region.End
		if isInside && token.Kind == source.Action && (s.file.Writes(token) || token.Word == "template") {
			return true
		}
	}
	for _, name := range namedSubject().FindAllStringSubmatch(text[at[1]:], -1) {
		if u.names[name[1]] || strings.HasPrefix(name[1], "system:") {
			return true
		}
	}
	return false
}
