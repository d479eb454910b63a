package judging

import (
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/duplicates"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// ofBytes returns the findings about what the bytes of files show: tokens, and objects of one name.
func (r *Report) ofBytes() []finding.Finding {
	found := append(r.tokenTexts(), r.snapshot.Duplicates.Findings(duplicates.Repository{
		Units: r.snapshot.Written, Names: r.snapshot.Collection.Names, Text: r.snapshot.Text,
	})...)
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return !r.Configure(&f) })
}

// tokenTexts returns the findings about tokens in the bytes of files, but not those that are found in objects.
func (r *Report) tokenTexts() []finding.Finding {
	return r.snapshot.TokenTexts.Findings(tokentexts.Repository{
		Now: r.options.Now, Manifests: r.snapshot.Texts(repo.IsManifest),
		IsKnown: func(file string, line int) bool {
			return slices.ContainsFunc(r.judge.tokens, func(f finding.Finding) bool {
				return f.File == file && f.Range.Line <= line && line <= f.Range.EndLine
			})
		},
	})
}
