package loader

import (
	"sync"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// possibilities are what scopes of unknown clusters possibly have of others.
type possibilities struct {
	once     sync.Once
	meetings *cluster.Meetings
	known    sync.Map // by the scope
}

// Possible returns a scope with the roles of others that its bindings grant and that it does not have, if one cluster gets both, which is unknown; nil
// if there are none.
func (w *Repository) Possible(scope *objects.Unit) *objects.Unit {
	if known, ok := w.possible.known.Load(scope); ok {
		return known.(*objects.Unit)
	}
	var possible *objects.Unit
	if bindings := withoutRole(scope); len(bindings) > 0 && len(w.Scopes()) > 1 {
		if met := w.meetings().With(scope, bindings, nil, cluster.Variants); len(met.Objects) > 0 {
			possible = cluster.Meet(scope, scope.Objects, met)
		}
	}
	w.possible.known.Store(scope, possible)
	return possible
}

func (w *Repository) meetings() *cluster.Meetings {
	w.possible.once.Do(func() {
		scopes := w.Scopes()
		w.possible.meetings = w.Clusters().Relations(scopes).Meetings(scopes)
	})
	return w.possible.meetings
}

// withoutRole returns the bindings whose role the scope does not have.
func withoutRole(scope *objects.Unit) []*objects.Object {
	var found []*objects.Object
	for _, b := range rbac.Bindings(scope) {
		if b.RoleObject != nil || len(b.RoleTie) > 0 || len(found) > 0 && found[len(found)-1] == b.Object {
			continue
		}
		if _, known, _ := rbac.RoleRulesOf(scope, b.Role, b.Object); !known {
			found = append(found, b.Object)
		}
	}
	return found
}
