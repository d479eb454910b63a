package formats

import (
	"fmt"
	"io"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/report"
)

// Write writes a report in a format. The repository is the one of the working tree.
func (p Printer) Write(w io.Writer, r *change.Report, format string, of *repo.Repo) error {
	switch format {
	case "json":
		return p.json(w, r)
	case "markdown":
		return p.markdown(w, r)
	case "html":
		return p.html(w, r)
	case "sarif", "github":
		return report.Write(w, format, p.findings(r, of), report.Options{
			FailOn: p.FailOn, GravestFirst: true, Headline: fmt.Sprintf("%s. %s.", r.Headline(), r.Result(p.FailOn)), Summary: p.summary(r),
		})
	}
	return p.text(w, r)
}

// findings returns the differences as findings.
func (p Printer) findings(r *change.Report, of *repo.Repo) *finding.Result {
	result := &finding.Result{
		Version: p.Version, Findings: r.Annotations(), Rules: change.Rules(), Root: of.Root, WorkDir: of.WorkDir, Incomplete: !r.Complete(),
		Category: "diff", Origin: finding.Provenance{Repository: of.Git.Origin(), Revision: of.Git.Head()},
	}
	result.Summary.Count(result.Findings)
	return result
}
