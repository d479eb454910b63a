package plan

import (
	"strings"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/ask/plan/proposals"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/session"
)

// Status is how an extension behaves on a target.
type Status string

// The statuses, from the best to the worst.
const (
	// Works means that nothing needs to be done: lint reports only notes.
	Works Status = "works"
	// Warns means that the extension keeps working, and lint warns.
	Warns Status = "warns"
	// Breaks means that the API server or OLM rejects the extension, which lint reports as an error.
	Breaks Status = "breaks"
	// NotJudged means that the target is neither the extension's own release nor the next one.
	NotJudged Status = ""
)

// Plan is a plan for all extensions. Files are relative to the working directory.
type Plan struct {
	Version, Repository string
	Targets             []olm.Target
	// Named is true if the user named the targets: only then does an extension that breaks there fail the run.
	Named      bool
	Extensions []Extension
	// Cluster are findings about the signals of the release that depend on the target.
	Cluster []Remark
	// Leftovers are accounts with power that no extension uses any longer, for the target of today.
	Leftovers []Remark
	// Transitions lead from one target to another; Unchanged are lists of releases with the same model.
	Transitions []Transition
	Unchanged   [][]string
	// detailed is true if the text has the background of everything. perExtension is true if each extension has its own
	// release and the next one.
	detailed, perExtension bool
	// paths are those of the command line.
	paths []string
	// lintOf returns a command line that reads what the plan read.
	lintOf func(target string, flags, paths []string) string
	// Catalogs say which bundles OLM installs from the catalogs that the user named.
	Catalogs []Remark
	// NotChecked are places that could not be read or evaluated, which can contain more extensions.
	NotChecked []Remark
}

// Extension is one extension in one deployment unit.
type Extension struct {
	// Name is metadata.name as applied; Label distinguishes extensions of the same name.
	Name, Label string
	// Label is made of shortLabel and place, which is "" if no other extension has the name.
	shortLabel, place string
	// NameTemplated is true if the name is substituted before the extension is applied.
	NameTemplated      bool
	Namespace, Package string
	File               string
	Line               int
	// Unit is the name of what applies it, or "" for plain files. UnitKind is plain, kustomization, chart or application.
	Unit, UnitKind string
	Account        olm.Account
	// Today is the target from the configuration or the signals, nil if it is unknown; DetectedFrom is the place of the
	// signal.
	Today        *olm.Target
	DetectedFrom string
	// signals are those of its release.
	signals []olm.Signal
	// settable are patterns of the paths for which the configuration can set the target, if it is unknown.
	settable []string
	// asked is true if the configuration sets Today.
	asked bool
	// leg are the extension's own release and the next one.
	leg leg
	// root is the folder of the unit, and applied are all units that apply the same place of the file.
	root string
	// differs is why the cluster can have the extension in another form than the one that was judged, or "".
	differs string
	// remaining are its account and bindings, as far as they stay on the cluster when they are removed from the repository.
	remaining []session.Remaining
	// failed is set if a rule failed on the extension.
	failed bool
	// byPath is set if the unit is fixed by its folder: see [builder.fixedByPath].
	byPath bool
	// alone are the targets for which only its folder can be fixed: see [builder.fixedAlone].
	alone map[string]bool
	// mixed is set if other units apply the file whose targets differ or are unknown, and a fix of the folder changes none of them.
	mixed   bool
	unit    *objects.Unit
	applied []session.Applied
	// limits are what no longer limits the extension, in the order of Plan.Targets; nil where its identity counts.
	limits []*permission.Unlimited
	// Cells are in the order of Plan.Targets.
	Cells []Cell
}

// Cell is an entry of the table: one extension on one target.
type Cell struct {
	Target olm.Target
	Status Status
	// Reason is the reason of the status, in one or a few sentences.
	Reason string
	// Rule is the rule that determines the status, "" if the extension works.
	Rule string
	// Command is the command line that prepares for the target, or that shows what to do if there is no fix; "" if nothing
	// needs to be done. When is when to run it: Before or After the cluster changes.
	Command, When string
	prepare       commandline.Parts
	// failed is set if a rule failed on the extension.
	failed bool
	// Origin is true if transitions of the extension only begin at the target. Then there is no command, because changing the
	// field for this target would be useless or contrary to the transitions.
	Origin bool
	// Refused is why there is no fix although the rule has one; otherwise "".
	Refused string
	// Shared is a note if another unit applies the file, for which the command would be wrong; otherwise "".
	Shared   string
	Findings []finding.Finding
	// judgements are what the findings come from, the most severe first.
	judgements []session.Judgment
}

// Values of Cell.When.
const (
	Before = "before"
	After  = "after"
)

// Remark is a message about a place.
type Remark struct {
	Target, Rule, Message, File string
	Line                        int
}

// Transition leads from one target to another.
type Transition struct {
	From, To olm.Target
	// Direction is upgrade, downgrade, reinstallation or change.
	Direction string
	// Via is a release between the two targets, "" for none.
	Via string
	// Extensions are the labels of its extensions.
	Extensions []string
	Steps      []Step
	// Corrections are the corrections of the proposals' statements about this transition.
	Corrections []proposals.Correction
}

// Step is one step of a transition. Steps that change manifests are a separate commit each, applied before the next step
// begins.
type Step struct {
	// Do is the kind of step: upgrade, downgrade, install, field, account, grant, fix, prune, delete or check.
	// The values are part of the JSON output.
	Do string
	// Commit is true if the step changes manifests.
	Commit     bool
	Title, Why string
	// Brief is the part of Why without which the step could be done wrong; "" if there is none. Details is how many of the
	// last commands are needed only if the first ones show a problem.
	Brief    string
	Details  int
	Commands []string
	// Extensions are the labels of the step's extensions; Notes are obstacles for some of them.
	Extensions, Notes []string
	// Effects are what extensions gain or lose in the step.
	Effects []Effect
}

// Breaks returns whether an extension breaks, or a rule failed on it, on the last target of a transition, or on any target if there are no
// transitions. It is false unless the user named the targets.
func (p *Plan) Breaks() bool {
	for _, e := range p.Extensions {
		for _, c := range e.Cells {
			if (c.Status == Breaks || c.failed) && p.isGoal(c.Target) {
				return true
			}
		}
	}
	return false
}

func (p *Plan) isGoal(t olm.Target) bool {
	if !p.Named {
		return false
	}
	if len(p.Transitions) == 0 {
		return true
	}
	for _, transition := range p.Transitions {
		if transition.To.Name == t.Name {
			return true
		}
	}
	return false
}

// Count returns how many cells have a status.
func (p *Plan) Count(status Status) int {
	n := 0
	for _, e := range p.Extensions {
		for _, c := range e.Cells {
			if c.Status == status {
				n++
			}
		}
	}
	return n
}

// AddCatalog adds what OLM installs from catalogs for the extension at a place, in a unit: installs returns it for a target, and the best status
// that the extension has with it. The text is "" if there is nothing to say.
func (p *Plan) AddCatalog(place Remark, unit *objects.Unit, installs func(olm.Target) (text string, best Status)) {
	for i := range p.Extensions {
		e := &p.Extensions[i]
		if e.File == place.File && e.Line == place.Line && e.unit == unit {
			p.Catalogs = append(p.Catalogs, e.addCatalog(place, installs)...)
		}
	}
}

// addCatalog returns the remarks of [Plan.AddCatalog], one for the targets of each text.
func (e *Extension) addCatalog(place Remark, installs func(olm.Target) (string, Status)) []Remark {
	var texts []string
	names := map[string][]string{}
	for j := range e.Cells {
		c := &e.Cells[j]
		text, best := installs(c.Target)
		if text == "" || c.Status == NotJudged {
			continue
		}
		if c.Status == Works && best != Works || c.Status == Warns && best == Breaks {
			c.Status, c.Reason, c.Rule = best, text, ""
		}
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], c.Target.Name)
	}
	var remarks []Remark
	for _, text := range texts {
		remark := place
		remark.Message = text
		if len(texts) > 1 {
			remark.Message = "on " + strings.Join(names[text], ", ") + ": " + text
		}
		remarks = append(remarks, remark)
	}
	return remarks
}
