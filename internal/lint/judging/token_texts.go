package judging

import (
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// tokenTexts returns the findings about tokens in the bytes of files, but not those that are found in objects.
func (r *Report) tokenTexts() []finding.Finding {
	found := r.snapshot.TokenTexts.Findings(tokentexts.Repository{
		Now: r.options.Now, Manifests: r.snapshot.Texts(repo.IsManifest),
		IsKnown: func(file string, line int) bool {
			return slices.ContainsFunc(r.judge.tokens, func(f finding.Finding) bool {
				return f.File == file && f.Range.Line <= line && line <= f.Range.EndLine
			})
		},
	})
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return !r.Configure(&f) })
}
