package change

import (
	"slices"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
)

// readLive returns what is not known to leave a cluster: what an application applied that is suspended now, of which the sources are no longer read, or
// that is applied to another cluster: the tools remove nothing from the former one.
func (c *comparison) readLive() map[matching.Place]bool {
	live := map[matching.Place]bool{}
	before, after := c.before.Repository, c.after.Repository
	if before.Applications == nil || after.Applications == nil {
		return live
	}
	was := map[applicationKey]string{}
	for _, a := range before.Applications.Result.Applications {
		was[applicationKeyOf(a)] = destinationOf(a)
	}
	stays := map[applicationKey]bool{}
	for _, a := range after.Applications.Result.Applications {
		former, isKnown := was[applicationKeyOf(a)]
		isElsewhere := func(s sources.Source) bool { return s.OtherRevision }
		if isKnown && former != destinationOf(a) || a.Suspended.Value || a.InOtherRepository() || slices.ContainsFunc(a.Sources, isElsewhere) {
			stays[applicationKeyOf(a)] = true
		}
	}
	if len(stays) == 0 {
		return live
	}
	for _, u := range before.Units {
		if slices.ContainsFunc(before.Applications.Of(u), func(a *gitops.Application) bool { return stays[applicationKeyOf(a)] }) {
			for _, o := range u.Objects {
				live[matching.PlaceOf(o)] = true
			}
		}
	}
	return live
}

func destinationOf(a *gitops.Application) string {
	if a.OwnCluster() {
		return ""
	}
	to, _ := a.Destination()
	return to
}

// applicationKey identifies an application in the two states.
type applicationKey struct {
	tool                  gitops.Tool
	namespace, name, file string
}

func applicationKeyOf(a *gitops.Application) applicationKey {
	return applicationKey{a.Tool, a.Namespace.Value, a.Name.Value, a.Object.File}
}

// isStillLive reports whether what is lost is not known to leave the cluster.
func (c *comparison) isStillLive(g *gains.Gain) bool {
	return g.Object != nil && c.live()[matching.PlaceOf(g.Object)]
}

// withoutLive removes the subjects of what is not known to leave the cluster.
func (c *comparison) withoutLive(was subjectUnits, before *gains.State) subjectUnits {
	live := c.live()
	isAccount := func(o *objects.Object) bool { return o.Group == "" && o.Kind == "ServiceAccount" }
	for _, e := range before.Entries {
		if !e.Default && live[matching.PlaceOf(e.Object)] {
			delete(was, e.Who)
		}
	}
	for _, o := range before.Unit.Objects {
		if isAccount(o) && live[matching.PlaceOf(o)] {
			delete(was, accountOf(o))
		}
	}
	return was
}
