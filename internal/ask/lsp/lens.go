package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// codeLenses answers with a line for each extension: its target, and what happens to it on that and on the next release.
func (s *server) codeLenses(p textDocumentParams) (answer, error) {
	a, err := s.about(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		extensions, err := a.extensions(ctx)
		if err != nil {
			return nil, err
		}
		lenses := []codeLens{}
		for _, e := range extensions {
			start, end := reportedLine(a.text.content, e.Line)
			lenses = append(lenses, codeLens{a.text.span(start, end, s.encoding), command{Title: safetext.Text(planText(e))}})
		}
		return lenses, nil
	}, nil
}

// inlayHints answers with the target of each extension, behind its kind.
func (s *server) inlayHints(p rangeParams) (answer, error) {
	a, err := s.about(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	from, to, err := a.text.offsets(p.Range, s.encoding)
	if err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return func(ctx context.Context) (any, error) {
		extensions, err := a.extensions(ctx)
		if err != nil {
			return nil, err
		}
		kinds := kindEnds(a.document)
		hints := []inlayHint{}
		for _, e := range extensions {
			at, known := kinds[e.Line]
			if !known {
				_, at = reportedLine(a.text.content, e.Line)
			}
			if from <= at && at <= to {
				hints = append(hints, inlayHint{
					Position: a.text.position(at, s.encoding), Label: safetext.Text(targetText(e)), Tooltip: safetext.Text(planText(e)), PaddingLeft: true,
				})
			}
		}
		return hints, nil
	}, nil
}

// kindEnds returns the ends of the kinds of extensions, by the line of the object.
func kindEnds(d *document) map[int]int {
	ends := map[int]int{}
	for _, o := range objectsOf(d) {
		if _, ok := olm.ReadExtension(o.Node); ok {
			_, span := o.Locate(manifest.Path{"kind"})
			ends[o.Position(nil).Line] = span.End
		}
	}
	return ends
}

// extensions returns the extensions of a document with their plans.
func (a asked) extensions(ctx context.Context) ([]plan.Extension, error) {
	out, err := a.await(ctx)
	if err != nil || out.outcome == nil || !repo.IsManifest(a.document.name) {
		return nil, err
	}
	if !strings.Contains(a.text.content, "Extension") {
		return nil, nil // what a template calls otherwise has no lens
	}
	return known(ctx, a.repository, out, "plan "+a.document.name, func() ([]plan.Extension, error) {
		options := out.project.Plan
		options.Paths, options.Rel = []string{a.document.name}, func(file string) string { return file }
		o := out.project.Lint
		o.Tree = a.repository.tree(out.state, map[string]bool{a.document.name: true})
		o.PolicyCache, o.Builds, o.Fixes.Shared = a.repository.policies, a.repository.builds, true
		survey, err := limited(ctx, o.Config.Limits.RunTime, func(ctx context.Context) (*session.Survey, error) {
			return session.TakeSurvey(ctx, o, options.Choose)
		})
		if err != nil {
			return nil, err
		}
		var found []plan.Extension
		for _, e := range plan.Build(survey, options).Extensions {
			if filepath.ToSlash(e.File) == a.document.name {
				found = append(found, e)
			}
		}
		return found, nil
	})
}

// targetText returns the target of an extension, and the place from which it was detected.
func targetText(e plan.Extension) string {
	switch {
	case e.Today == nil:
		return "target unknown"
	case e.DetectedFrom != "":
		return fmt.Sprintf("target %s (from %s)", e.Today.Name, e.DetectedFrom)
	}
	return "target " + e.Today.Name
}

// planText returns the target of an extension and its plan on one line.
func planText(e plan.Extension) string {
	parts := []string{targetText(e)}
	if e.Unit != "" {
		parts[0] += " in " + e.Unit
	}
	for _, cell := range e.Cells {
		if cell.Status == plan.NotJudged {
			continue
		}
		part := fmt.Sprintf("%s: %s", cell.Target.Name, cell.Status)
		if cell.Rule != "" {
			part += " (" + cell.Rule + ")"
		}
		if cell.Command != "" {
			part += ", " + strings.TrimSpace(cell.When+" the upgrade: "+cell.Command)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " · ")
}
