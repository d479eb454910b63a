package fleet

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/output/report/sarif"
)

// Writer writes a fleet report.
type Writer struct {
	// Version is the version of salint.
	Version string
	// Rules are what is known of the rules.
	Rules []finding.RuleInfo
}

// Formats are the formats in the order of the help.
var Formats = []string{"text", "markdown", "html", "json", "csv", "ndjson", "sarif", "manifest"}

// pageFindings is the number of findings on a page.
const pageFindings = 3000

// Write reads the reports and writes a report about all of them. The error is about the options, or about the writing; what is wrong
// with single reports is in the fleet.
func (w Writer) Write(ctx context.Context, out io.Writer, format string, o Options) (*Fleet, error) {
	if !slices.Contains(Formats, format) {
		return nil, nearest.Unknown("format", format, Formats)
	}
	buffered := bufio.NewWriter(out)
	fleet, err := w.write(ctx, buffered, format, o)
	if err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, fmt.Errorf("writing the %s report: %w", format, err)
	}
	return fleet, nil
}

func (w Writer) write(ctx context.Context, out *bufio.Writer, format string, o Options) (*Fleet, error) {
	switch format {
	case "csv":
		return w.csv(ctx, out, o)
	case "ndjson":
		o.Row, o.Rows = jsonRow, writing(out)
		return Collect(ctx, o)
	case "sarif":
		return w.sarif(ctx, out, o)
	case "manifest":
		if err := o.manifest(out); err != nil {
			return nil, err
		}
		return Collect(ctx, o)
	}
	if format == "html" {
		o.Shown = pageFindings
	}
	fleet, err := Collect(ctx, o)
	if err != nil {
		return nil, err
	}
	switch format {
	case "json":
		err = fleet.json(out, w.Version)
	case "markdown":
		err = fleet.markdown(out)
	case "html":
		err = w.html(out, fleet)
	default:
		err = fleet.text(out)
	}
	return fleet, err
}

func writing(out io.Writer) func([]byte) error {
	return func(text []byte) error {
		_, err := out.Write(text)
		return err
	}
}

// sarif writes one run for each report. Earlier reports do not matter: consumers compare runs themselves.
func (w Writer) sarif(ctx context.Context, out io.Writer, o Options) (*Fleet, error) {
	log, err := sarif.NewLog(out)
	if err != nil {
		return nil, err
	}
	o.Results = log.Add
	o.Result = func(r *finding.Result) ([]byte, error) {
		used := map[string]bool{}
		for _, f := range r.Findings {
			used[f.Rule] = true
		}
		r.Rules = slices.DeleteFunc(slices.Clone(w.Rules), func(rule finding.RuleInfo) bool { return !used[rule.Name] })
		return report.SARIFRun(r)
	}
	fleet, err := Collect(ctx, o)
	if err != nil {
		return nil, err
	}
	return fleet, log.Close()
}

// columns are those of the format csv.
var columns = []string{
	"repository", "revision", "run_target", "status", "rule", "severity", "target", "file", "line", "column",
	"api_version", "kind", "namespace", "name", "subject", "path", "fix", "fingerprint", "message",
}

func (w Writer) csv(ctx context.Context, out io.Writer, o Options) (*Fleet, error) {
	if _, err := fmt.Fprintln(out, strings.Join(columns, ",")); err != nil {
		return nil, err
	}
	o.Row, o.Rows = csvRow, writing(out)
	return Collect(ctx, o)
}

func csvRow(out *bytes.Buffer, r Row) error {
	f := r.Finding
	cells := []string{
		r.Repository, r.Revision, r.RunTarget, r.Status, f.Rule, f.Severity, f.Target, f.File, strconv.Itoa(f.Line), strconv.Itoa(f.Column),
		f.Resource.APIVersion, f.Resource.Kind, f.Resource.Namespace, f.Resource.Name, subjectText(f.Subject), f.Path, fixText(f), f.Fingerprint, f.Message,
	}
	for i, cell := range cells {
		cells[i] = Cell(cell)
	}
	w := csv.NewWriter(out)
	if err := w.Write(cells); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// Cell keeps a spreadsheet from evaluating a name in a manifest as a formula.
func Cell(text string) string {
	text = safetext.Text(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}

func subjectText(s *finding.Subject) string {
	if s == nil {
		return ""
	}
	return s.String()
}

func fixText(f *readFinding) string {
	if f.Fix == nil {
		return ""
	}
	return cmp.Or(string(f.Fix.Kind), "safe")
}

// jsonLine is a line of the format ndjson. Names and shape are promised to users: only add.
type jsonLine struct {
	Repository  string       `json:"repository"`
	Revision    string       `json:"revision"`
	RunTarget   string       `json:"runTarget"`
	Status      string       `json:"status"`
	Rule        string       `json:"rule"`
	Severity    string       `json:"severity"`
	Message     string       `json:"message"`
	Target      string       `json:"target"`
	File        string       `json:"file"`
	Line        int          `json:"line"`
	Column      int          `json:"column"`
	Resource    jsonResource `json:"resource"`
	Subject     *jsonSubject `json:"subject"`
	Path        string       `json:"path"`
	Fix         string       `json:"fix"`
	Fingerprint string       `json:"fingerprint"`
}

type (
	jsonResource struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	}
	jsonSubject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
)

func jsonRow(out *bytes.Buffer, r Row) error {
	f := r.Finding
	line := jsonLine{
		Repository: r.Repository, Revision: r.Revision, RunTarget: r.RunTarget, Status: r.Status,
		Rule: f.Rule, Severity: f.Severity, Message: f.Message, Target: f.Target, File: f.File, Line: f.Line, Column: f.Column,
		Resource: jsonResource(f.Resource), Path: f.Path, Fix: fixText(f), Fingerprint: f.Fingerprint,
	}
	if f.Subject != nil {
		subject := jsonSubject(*f.Subject)
		line.Subject = &subject
	}
	return safetext.JSONLine(out, line)
}
