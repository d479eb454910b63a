package tokentexts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
)

// The rules about texts.
var (
	RuleInGit    = finding.ProgramRule{Name: "token/in-git", Severity: finding.Error}
	RuleReliedOn = finding.ProgramRule{Name: "token/generated-relied-on", Severity: finding.Warning}
)

// tokenWords are those of which a text with a token must have one.
var tokenWords = [][]byte{[]byte(accounttoken.Words[0]), []byte(accounttoken.Words[1])}

// Texts are the files of a repository that can hold a token, rely on one, or make one that no rule checks. The zero value has none.
type Texts struct {
	mu    sync.Mutex
	files []*manifest.File
	// holding are the files with each token, by its digest; nil until a finding depends on it.
	holding map[[sha256.Size]byte][]string
}

// Inspect takes note of a file. Several goroutines call it.
func (t *Texts) Inspect(file string, data []byte) {
	if !mayHoldToken(data) && !mayRely(data) && !mayMakeElsewhere(data) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.files = append(t.files, &manifest.File{Path: file, Data: data})
}

func mayHoldToken(data []byte) bool { return containsAny(data, tokenWords) }

func containsAny(data []byte, any [][]byte) bool {
	return slices.ContainsFunc(any, func(word []byte) bool { return bytes.Contains(data, word) })
}

// Files returns the files of which note was taken, sorted by their paths.
func (t *Texts) Files() []*manifest.File {
	slices.SortFunc(t.files, func(a, b *manifest.File) int { return cmp.Compare(a.Path, b.Path) })
	return t.files
}

// Repository is what the findings depend on.
type Repository struct {
	Now time.Time
	// IsKnown reports whether a rule found a token in an object of a file.
	IsKnown func(file string, token accounttoken.Token) bool
	// Roles are those of an account, with where they apply, as far as the objects that were read show them.
	Roles func(namespace, account string) []string
	// Manifests are all manifests, with their bytes.
	Manifests iter.Seq2[string, []byte]
}

// Findings returns the findings in the texts, in the order of the files and their lines.
func (t *Texts) Findings(r Repository) []finding.Finding {
	var found []finding.Finding
	listed := listings{manifests: r.Manifests}
	for _, file := range t.Files() {
		found = append(found, inGit(file, r)...)
		found = append(found, reliances(file, &listed)...)
		found = append(found, madeElsewhere(file)...)
		found = append(found, madeByTerraform(file)...)
	}
	return found
}

// inGit returns the tokens in a file that is no object, or that no rule about objects saw.
func inGit(file *manifest.File, r Repository) []finding.Finding {
	if !mayHoldToken(file.Data) {
		return nil
	}
	var found []finding.Finding
	for _, token := range once(accounttoken.Find(string(file.Data))) {
		if r.IsKnown(file.Path, token) {
			continue
		}
		at := finding.RangeIn(file, manifest.Span{Start: token.Start, End: token.End})
		f := finding.AboutFile(RuleInGit, file.Path, at, inGitMessage(token, r))
		f.Holder = holder(token)
		if textpaths.IsOfTests(file.Path) || isExpired(token, r.Now) {
			f.Severity = finding.Note
		}
		found = append(found, f)
	}
	return found
}

// once returns each token at its first place.
func once(tokens []accounttoken.Token) []accounttoken.Token {
	seen := map[[sha256.Size]byte]bool{}
	return slices.DeleteFunc(tokens, func(t accounttoken.Token) bool {
		defer func() { seen[t.Digest] = true }()
		return seen[t.Digest]
	})
}

// holder is what a token states of itself. The roles of its account are left out, as they can change without the file.
func holder(t accounttoken.Token) string {
	return fmt.Sprint(t.Namespace, "/", t.Account, " ", t.Secret, " ", t.BoundKind, "/", t.BoundName, " ", t.Expires.Unix(), " ", t.Elsewhere)
}

// Holding returns the files that contain a token.
func (t *Texts) Holding(token accounttoken.Token) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holding == nil {
		t.holding = map[[sha256.Size]byte][]string{}
		for _, file := range t.Files() {
			for _, found := range once(accounttoken.Find(string(file.Data))) {
				t.holding[found.Digest] = append(t.holding[found.Digest], file.Path)
			}
		}
	}
	return t.holding[token.Digest]
}

func isExpired(t accounttoken.Token, now time.Time) bool {
	return !t.Expires.IsZero() && !t.Expires.After(now)
}

// HaveTokens reports whether a file that is no data of tests contains a token that has not expired.
func (t *Texts) HaveTokens(now time.Time) bool {
	return slices.ContainsFunc(t.Files(), func(file *manifest.File) bool {
		return mayHoldToken(file.Data) && !textpaths.IsOfTests(file.Path) &&
			slices.ContainsFunc(accounttoken.Find(string(file.Data)), func(t accounttoken.Token) bool { return !isExpired(t, now) })
	})
}

// inGitMessage says what rego/token/in_git.rego says of a token in an object.
func inGitMessage(t accounttoken.Token, r Repository) string {
	audience, power := "", powers(r.Roles(t.Namespace, t.Account))
	if t.Elsewhere != "" {
		audience, power = " for "+t.Elsewhere, " there"
	}
	subject := fmt.Sprintf("This file contains a token of ServiceAccount %s/%s%s that ", t.Namespace, t.Account, audience)
	day := t.Expires.Format(time.DateOnly)
	if isExpired(t, r.Now) {
		return subject + "expired on " + day + ". API servers no longer accept it. Remove it."
	}
	validity := "never expires"
	if !t.Expires.IsZero() {
		validity = "is valid until " + day
	}
	return subject + validity + ". Anyone who reads the repository can act as the account" + power + ". " + revocation(t) + ", and remove the token from Git."
}

// maxRoles is the number of roles that a message names.
const maxRoles = 3

// powers is a clause about roles. Without any, nothing is said: bindings that no rule reads can grant more.
func powers(roles []string) string {
	if len(roles) == 0 {
		return ""
	}
	if more := len(roles) - maxRoles; more > 0 {
		roles = append(roles[:maxRoles:maxRoles], fmt.Sprintf("%d more", more))
	}
	return ", which has " + words.And(roles)
}

// revocation is the imperative that makes a token invalid.
func revocation(t accounttoken.Token) string {
	kind, name, why := "ServiceAccount", t.Account, "because nothing else revokes the token"
	switch {
	case t.Secret != "":
		kind, name, why = "Secret", t.Secret, "which revokes the token"
	case t.BoundKind == "Pod" || t.BoundKind == "Secret":
		kind, name, why = t.BoundKind, t.BoundName, "which revokes the token"
	case !t.Expires.IsZero():
		why += " before it expires"
	}
	return fmt.Sprintf("Delete the %s on the cluster, %s (kubectl delete %s %s -n %s)", kind, why, lower(kind), name, t.Namespace)
}
