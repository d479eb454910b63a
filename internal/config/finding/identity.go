package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Identity is what two findings have in common if they are one finding. It is comparable. What can differ between the two depends on
// where they come from, and stays empty: [Finding.Lasting] is the identity between runs, and [Finding.Shown] that within the output of one.
type Identity struct {
	Rule, File string
	// Line and Column are where the finding is reported.
	Line, Column int
	// Object is the object as written in its file, and Ref its place there, if objects of one name are distinguished.
	Object Resource
	Ref    string
	// Path is the field of the object.
	Path string
	// Case distinguishes several problems that a rule can have with one field.
	Case    string
	Message string
	Holder  string
	// AppliedBy is what applies the object, and Ignored the annotation that silences rules on it, if variants of the object are distinguished.
	AppliedBy, Ignored string
}

// Lasting identifies a finding across moved lines, in other runs and in later rounds of fixes: by the rule, the file, the object as
// written there, the path, and the holder. The path is one that fixes of other items in a list do not change. Findings about files have no
// object and add their message, unless they name a holder. Findings that would otherwise be equal add AppliedBy, so that a baseline with
// one of them does not hide the other.
func (f Finding) Lasting() Identity {
	id := Identity{
		Rule: f.Rule, File: cmp.Or(f.ObjectFile, f.File), Object: cmp.Or(f.Source.Resource, f.Resource), Path: cmp.Or(f.LastingPath, f.Path),
		Holder: f.Holder, AppliedBy: f.AppliedBy,
	}
	if f.Resource == (Resource{}) && f.Holder == "" {
		id.Message = f.Message
	}
	return id
}

// Shown identifies a finding as users see it in one run. Different objects at one place with the same message share it.
func (f Finding) Shown() Identity {
	return Identity{Rule: f.Rule, File: f.File, Line: f.Range.Line, Column: f.Range.Column, Path: f.Path, Message: f.Message}
}

// Fingerprint returns [Finding.Lasting] for reports and baselines. It does not depend on the working directory.
func (f Finding) Fingerprint() string {
	if f.Recorded != "" {
		return f.Recorded
	}
	id := f.Lasting()
	parts := []string{id.Rule, id.File, id.Object.APIVersion, id.Object.Kind, id.Object.Namespace, id.Object.Name, id.Path}
	if f.Resource == (Resource{}) && f.Holder == "" {
		parts = append(parts, id.Message)
	}
	if id.Holder != "" {
		parts = append(parts, "holder", id.Holder)
	}
	if id.AppliedBy != "" {
		parts = append(parts, id.AppliedBy)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
