package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Finding is one problem at one place in a file of the user's.
type Finding struct {
	Rule     string
	Severity Severity
	Message  string
	// Target is the release or model the finding was judged for; "" when it is true of every target.
	Target string
	// File is relative to the root of the repository, with slashes.
	File  string
	Range Range
	// Begins is the line on which that begins which sets the field, where it is above the range: an operation of a JSON patch.
	// Else it is 0.
	Begins int
	// Resource names the object; it is zero for findings about files.
	Resource Resource
	// Source is the object as it stands in its file, where it is not applied so; else zero.
	Source Source
	// Path is the field inside the object, as in spec.serviceAccount.
	Path    string
	Fix     *Fix
	Related []Related
	Origin  Origin
	// Causes are files and folders outside of the objects that the finding comes from as well, such as a bundle. A run that
	// reports on changed files only reports it also where one of them changed.
	Causes []Place
	// Apart names what applies the object, and as what, where the same is found of it elsewhere in the run; else it is "".
	Apart string
	// Home is the file that the object lies in where the finding is reported elsewhere, at a cause that changed; else "".
	Home string
}

// Place is a line of a file, or with line 0 a file or folder as a whole.
type Place struct {
	File string
	Line int
}

// Range is a stretch of a file. Lines and columns are 1-based, columns count code points, the end is exclusive.
type Range struct {
	Line, Column       int
	EndLine, EndColumn int
	// Start and End are the same stretch in bytes; both zero when only the line is known.
	Start, End int
}

// Resource names a Kubernetes object.
type Resource struct {
	APIVersion, Kind, Namespace, Name string
}

// Source is an object as it stands in its file, and the line where it begins. An overlay may rename it, and what a finding is
// about may stand in another file.
type Source struct {
	Resource
	File string
	Line int
	// As tells those apart that are made of it, where it matters; else it is "".
	As string
}

// Related is another place that explains the finding.
type Related struct {
	File    string
	Line    int
	Message string
}

// Origin says which rendering the finding was seen in, when the object is not applied as it stands in its file. Kustomization,
// Chart and Template are paths relative to the root of the repository.
type Origin struct {
	Kustomization, Chart, Template string
	// Unit is what has it applied, where that is not all of these: an application of Argo CD or Flux, or a chart with certain
	// values.
	Unit string
}

// FixKind says how far a fix may be trusted to leave the cluster as it is.
type FixKind string

const (
	// Safe leaves what the cluster does as it is, or as the target will do it.
	Safe FixKind = "safe"
	// Unsafe may change behaviour; it needs --unsafe-fixes.
	Unsafe FixKind = "unsafe"
	// Prune deletes what nothing uses any more; it needs --prune.
	Prune FixKind = "prune"
)

// Fix is what salint would do, or has done, about a finding.
type Fix struct {
	Kind        FixKind
	Applied     bool
	Description string
	// Edits are the proven byte edits; only runs that prove fixes (--fix, --diff, SARIF) fill them in.
	Edits []FileEdit
}

// FileEdit replaces the bytes Start to End of a file by New. A file that does not exist yet has Start and End zero.
type FileEdit struct {
	File       string
	Start, End int
	New        string
}

// Fingerprint identifies a finding across moved lines and other working directories. It is made of the rule, the
// object as its file has it, the path and the file; findings about files, which have no object, add their message, and those
// which would have the same add what tells them apart: a baseline with the one does not hide the other.
func (f Finding) Fingerprint() string {
	object := cmp.Or(f.Source.Resource, f.Resource)
	parts := []string{f.Rule, cmp.Or(f.Home, f.File), object.APIVersion, object.Kind, object.Namespace, object.Name, f.Path}
	if f.Resource == (Resource{}) {
		parts = append(parts, f.Message)
	}
	if f.Apart != "" {
		parts = append(parts, f.Apart)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Sort orders findings by file, line, column and rule, and by message where all of these agree.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.File, b.File),
			cmp.Compare(a.Range.Line, b.Range.Line),
			cmp.Compare(a.Range.Column, b.Range.Column),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Message, b.Message),
		)
	})
}
