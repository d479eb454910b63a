package change

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// Complete reports whether both states are known as a whole, and differ in anything that could be compared.
func (r *Report) Complete() bool { return len(r.NotRead) == 0 && !r.Nothing }

func (r *Report) coverage() finding.Coverage { return finding.Known(r.Complete()) }

// Differs reports whether anything differs between the states, whatever git says about the files: it can be told to ignore changes.
func (r *Report) Differs() bool {
	return len(r.Gained)+len(r.Lost)+len(r.Appeared)+len(r.Vanished)+len(r.Policies)+len(r.Extensions)+len(r.Objects) > 0
}

// nothing returns why nothing was compared.
func (r *Report) nothing() string {
	return fmt.Sprintf("Nothing was compared: the checked-out commit has nothing that %s lacks, and nothing is uncommitted", cmp.Or(r.Revision, defaultBranch))
}

// Headline is the result in one sentence.
func (r *Report) Headline() string {
	nothingNew := r.coverage().Assure(nothingNew)
	if r.Complete() && r.leavesOut(OffByDefault, InScripts) {
		nothingNew += " in what was compared"
	}
	unread := ""
	if n := r.NewlyUnread(); n > 0 {
		unread = "; " + UnreadText(n)
	}
	n, others := len(r.Gained), r.graveObjects()
	switch {
	case r.Nothing:
		return r.nothing()
	case n == 0 && len(others) == 1 && r.weakened(nil) == "":
		return fmt.Sprintf("%s, but %s", nothingNew, others[0].Sentence()) + unread
	case n == 0 && r.weakened(others) != "":
		return fmt.Sprintf("%s, but %s", nothingNew, r.weakened(others)) + unread
	case n == 0:
		return nothingNew + unread
	}
	first := r.Gained[0].Title()
	switch {
	case len(others) > 0 && others[0].Severity > r.Gained[0].Severity:
		return upper(others[0].Sentence()) + "; and " + words.CountOf(n, "way to new power", "ways to new power") + unread
	case n == 1:
		return first + unread
	}
	return fmt.Sprintf("%d ways to new power: %s; and %d more", n, first, n-1) + unread
}

// NewlyUnread counts what decides and cannot be read since the change.
func (r *Report) NewlyUnread() (n int) {
	for _, u := range r.NotRead {
		if u.Unread() {
			n++
		}
	}
	return n
}

// UnreadText says how many places cannot be read since the change.
func UnreadText(n int) string {
	return words.CountOf(n, "place cannot be read since this change", "places cannot be read since this change") + ", so new power there is unknown"
}

// nothingNew says that no identity gains permissions: see NotCompared for what else can give power.
const nothingNew = "No new RBAC permissions"

// What can give power, is in no comparison, and shows in the file that holds it.
const (
	OfPods        = "images, commands, and volumes of pods"
	OfConfigMaps  = "the contents of ConfigMaps and Secrets, except aws-auth, argocd-cm, and token Secrets"
	OfControllers = "what other custom resources let their controllers do"
	Definitions   = "definitions of kinds and API services"
	OfProjects    = "the roles of AppProjects, and what their limits let Applications apply later"
	InTests       = "permissions in data of tests, which no deployment applies"
	OffByDefault  = "templates of charts, or lines of them, of which nothing is rendered with the values of the repository"
	InScripts     = "manifests in scripts, Terraform, and files that are not YAML or JSON"
)

// Uncompared is what the changed files hold of it.
type Uncompared struct {
	What  string
	Files []string
}

// AddUncompared adds a changed file that holds something that is not compared. Files are added one after the other.
func (r *Report) AddUncompared(what, file string) {
	i := slices.IndexFunc(r.Uncompared, func(u Uncompared) bool { return u.What == what })
	if i < 0 {
		i, r.Uncompared = len(r.Uncompared), append(r.Uncompared, Uncompared{What: what})
	}
	if files := r.Uncompared[i].Files; len(files) == 0 || files[len(files)-1] != file {
		r.Uncompared[i].Files = append(files, file)
	}
}

// leavesOut reports whether changed files hold something of one of some kinds that is in no comparison.
func (r *Report) leavesOut(kinds ...string) bool {
	return slices.ContainsFunc(r.Uncompared, func(u Uncompared) bool { return slices.Contains(kinds, u.What) })
}

// NotCompared lists what can give power and is in no comparison.
func NotCompared() []string {
	return []string{
		OfPods, "pods and tokens of accounts for which who-can finds no way to cluster-admin", "pods without a namespace, or with an account that is filled in later", "flags of API servers, except the authorization mode",
		OfConfigMaps, OfControllers, Definitions, OfProjects, OffByDefault, InScripts, InTests, "uncommitted changes in submodules",
	}
}

// otherClusters counts the moved units that can be of another cluster than before.
func (r *Report) otherClusters() int {
	moved := 0
	for _, m := range r.Moved {
		if m.Severity >= finding.Warning {
			moved++
		}
	}
	return moved
}

// graveObjects returns the objects that are worth a warning, the gravest first.
func (r *Report) graveObjects() []ObjectChange {
	return slices.DeleteFunc(slices.Clone(r.Objects), func(o ObjectChange) bool { return o.Severity < finding.Warning })
}

// weakened counts the policies, extensions, and objects that are worth a warning.
func (r *Report) weakened(others []ObjectChange) string {
	policies, extensions := 0, 0
	for _, p := range r.Policies {
		if p.Severity >= finding.Warning {
			policies++
		}
	}
	for _, e := range r.Extensions {
		if e.Severity >= finding.Warning {
			extensions++
		}
	}
	var parts []string
	if policies > 0 {
		parts = append(parts, words.Count(policies, "weaker admission policy"))
	}
	if extensions > 0 {
		parts = append(parts, words.CountOf(extensions, "extension with OLM's own account", "extensions with OLM's own account"))
	}
	if moved := r.otherClusters(); moved > 0 {
		parts = append(parts, words.Count(moved, "renamed deployment unit"))
	}
	if len(others) > 0 {
		parts = append(parts, words.CountOf(len(others), "other object that gives power", "other objects that give power"))
	}
	return some(parts)
}
