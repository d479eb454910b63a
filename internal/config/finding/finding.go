package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is one problem at one place in a file of the user.
type Finding struct {
	Rule     string
	Severity Severity
	// RuleSeverity is what the rule gave it, before settings changed it; Off if that is not known.
	RuleSeverity Severity
	Message      string
	// Target is the release or model that the finding applies to, or "" if it applies to every target.
	Target string
	// File is relative to the root of the repository, with slashes.
	File  string
	Range Range
	// PatchLine is the first line of the JSON patch operation that sets the field, if that line is above the range; otherwise
	// 0.
	PatchLine int
	// Resource names the object; it is zero for findings about files.
	Resource Resource
	// Source is the object as written in its file, if it is applied in another form; otherwise zero.
	Source Source
	// Subject is the user, group, or account of a binding that the finding is about; nil for other findings.
	Subject *Subject
	// Path is the field inside the object, such as spec.serviceAccount.
	Path string
	// LastingPath is Path in a form that does not change when items are added to a list or removed from it; "" if it is the same.
	LastingPath string
	// Holder is the subject that the finding is about, as written, and what it holds, if its path does not name it; otherwise "".
	Holder  string
	Fix     *Fix
	Related []Related
	Origin  Origin
	// Clusters are the names or paths of the clusters that get the object, sorted; none if they are unknown.
	Clusters []string
	// Causes are files and folders outside the objects that also lead to the finding, such as a bundle. A run that reports
	// only on changed files also reports the finding if one of these changed.
	Causes []Place
	// AppliedBy names what applies the object, and under which name, if the run has the same finding for it elsewhere;
	// otherwise "".
	AppliedBy string
	// Variant is what AppliedBy is, or would be if the run had the same finding elsewhere; "" if unknown.
	Variant string
	// Unchecked is set for a finding about a file of which nothing became an object that rules judge.
	Unchecked *Unchecked
	// Unapplied is set for a finding about an object that no deployment applies, such as one of a snapshot of tests.
	Unapplied *Unapplied
	// Suppression is set for a finding that is silenced.
	Suppression *Suppression
	// Places is the number of notes for which this one stands, see [Brief]; 0 for all others.
	Places int
	// Recorded is the fingerprint of a finding that was read from a report, and of the first place of a joined one; otherwise "".
	Recorded string
	// ObjectFile is the file of the object if the finding is reported elsewhere, at a cause that changed; otherwise "".
	ObjectFile string
}

// HidesSource reports whether the line of a finding must not be shown: the file itself is the reason why nothing of it was checked, so it may
// be anything, such as values with a password.
func (f Finding) HidesSource() bool {
	return f.Unchecked != nil && f.Unchecked.Reason.File == f.File
}

// Unchecked is why nothing of a file was checked. Reason is the place of the reason; its File is "" if there is none.
type Unchecked struct{ Reason Place }

// Unapplied is why no deployment applies a file of a folder: the files are data of tests or, if Beside is set, that kustomization of the
// folder does not list them.
type Unapplied struct{ Folder, Beside string }

// Place is a line of a file, or with line 0 a whole file or folder.
type Place struct {
	File string
	Line int
}

// Range is a part of a file. Lines and columns are 1-based, columns count code points, and the end is exclusive.
type Range struct {
	Line, Column       int
	EndLine, EndColumn int
	// Start and End are the same range in bytes; both are zero if only the line is known.
	Start, End int
}

// Whole returns a complete range, so that every position is 1-based and the end is not before the start: a finding about a file
// points to its beginning, one about a line to the start of the line.
func (r Range) Whole() Range {
	r.Line, r.Column = max(r.Line, 1), max(r.Column, 1)
	r.EndLine = max(r.EndLine, r.Line)
	if r.EndLine == r.Line {
		r.EndColumn = max(r.EndColumn, r.Column)
	}
	r.EndColumn = max(r.EndColumn, 1)
	return r
}

// Resource names a Kubernetes object.
type Resource struct {
	APIVersion, Kind, Namespace, Name string
}

// Subject is a subject of a binding as applied. The namespace is that of a ServiceAccount.
type Subject struct{ Kind, Namespace, Name string }

// String returns the subject as messages name it.
func (s Subject) String() string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}

// Source is an object as written in its file, with the line where it begins. An overlay can rename it, and the field of a
// finding can be in another file.
type Source struct {
	Resource
	File string
	Line int
	// Variant distinguishes the objects that are made from this one, where that matters; otherwise it is "".
	Variant string
}

// Related is another place that helps to explain the finding.
type Related struct {
	File    string
	Line    int
	Message string
}

// Origin is the rendering in which the finding was found, if the object is not applied as written in its file.
// Kustomization, Chart and Template are paths relative to the root of the repository.
type Origin struct {
	Kustomization, Chart, Template string
	// Unit is the deployment unit if the other fields do not identify it: an application of Argo CD or Flux, or a chart with
	// one set of values.
	Unit string
	// More is how many other kustomizations apply the object in the same form.
	More int
}

// FixKind is the degree to which a fix leaves the cluster as it is.
type FixKind string

const (
	// Safe keeps the behavior of the cluster, or matches that of the target.
	Safe FixKind = "safe"
	// Unsafe can change behavior; it needs --unsafe-fixes.
	Unsafe FixKind = "unsafe"
	// Prune deletes what is no longer used; it needs --prune.
	Prune FixKind = "prune"
)

// Flag returns the name of the flag that a fix of the kind needs; "" if it needs none.
func (k FixKind) Flag() string {
	switch k {
	case Unsafe:
		return "unsafe-fixes"
	case Prune:
		return "prune"
	default:
		return ""
	}
}

// Fix is what salint would change, or has changed, to resolve a finding.
type Fix struct {
	Kind        FixKind
	Applied     bool
	Description string
	// Edits are the verified byte edits; they are set only in runs that verify fixes (--fix, --diff, SARIF). A fix that a preview makes
	// after others has none: its bytes are those of the files that the others leave.
	Edits []FileEdit
	// Files are the files that the fix changes, sorted; they are set in the same runs.
	Files []string
}

// Fixed reports whether the run fixed the finding.
func (f Finding) Fixed() bool { return f.Fix != nil && f.Fix.Applied }

// SetEdits sets the edits of a fix, and the files that they change.
func (f *Fix) SetEdits(edits []FileEdit) {
	f.Edits, f.Files = edits, nil
	for _, e := range edits {
		f.Files = append(f.Files, e.File)
	}
	slices.Sort(f.Files)
	f.Files = slices.Compact(f.Files)
}

// FileEdit replaces the bytes Start to End of a file with New. For a file that does not exist yet, Start and End are zero.
type FileEdit struct {
	File       string
	Start, End int
	New        string
}

// Sort orders findings by file, line, column and rule. Findings that are equal in these are sorted by object, unit and target,
// so that their order does not depend on words. Those of the rules repo/* are sorted by message: they differ in the place or the
// name that the message contains.
func Sort(findings []Finding) { slices.SortStableFunc(findings, Compare) }

// Compare is the order of [Sort].
func Compare(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Range.Line, b.Range.Line),
		cmp.Compare(a.Range.Column, b.Range.Column),
		strings.Compare(a.Rule, b.Rule),
		compareEqualPlaces(a, b),
	)
}

// compareEqualPlaces compares two findings of one rule at one position.
func compareEqualPlaces(a, b Finding) int {
	if strings.HasPrefix(a.Rule, "repo/") {
		return strings.Compare(a.Message, b.Message)
	}
	return cmp.Or(
		compareStrings(a.Resource.Kind, b.Resource.Kind, a.Resource.Namespace, b.Resource.Namespace, a.Resource.Name, b.Resource.Name),
		compareStrings(a.Origin.Kustomization, b.Origin.Kustomization, a.Origin.Chart, b.Origin.Chart, a.Origin.Unit, b.Origin.Unit),
		compareStrings(a.AppliedBy, b.AppliedBy, a.Target, b.Target, a.Message, b.Message),
	)
}

// compareStrings compares pairs of strings, the first pair first.
func compareStrings(pairs ...string) int {
	for i := 0; i < len(pairs); i += 2 {
		if order := strings.Compare(pairs[i], pairs[i+1]); order != 0 {
			return order
		}
	}
	return 0
}
