package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/rules"
)

// source is the name of the program in diagnostics.
const source = "salint"

// diagnostics returns the diagnostics of files, by name. If nothing was checked, each open document has one that says so: no diagnostics
// would look like no problems.
func (r *repository) diagnostics(out *result) map[string][]diagnostic {
	all := map[string][]diagnostic{}
	for name, d := range out.state.unsynced {
		all[name] = []diagnostic{notChecked(d.unsynced)}
	}
	if out.err != nil {
		for name := range out.state.documents {
			all[name] = []diagnostic{notChecked(safetext.Error(out.err))}
		}
		r.locateMistake(out, all)
		return all
	}
	if out.outcome == nil {
		return all
	}
	texts := newTexts(out)
	for _, f := range out.outcome.Findings {
		all[f.File] = append(all[f.File], r.diagnostic(texts, f))
	}
	return all
}

func notChecked(why string) diagnostic {
	return diagnostic{Severity: severityError, Source: source, Message: "not checked: " + why}
}

// locateMistake moves the diagnostic about a mistake in the configuration to its place, if that file is open.
func (r *repository) locateMistake(out *result, all map[string][]diagnostic) {
	var mistake *settings.Error
	if !errors.As(out.err, &mistake) {
		return
	}
	name, err := filepath.Rel(r.root, realPath(mistake.File))
	if err != nil {
		return
	}
	name = filepath.ToSlash(name)
	if d := out.state.documents[name]; d != nil {
		start, end := reportedLine(d.text.content, mistake.Line)
		all[name] = []diagnostic{{
			Range: d.text.span(start, end, r.server.encoding), Severity: severityError, Source: source, Message: safetext.Text(mistake.Message),
		}}
	}
}

// texts are the texts of files in a state, with their lines.
type texts struct {
	of    *result
	known map[string]*text
}

func newTexts(of *result) *texts { return &texts{of, map[string]*text{}} }

// get returns the text of a file; nil if it is not UTF-8 or cannot be read, so that only lines are known.
func (t *texts) get(name string) *text {
	if known, ok := t.known[name]; ok {
		return known
	}
	var found *text
	if d := t.of.state.documents[name]; d != nil {
		found = d.text
	} else if data := t.of.outcome.Source(name); data != nil && utf8.Valid(data) {
		found = newText(string(data))
	}
	t.known[name] = found
	return found
}

// lineSpan returns the range of a line, which is counted from 1.
func (t *texts) lineSpan(name string, line int, encoding string) span {
	text := t.get(name)
	if text == nil {
		return span{position{max(line-1, 0), 0}, position{max(line-1, 0), 0}}
	}
	start, end := reportedLine(text.content, max(line, 1))
	return text.span(start, end, encoding)
}

// span returns the range of a finding.
func (t *texts) span(f finding.Finding, encoding string) span {
	text := t.get(f.File)
	if text == nil || f.Range.End == 0 {
		return t.lineSpan(f.File, f.Range.Line, encoding)
	}
	return text.span(f.Range.Start, f.Range.End, encoding)
}

var severities = map[finding.Severity]int{
	finding.Error: severityError, finding.Warning: severityWarning, finding.Note: severityInformation,
}

// diagnostic converts a finding.
func (r *repository) diagnostic(texts *texts, f finding.Finding) diagnostic {
	encoding, client := r.server.encoding, r.server.client.TextDocument.PublishDiagnostics
	d := diagnostic{
		Range: texts.span(f, encoding), Severity: severities[f.Severity], Code: f.Rule, Source: source, Message: safetext.Text(f.Message),
	}
	if url := helpOf(f.Rule); url != "" && client.CodeDescriptionSupport {
		d.CodeDescription = &codeDescription{url}
	}
	if !client.RelatedInformation {
		return d
	}
	for _, other := range f.Related {
		d.RelatedInformation = append(d.RelatedInformation, relatedInformation{
			Location: location{r.uri(texts.of.state, other.File), texts.lineSpan(other.File, other.Line, encoding)},
			Message:  safetext.Text(other.Message),
		})
	}
	return d
}

// builtin are the rules of the program.
var builtin = sync.OnceValue(func() *rules.Registry {
	registry, err := rules.Load(context.Background(), rules.Options{})
	if err != nil {
		return nil // as every run reports
	}
	return registry
})

// helpOf returns the address of the page of a rule; "" for the user's own rules.
func helpOf(rule string) string {
	if registry := builtin(); registry != nil {
		if found, _, ok := registry.Find(rule); ok {
			return judging.HelpURI(found)
		}
	}
	return ""
}
