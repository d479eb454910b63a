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
	refused := map[string]bool{}
	for _, a := range then.Result.Applications {
		refused[keyOf(a)] = then.Result.RefusedBy(a) != nil
	}
	for _, a := range now.Result.Applications {
		if !refused[keyOf(a)] || now.Result.RefusedBy(a) != nil {
			continue
		}
		at := a.Project.Location.Position()
		if !selects(at.File) {
			continue
		}
		name := strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/")
		r.NotRead.AddContent(at, "Application "+name+" was not allowed by its project and is now: what it applies counted as applied before, and was not compared")
	}
}

// keyOf identifies an application in both states.
func keyOf(a *gitops.Application) string {
	return a.Object.File + "\n" + a.Namespace.Value + "/" + a.Name.Value
}
