package judging

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// ChangedSetting is a file that differs from the revision Options.Since and decides what counts.
type ChangedSetting struct {
	File string
	// Line is the first line that differs.
	Line int
	Kind SettingKind
}

// SettingKind is what a changed setting decides, and how a run can do without the change.
type SettingKind int

const (
	// SettingOfRevision is a configuration or policy that --config-from reads from a revision.
	SettingOfRevision SettingKind = iota
	// SettingOfFlag is a configuration or policy of a run with --config, which cannot be used together with --config-from.
	SettingOfFlag
	// SettingIgnore is a .gitignore or .helmignore.
	SettingIgnore
	// SettingBaseline is the baseline.
	SettingBaseline
)

// settingsChanged returns the notes that settings differ from the base revision, one for each kind of them. They are added after
// everything that silences findings, because the settings themselves are what they are about.
func (r *Report) settingsChanged() []finding.Finding {
	byKind := map[SettingKind][]ChangedSetting{}
	for _, s := range r.options.Revision.ChangedSettings {
		byKind[s.Kind] = append(byKind[s.Kind], s)
	}
	var notes []finding.Finding
	for kind := SettingOfRevision; kind <= SettingBaseline; kind++ {
		if changed := byKind[kind]; len(changed) > 0 {
			notes = append(notes, r.settingsNote(kind, changed))
		}
	}
	return notes
}

// settingsNote returns the note about the changed settings of one kind.
func (r *Report) settingsNote(kind SettingKind, changed []ChangedSetting) finding.Finding {
	first := changed[0]
	differs := first.File + " differs"
	if more := len(changed) - 1; more > 0 {
		differs = fmt.Sprintf("%s, with %d more, differs", first.File, more)
	}
	differs += " from " + r.options.Revision.Since
	f := finding.AboutFile(finding.RuleSettings, first.File, finding.Range{Line: first.Line, Column: 1}, differs+r.effectOfSettings(kind))
	if parts := r.partedUnits(kind); parts != "" {
		f.Severity, f.Message = finding.Warning, f.Message+parts
	}
	for _, other := range changed[1:] {
		f.Related = append(f.Related, finding.Related{File: other.File, Line: other.Line, Message: "this file differs, too"})
	}
	return f
}

// partedUnits says which units the changed settings put on different clusters, so that names of one no longer resolve in the other; "" if there are none.
func (r *Report) partedUnits(kind SettingKind) string {
	then := r.options.Revision.ClustersThen
	if then == nil || kind != SettingOfRevision || maps.EqualFunc(then(), r.options.Config.Clusters, slices.Equal) {
		return ""
	}
	a, b, parted := r.snapshot.PartedBy(then())
	if !parted {
		return ""
	}
	return fmt.Sprintf(" `clusters:` puts %s and %s on different clusters, which was not certain before: bindings of the one no longer count for roles and accounts of the other.", a, b)
}

// effectOfSettings returns what changed settings of a kind decide, and what to do. Only what --config-from replaces can be taken from
// a revision, and only once.
func (r *Report) effectOfSettings(kind SettingKind) string {
	switch {
	case kind == SettingIgnore:
		return " and decides which files count in this report. Review the change" + r.notFromRevision() + "."
	case kind == SettingBaseline:
		return " and decides which findings count in this report. Review the change" + r.notFromRevision() + "."
	case kind == SettingOfFlag:
		return " and decides which files and rules count in this report. Review the change."
	case r.options.Revision.ConfigFrom == "":
		return fmt.Sprintf(" and decides which files and rules count in this report. Review the change, or run with --config-from %s.", r.options.Revision.Since)
	case r.options.Revision.ConfigFrom == r.options.Revision.Since:
		return ", from which the configuration was taken: the change does not count in this report. Review it before the merge."
	}
	return fmt.Sprintf(". The configuration was taken from %s instead. Review the change before the merge.", r.options.Revision.ConfigFrom)
}

// notFromRevision adds that a file is not among those that --config-from replaces, to a run with that flag.
func (r *Report) notFromRevision() string {
	if r.options.Revision.ConfigFrom == "" {
		return ""
	}
	return ", which --config-from does not cover"
}
