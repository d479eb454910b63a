package judging

import (
	"crypto/sha256"
	"slices"

	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// tokenPlace is a token in a file.
type tokenPlace struct {
	file   string
	digest [sha256.Size]byte
}

// withoutRenderedTokens drops findings about tokens that are written in other files than the template or the kustomization that the finding
// is about, such as values: tokenTexts reports these there. It takes note of the tokens of the others.
func (j *Judge) withoutRenderedTokens(found []Finding) []Finding {
	j.tokens = map[tokenPlace]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		if f.Rule != tokentexts.RuleInGit.Name {
			return false
		}
		tokens := accounttoken.Find(f.Report.Object.Node.Lookup(f.Report.Path).Value())
		if len(tokens) > 0 && !slices.ContainsFunc(tokens, func(t accounttoken.Token) bool { return !j.isWrittenElsewhere(f.File, t) }) {
			return true
		}
		for _, token := range tokens {
			j.tokens[tokenPlace{f.File, token.Digest}] = true
		}
		return false
	})
}

func (j *Judge) isWrittenElsewhere(file string, token accounttoken.Token) bool {
	holding := j.Snapshot.TokenTexts.Holding(token)
	return len(holding) > 0 && !slices.Contains(holding, file)
}
