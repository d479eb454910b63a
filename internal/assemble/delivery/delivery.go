package delivery

import (
	"fmt"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// Delivery is how the units of a repository get to their clusters. It may be asked from several goroutines; a nil one knows
// of no application.
type Delivery struct {
	units  []*objects.Unit
	of     func(*objects.Unit) []*gitops.Application
	result *gitops.Result
	// delivered are the units that applications apply, and applied the same by application.
	delivered []*objects.Unit
	applied   func() map[*objects.Object][]appliedUnit
	// named are the places in delivered of units that hold an account or a role of a name, or a binding of a subject of it.
	named func() map[string][]int
}

// appliedUnit is a unit that an application applies.
type appliedUnit struct {
	unit        *objects.Unit
	application *gitops.Application
}

// New takes the units of a repository, what the objects of Argo CD and Flux say, and which of these applications apply a
// unit.
func New(units []*objects.Unit, result *gitops.Result, of func(*objects.Unit) []*gitops.Application) *Delivery {
	d := &Delivery{units: units, of: of, result: result}
	for _, unit := range units {
		if len(of(unit)) > 0 {
			d.delivered = append(d.delivered, unit)
		}
	}
	d.applied, d.named = sync.OnceValue(d.byObject), sync.OnceValue(d.byName)
	return d
}

// byObject files what is applied under the objects that say so, in the order of the units.
func (d *Delivery) byObject() map[*objects.Object][]appliedUnit {
	applied := map[*objects.Object][]appliedUnit{}
	for _, unit := range d.delivered {
		for _, a := range d.of(unit) {
			applied[a.Object] = append(applied[a.Object], appliedUnit{unit, a})
		}
	}
	return applied
}

// appliers lists the applications that apply a unit, as far as the repository says.
func (d *Delivery) appliers(u *objects.Unit) []*gitops.Application {
	if d == nil {
		return nil
	}
	return d.of(u)
}

// order compares a grant with an extension; that takes no knowledge of the repository where one application applies both.
func (d *Delivery) order(grant, extension gitops.Member) gitops.Ordering {
	if d == nil {
		return new(gitops.Result).Order(grant, extension)
	}
	return d.result.Order(grant, extension)
}

// ownCluster are the ways to write the cluster that Argo CD itself runs in.
var ownCluster = []string{"", "in-cluster", "https://kubernetes.default.svc"}

// sameCluster tells whether two applications go to one cluster, as far as their manifests say.
func sameCluster(a, b *gitops.Application) bool {
	own := slices.Contains(ownCluster, a.Cluster.Value)
	return a.Cluster.Value == b.Cluster.Value || own && slices.Contains(ownCluster, b.Cluster.Value)
}

// texts are the annotations or labels of an object. A value that is no text is taken for one: what the API server refuses
// is said elsewhere.
func texts(o *objects.Object, field string) map[string]string {
	metadata, _ := o.JSON()["metadata"].(map[string]any)
	fields, _ := metadata[field].(map[string]any)
	values := make(map[string]string, len(fields))
	for key, value := range fields {
		switch value.(type) {
		case string, bool, int64, float64:
			values[key] = fmt.Sprint(value)
		}
	}
	return values
}

func annotations(o *objects.Object) map[string]string { return texts(o, "annotations") }
