package fixing

import (
	"encoding/json"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
)

// Leftovers are what is left to prune if a run ends between its writes: no rule finds an account again when the field that named it is
// gone. The next run treats the objects as if it removed that field itself, so it removes only what nothing uses. A repository can
// forge leftovers, but so can an extension that names the account.
type Leftovers struct {
	Objects []LeftoverObject `json:"objects,omitempty"`
	// Files are the files that are deleted.
	Files []string `json:"files,omitempty"`
}

// LeftoverObject is an account or role as its file has it.
type LeftoverObject struct {
	File      string `json:"file"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// maxLeftovers limits the objects and the files of all records.
const maxLeftovers = 10_000

// ReadLeftovers reads the records of interrupted runs. What is no record is ignored.
func ReadLeftovers(records [][]byte) Leftovers {
	var all Leftovers
	for _, record := range records {
		var l Leftovers
		if json.Unmarshal(record, &l) == nil {
			all = all.Join(l)
		}
	}
	all.Objects, all.Files = all.Objects[:min(len(all.Objects), maxLeftovers)], all.Files[:min(len(all.Files), maxLeftovers)]
	return all
}

// Record returns the form that ReadLeftovers reads; nil if there is nothing.
func (l Leftovers) Record() []byte {
	if len(l.Objects) == 0 {
		return nil
	}
	data, err := json.Marshal(l)
	if err != nil {
		return nil // strings are never an error
	}
	return data
}

// Join returns the leftovers of two lists.
func (l Leftovers) Join(other Leftovers) Leftovers {
	l.Objects = slices.Concat(l.Objects, other.Objects)
	l.Files = slices.Concat(l.Files, other.Files)
	return l
}

// leftoversOf returns what is left to prune if only the other changes of a proof are written.
func (w *planner) leftoversOf(proof verify.Proof) (l Leftovers, err error) {
	for _, plan := range proof.Plans {
		if plan.Kind != finding.Prune {
			continue
		}
		for _, c := range plan.Changes {
			if c.Op != engine.RemoveDocument && c.Op != engine.RemoveValue {
				continue
			}
			file, err := w.context.Repo.File(c.File)
			if err != nil {
				return l, err
			}
			if doc := file.Docs[c.Document]; doc.Parse() == nil {
				l.Objects = append(l.Objects, removedBy(c, objects.Objects(doc))...)
			}
		}
	}
	for _, f := range proof.Files {
		if f.After == nil {
			l.Files = append(l.Files, f.Path)
		}
	}
	return l, nil
}

// removedBy returns the account or role that a change removes.
func removedBy(c engine.Change, all []*objects.Object) []LeftoverObject {
	var removed []LeftoverObject
	for _, o := range all {
		if isLeftoverKind(o) && slices.Equal(o.Path, c.Path) {
			removed = append(removed, leftoverOf(o))
		}
	}
	return removed
}

func isLeftoverKind(o *objects.Object) bool {
	switch o.Kind {
	case rbac.KindServiceAccount:
		return o.Group == ""
	case "Role", "ClusterRole":
		return o.Group == rbac.Group
	}
	return false
}

// manifestOf returns an object as its file has it. What a template renders, or another object contains, is only as it is applied.
func manifestOf(o *objects.Object) *objects.Object {
	if source := o.Source(); source != nil {
		return source
	}
	return o
}

func leftoverOf(o *objects.Object) LeftoverObject {
	return LeftoverObject{File: o.File, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

// findLeftovers returns the objects that an interrupted run has left, as units apply them, and the accounts that are lost since a revision.
// Those that the paths do not select stay for a run that selects them.
func (r *Round) findLeftovers() []*objects.Object {
	wanted := map[LeftoverObject]bool{}
	for _, o := range slices.Concat(r.options.Leftovers.Objects, r.options.Lost.Objects) {
		wanted[o] = true
	}
	if len(wanted) == 0 {
		return nil
	}
	var found []*objects.Object
	for _, unit := range r.snapshot.Units {
		for _, o := range unit.Objects {
			manifest := manifestOf(o)
			if !isLeftoverKind(manifest) || !wanted[leftoverOf(manifest)] {
				continue
			}
			switch {
			case r.report.Concerns(o), r.isLost(o) && r.report.Selects(o):
			case r.isLeftover(o):
				r.result.LeftoversElsewhere = true
				continue
			default:
				continue
			}
			wanted[leftoverOf(manifest)] = false
			found = append(found, o)
		}
	}
	return found
}

// isLost reports whether an extension named an object at the revision of --changed-since, and does not now.
func (r *Round) isLost(o *objects.Object) bool {
	return slices.Contains(r.options.Lost.Objects, leftoverOf(manifestOf(o)))
}

// formerFiles returns the files of the extensions that are gone, by the accounts among the leftovers that they named.
func (r *Round) formerFiles(leftovers []*objects.Object) map[*objects.Object]string {
	files := map[*objects.Object]string{}
	for _, o := range leftovers {
		if file := r.options.Lost.Files[leftoverOf(manifestOf(o))]; file != "" {
			files[o] = file
		}
	}
	return files
}

// deletedExtension returns the name of an extension that named an account at the revision of --changed-since and is gone; "" if none is.
func (r *Round) deletedExtension(o *objects.Object) string {
	return r.options.Lost.Deleted[leftoverOf(manifestOf(o))]
}

// isLeftover reports whether an interrupted run has left an object.
func (r *Round) isLeftover(o *objects.Object) bool {
	return slices.Contains(r.options.Leftovers.Objects, leftoverOf(manifestOf(o)))
}

// leftoverFiles returns notes about files that an interrupted run removed from their kustomizations and did not delete, and that this
// run does not delete either.
func (w *planner) leftoverFiles(proof verify.Proof) []finding.Finding {
	var notes []finding.Finding
	for _, file := range w.round.options.Leftovers.Files {
		deleted := slices.ContainsFunc(proof.Writes(), func(write commit.Write) bool { return write.Path == file && write.After == nil })
		if _, err := w.round.snapshot.Tree.Read(file); err != nil || deleted || !w.round.report.Reported(file) || w.context.CountEntries(file) > 0 {
			continue
		}
		f := finding.AboutFile(finding.RuleUnfixable, file, finding.Range{Line: 1, Column: 1}, "An interrupted run removed this file from its kustomization and did not "+
			"delete it. Delete it if nothing else applies it.")
		if w.round.report.Configure(&f) {
			notes = append(notes, f)
		}
	}
	return notes
}
