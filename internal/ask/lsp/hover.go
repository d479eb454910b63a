package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/markdown"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/ruledoc"
)

// hover answers with the pages of the rules whose findings are at a position, and with the effective permissions of the extension, the
// account, the subject, or the role there.
func (s *server) hover(p positionParams) (answer, error) {
	a, err := s.about(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at, err := a.text.offset(p.Position, s.encoding)
	if err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return func(ctx context.Context) (any, error) {
		out, err := a.await(ctx)
		if err != nil || out.outcome == nil {
			return nil, err
		}
		pages, where, err := s.rulePages(ctx, a, out, at)
		if err != nil {
			return nil, err
		}
		if place, found := findPlace(a.document, at); found {
			world, err := a.world(ctx, out)
			if err != nil {
				return nil, err
			}
			if text := place.permissions(world); text != "" {
				pages = append([]string{text}, pages...)
				if where == nil {
					r := a.text.span(place.start, place.end, s.encoding)
					where = &r
				}
			}
		}
		if len(pages) == 0 {
			return nil, nil
		}
		return hover{Contents: markupContent{"markdown", strings.Join(pages, "\n\n---\n\n")}, Range: where}, nil
	}, nil
}

// rulePages returns the pages of the rules whose findings are at an offset, each rule once, and the range of the first finding.
func (s *server) rulePages(ctx context.Context, a asked, out *result, at int) (pages []string, where *span, err error) {
	texts := newTexts(out)
	var found []finding.Finding
	for _, f := range out.findingsIn(a.document.name) {
		r := texts.span(f, s.encoding)
		start, end, err := a.text.offsets(r, s.encoding)
		if err != nil || at < start || at > end {
			continue
		}
		if where == nil {
			where = &r
		}
		if !slices.ContainsFunc(found, func(other finding.Finding) bool { return other.Rule == f.Rule }) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil, nil, nil
	}
	registry, err := rules.Load(ctx, rules.Options{PolicyDirs: out.project.Lint.Policies, OpenDir: out.project.Lint.OpenPolicies})
	if err != nil {
		return nil, nil, err
	}
	defer registry.Close()
	for _, f := range found {
		if rule, _, ok := registry.Find(f.Rule); ok {
			pages = append(pages, fmt.Sprintf("**%s**: %s\n\n%s", markdown.Text(rule.Name), markdown.Text(rule.Title), ruledoc.Help(&rule)))
		}
	}
	return pages, where, nil
}

// world reads the objects that decide on permissions, with the unsaved texts of all open documents.
func (a asked) world(ctx context.Context, out *result) (*loader.Repository, error) {
	return known(ctx, a.repository, out, "permissions", func() (*loader.Repository, error) {
		o := out.project.Read
		o.Kinds = loader.Kinds(loader.RBAC(), loader.Installers())
		return limited(ctx, out.project.Lint.Config.Limits.RunTime, func(ctx context.Context) (*loader.Repository, error) {
			return loader.Read(ctx, a.repository.tree(out.state, nil), o)
		})
	})
}

// listed is how many items a list of a hover has.
const listed = 40

// firstOf returns the first lines of a list, and how many more there are.
func firstOf(lines []string) []string {
	if more := len(lines) - listed; more > 0 {
		return append(lines[:listed:listed], fmt.Sprintf("… and %d more", more))
	}
	return lines
}

// shownName is how many characters of a name, or of a list of names, a hover shows.
const shownName = 400

// codeText returns a text as code in Markdown. Editors do not show tags.
func codeText(text string) string { return safetext.Code(text, shownName) }
