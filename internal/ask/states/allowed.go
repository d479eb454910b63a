package states

import (
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/assemble/gitops"
)

// addAllowed adds the Applications of Argo CD that their project did not allow before, and allows now: what they apply counts as applied in both states.
func (c *contents) addAllowed(r *change.Report, selects func(file string) bool) {
	then, now := c.before.Applications, c.after.Applications
	if then == nil || now == nil {
		return
	}
	was, refused := map[string]bool{}, map[string]bool{}
	for _, a := range then.Result.Applications {
		isRefused := then.Result.RefusedBy(a) != nil
		was[keyOf(a)] = true
		refused[keyOf(a)] = isRefused
		refused[nameOf(a)] = refused[nameOf(a)] || isRefused
	}
	for _, a := range now.Result.Applications {
		key := keyOf(a)
		if !was[key] { // its file is another one
			key = nameOf(a)
		}
		if at := a.Object.Position(nil); refused[key] && now.Result.RefusedBy(a) == nil && selects(at.File) {
			r.NotRead.AddContent(at, "Application "+nameOf(a)+" was not allowed by its project and is now: what it applies counted as applied before, and was not compared")
		}
	}
}

// keyOf identifies an application in both states.
func keyOf(a *gitops.Application) string { return a.Object.File + "\n" + nameOf(a) }

func nameOf(a *gitops.Application) string {
	return strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/")
}
