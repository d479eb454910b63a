package targetconflict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/judging"
)

// rule is the rule that also reports signals which contradict a target. It is never in a baseline: it decides what is fixed.
var rule = finding.ProgramRule{Name: "olm/target-conflict", Severity: finding.Warning}

// family begins the names of the rules whose findings and fixes depend on the target.
const family = "olm/"

// Conflict is an entry of the settings that sets another target than the command line, for something that the run is about.
type Conflict struct {
	Entry settings.TargetEntry
	// Contradicts is set if the two have different models: what is right for the one is wrong for the other.
	Contradicts bool
	// Places are what the entry decides and the run is about, and Others what it decides in addition; each sorted.
	Places, Others []string
	first          finding.Finding
}

// Input is what a run is about.
type Input struct {
	// Config are the settings, File is their path in the repository, or "".
	Config *settings.Config
	File   string
	// Flag is the target of the command line.
	Flag   olm.Target
	Judge  *judging.Judge
	Report *judging.Report
	// Found are the reported findings.
	Found []judging.Finding
	// Shared is set if fixes also change what units outside of the paths apply.
	Shared bool
}

// Find returns the conflicts in the order of the settings. Extensions count if the run reports on them, and everything else about which
// a rule of the target has a finding.
func Find(in Input) []Conflict {
	byEntry := map[settings.TargetEntry]*Conflict{}
	shared := map[string]bool{} // files with extensions that the run is about
	type use struct {
		unit   *objects.Unit
		object *objects.Object
	}
	var outside []use
	for _, unit := range objects.NotReplaced(in.Judge.Snapshot.Units) {
		for _, o := range unit.Objects {
			switch _, ok := o.Extension(); {
			case !ok:
			case in.Report.Concerns(o):
				shared[o.File] = true
				in.add(byEntry, unit, o, true)
			default:
				outside = append(outside, use{unit, o})
			}
		}
	}
	for _, f := range in.Found {
		if strings.HasPrefix(f.Rule, family) && f.Report.Object != nil {
			in.add(byEntry, f.Unit, f.Report.Object, true)
		}
	}
	for _, u := range outside {
		in.add(byEntry, u.unit, u.object, in.Shared && shared[u.object.File])
	}
	var all []Conflict
	for _, c := range byEntry {
		if len(c.Places) > 0 {
			slices.Sort(c.Places)
			slices.Sort(c.Others)
			c.Places, c.Others = slices.Compact(c.Places), slices.Compact(c.Others)
			all = append(all, *c)
		}
	}
	slices.SortFunc(all, func(a, b Conflict) int { return cmp.Compare(a.Entry.Override, b.Entry.Override) })
	return all
}

// add adds an object to the conflict of the entry that decides its target, if there is one.
func (in Input) add(all map[settings.TargetEntry]*Conflict, unit *objects.Unit, o *objects.Object, concerned bool) {
	entry, ok := in.Config.TargetEntryFor(in.Judge.Targets.Of(unit, o).Scope)
	own, err := olm.ParseTarget(entry.Target)
	if !ok || err != nil || own.Name == in.Flag.Name && own.Model == in.Flag.Model {
		return
	}
	c := all[entry]
	if c == nil {
		c = &Conflict{Entry: entry, Contradicts: own.Model != in.Flag.Model}
		all[entry] = c
	}
	at := o.Position(manifest.Path{"metadata", "name"})
	place := fmt.Sprintf("%s:%d", at.File, at.Line)
	if !concerned {
		c.Others = append(c.Others, place)
		return
	}
	if len(c.Places) == 0 || place < c.Places[0] {
		c.Places = slices.Insert(c.Places, 0, place)
		c.first = finding.AboutFile(rule, at.File, finding.Range{Line: at.Line, Column: at.Column}, "")
		return
	}
	c.Places = append(c.Places, place)
}

// Contradictions returns the conflicts of different models.
func Contradictions(all []Conflict) []Conflict {
	return slices.DeleteFunc(slices.Clone(all), func(c Conflict) bool { return !c.Contradicts })
}

// shownPlaces is how many places a message names.
const shownPlaces = 3

// Findings returns a finding for each contradiction, at the entry of the settings if their file is in the repository, and otherwise at
// the first object. Set is true if the run changes the entries.
func Findings(in Input, all []Conflict, set bool) []finding.Finding {
	var found []finding.Finding
	for _, c := range Contradictions(all) {
		f := c.first
		if in.File != "" {
			f = finding.AboutFile(rule, in.File, finding.Range{
				Line: c.Entry.Line, Column: c.Entry.Column, EndLine: c.Entry.Line, EndColumn: c.Entry.Column + len(c.Entry.Target),
			}, "")
		}
		f.Message, f.Target = c.message(in), nameOf(in.Flag)
		for _, place := range c.Places[:min(len(c.Places), shownPlaces)] {
			file, line := splitPlace(place)
			f.Related = append(f.Related, finding.Related{File: file, Line: line, Message: "the target of this is " + c.Entry.Target + " without --target"})
		}
		if set {
			f.Fix = &finding.Fix{Kind: finding.Safe, Applied: true, Description: "set the target to " + nameOf(in.Flag)}
		}
		found = append(found, f)
	}
	return found
}

// message says what contradicts, what the run assumes, and what to do.
func (c Conflict) message(in Input) string {
	own, _ := olm.ParseTarget(c.Entry.Target)
	where := ""
	if in.File == "" {
		where = fmt.Sprintf(" (line %d of the settings)", c.Entry.Line)
	}
	return fmt.Sprintf("--target %s contradicts the configured target %s%s, which decides for %s. On %s, %s "+
		"Run without --target, or change the configured target once the cluster runs %s: --fix --set-target does both in one run.",
		nameOf(in.Flag), c.Entry.Target, where, words.First(1, c.Places), c.Entry.Target, consequence[own.Model], nameOf(in.Flag))
}

// consequence is what the configured release does, for each model.
var consequence = map[olm.Model]string{
	olm.Required:  "the API server rejects an extension without spec.serviceAccount.",
	olm.Synthetic: "OLM impersonates the synthetic identity of an extension without an account.",
	olm.Ignored:   "OLM ignores the account and installs as a cluster-admin.",
	olm.Removed:   "an extension that sets spec.serviceAccount is rejected.",
}

func nameOf(t olm.Target) string { return cmp.Or(t.Name, string(t.Model)) }
