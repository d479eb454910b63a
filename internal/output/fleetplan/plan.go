package fleetplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/fleet"
)

// Wave is when an extension can move.
type Wave string

// The waves, in their order.
const (
	Now           Wave = "now"
	ClusterFirst  Wave = "cluster first"
	TargetUnknown Wave = "target unknown"
	Done          Wave = "done"
)

// Waves returns all waves in their order.
func Waves() []Wave { return []Wave{Now, ClusterFirst, TargetUnknown, Done} }

// titles are the headings of the waves, and what to do.
var titles = map[Wave]string{
	Now:           "Can move now: the release no longer needs the account",
	ClusterFirst:  "Cluster first: the release requires the account, so it is removed after the upgrade",
	TargetUnknown: "Target unknown: set `target:` in .salint.yaml, or lint with --target",
	Done:          "Done: no account is named",
}

// Plan is a plan for a fleet.
type Plan struct {
	Fleet *fleet.Fleet
	// Entries are sorted by wave, repository, and place.
	Entries []Entry
	// Ways are sorted by repository.
	Ways []Way
	// WithoutChains are the repositories whose reports do not list chains, so that only what findings show is known.
	WithoutChains []string
	// leftOut are those of them whose reports can lack findings.
	leftOut []string
}

// Entry is an extension of a repository.
type Entry struct {
	Wave       Wave
	Repository string
	fleet.Extension
	// Reason is what is particular about it; "" for nothing.
	Reason string
}

// Way is one way to cluster-admin.
type Way struct {
	Repository string
	// Kind is grant, chain, rule, or possible.
	Kind, Subject, File string
	Line                int
	// Rule is the one that reports it; "" for a chain, and for what is only possible.
	Rule  string
	Steps []string
}

// Of returns the plan for a fleet.
func Of(f *fleet.Fleet) *Plan {
	p := &Plan{Fleet: f}
	for _, r := range f.Repositories {
		for _, e := range r.Extensions {
			wave, reason := waveOf(e, r.Untold())
			p.Entries = append(p.Entries, Entry{wave, r.Name, e, reason})
		}
		if r.Chains == nil {
			p.WithoutChains = append(p.WithoutChains, r.Name)
			if r.Untold() != "" {
				p.leftOut = add(p.leftOut, r.Name)
			}
		}
		p.addWays(r)
	}
	for _, possible := range f.Possible() {
		if possible.Admin() {
			kind := "possible"
			if len(possible.Clusters) > 0 {
				kind = "grant"
			}
			p.Ways = append(p.Ways, Way{
				Repository: possible.Repository, Kind: kind, Subject: possible.Binding.Subject.String(), File: possible.Binding.File, Line: possible.Binding.Line,
				Steps: []string{possible.String()},
			})
		}
	}
	slices.Sort(p.WithoutChains)
	p.WithoutChains = slices.Compact(p.WithoutChains)
	slices.SortStableFunc(p.Entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(slices.Index(Waves(), a.Wave), slices.Index(Waves(), b.Wave)), strings.Compare(a.Repository, b.Repository),
			strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name), strings.Compare(a.Target, b.Target))
	})
	slices.SortStableFunc(p.Ways, Way.compare)
	p.Ways = slices.CompactFunc(p.Ways, func(a, b Way) bool { return a.compare(b) == 0 }) // reports for several targets repeat them
	return p
}

// compare orders ways by all that a reader sees, apart from the rule: the one that reports a grant can depend on the target.
func (w Way) compare(o Way) int {
	return cmp.Or(strings.Compare(w.Repository, o.Repository), strings.Compare(w.Subject, o.Subject), strings.Compare(w.File, o.File), cmp.Compare(w.Line, o.Line),
		strings.Compare(w.Kind, o.Kind), slices.Compare(w.Steps, o.Steps))
}

// states are those of an account that is set, of whatever form.
var states = []string{string(olm.Named), string(olm.Empty), string(olm.EmptyName), string(olm.Templated), string(olm.Malformed), string(olm.Hidden)}

// waveOf returns when an extension can move, and what is particular about it; untold is why the report can lack its finding.
func waveOf(e fleet.Extension, untold string) (wave Wave, reason string) {
	named := !slices.Contains([]string{string(olm.Absent), string(olm.Null)}, e.Account)
	model := olm.Model(e.Model)
	switch {
	case e.Account == "":
		return TargetUnknown, "not known: the report does not say whether an account is named"
	case named && !slices.Contains(states, e.Account):
		return TargetUnknown, fmt.Sprintf("not known: the report has the account state %q, which this version does not know", e.Account)
	case model != olm.Required && model != olm.Synthetic && model != olm.Ignored && model != olm.Removed:
		return TargetUnknown, ""
	case model == olm.Required && !named:
		return ClusterFirst, "breaks today: the release requires an account, and none is named"
	case model == olm.Required:
		return ClusterFirst, ""
	case !named:
		return Done, ""
	case e.Account != string(olm.Named):
		return Now, fmt.Sprintf("by hand: the account is %s", e.Account)
	case !e.Deprecated && untold != "":
		return Now, "whether --fix removes it is not known: " + untold
	case e.Deprecated && e.Fix == "":
		return Now, "by hand: salint lint --fix in the repository lists the reason"
	case !e.Deprecated && model == olm.Synthetic:
		return Now, "if the synthetic identity has the permissions of the account"
	case !e.Deprecated:
		return Now, "not reported: the finding is silenced, or its rule is off, so --fix leaves it"
	}
	return Now, ""
}

// addWays adds the ways of a repository: its chains, if the report lists them, and otherwise what its findings show.
func (p *Plan) addWays(r *fleet.Repository) {
	if r.Chains != nil {
		for _, chain := range r.Chains.Identities {
			way := Way{Repository: r.Name, Kind: "chain", Subject: chain.Subject}
			for _, step := range chain.Steps {
				way.Steps = append(way.Steps, strings.Join(append([]string{step.Text}, step.By...), ": "))
			}
			p.Ways = append(p.Ways, way)
		}
		return
	}
	for _, a := range p.Fleet.Admins {
		if a.Repository == r.Name && a.Target == r.Target {
			p.Ways = append(p.Ways, Way{Repository: r.Name, Kind: "grant", Subject: a.Name(), File: a.File, Line: a.Line, Rule: a.Rule, Steps: []string{a.Binding + " grants cluster-admin"}})
		}
	}
	for _, w := range r.Ways {
		p.Ways = append(p.Ways, Way{Repository: r.Name, Kind: "rule", Subject: w.Subject, File: w.File, Line: w.Line, Rule: w.Rule, Steps: []string{w.Message}})
	}
}

// Count returns the number of extensions in a wave.
func (p *Plan) Count(wave Wave) int { return len(p.in(wave)) }

func (p *Plan) in(wave Wave) []Entry {
	return slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Wave != wave })
}

// Repository is what a repository has in all.
type Repository struct {
	Name, State                  string
	Packages, Channels, Accounts []string
	Counts                       map[Wave]int
	// Leftovers is the number of installers that nothing uses.
	Leftovers int
	// Unknown is what can add ways to cluster-admin, if its report lists chains.
	Unknown []string
}

// orphans is the rule that reports what can be removed in a last wave.
const orphans = "olm/installer-orphaned"

// Repositories returns all repositories, sorted by name. One with several reports is one.
func (p *Plan) Repositories() []*Repository {
	known := map[string]*Repository{}
	var all []*Repository
	for _, r := range p.Fleet.Repositories {
		of := known[r.Name]
		if of == nil {
			of = &Repository{Name: r.Name, Counts: map[Wave]int{}}
			known[r.Name], all = of, append(all, of)
		}
		if state := r.State(); of.State == "" || of.State == state {
			of.State = state
		} else {
			of.State += "; " + state
		}
		of.Leftovers += r.CountOf(orphans)
		if r.Chains != nil {
			for _, text := range r.Chains.Unknown {
				of.Unknown = add(of.Unknown, text)
			}
		}
	}
	for _, e := range p.Entries {
		of := known[e.Repository]
		of.Counts[e.Wave]++
		of.Packages = add(of.Packages, e.Package)
		for _, channel := range e.Channels {
			of.Channels = add(of.Channels, e.Package+" "+channel)
		}
		of.Accounts = add(of.Accounts, e.account())
	}
	for _, r := range all {
		slices.Sort(r.Packages)
		slices.Sort(r.Channels)
		slices.Sort(r.Accounts)
	}
	slices.SortFunc(all, func(a, b *Repository) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func add(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// account returns the account with its namespace; "" if none is named.
func (e Entry) account() string {
	if e.ServiceAccount == "" || e.Namespace == "" {
		return e.ServiceAccount
	}
	return e.Namespace + "/" + e.ServiceAccount
}
