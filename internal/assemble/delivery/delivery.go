package delivery

import (
	"fmt"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Delivery describes how units are applied to clusters. It is safe for concurrent use; a nil Delivery has no applications.
type Delivery struct {
	units        func() []*objects.Unit
	applications func() Applications
	// orders is the order of what the applications apply.
	orders func() *applying.Order
	// delivered are the units that applications apply; applied are the same by application.
	delivered func() []*objects.Unit
	applied   func() map[*objects.Object][]appliedUnit
	// unitsByName are the indexes in delivered of the units that contain an account or a role of a name, or a binding of a
	// subject of that name.
	unitsByName func() map[string][]int
	// unitsByAccount are all units that contain an account, by its name.
	unitsByAccount func() map[string][]*objects.Unit
	// actings are the applications that are applied as accounts, by the object that names the account.
	actings func() map[*objects.Object][]Acting
	// holders are the units that contain the object of an application.
	holders func() map[*objects.Object][]*objects.Unit
	// clusters groups the units that are on one cluster.
	clusters func() *clusters
	grants   grantIndex
	// rebaseRules are those of kapp.
	rebaseRules func() []rebaseRule
	// written are the units as they are in their files, if they are deferred.
	written []*objects.Unit
	// defaults are the accounts of Flux for applications that name none; may is false if no file shows one.
	defaults struct {
		may func() bool
		of  func() map[gitops.Tool]defaultAccount
	}
}

// appliedUnit is a unit that an application applies.
type appliedUnit struct {
	unit        *objects.Unit
	application *gitops.Application
}

// Applications are what the objects of Argo CD and Flux in units define, and those of them that apply a unit.
type Applications struct {
	Result *gitops.Result
	Of     func(*objects.Unit) []*gitops.Application
}

// New returns the delivery of units. of returns the applications of result that apply a unit.
func New(units []*objects.Unit, result *gitops.Result, of func(*objects.Unit) []*gitops.Application) *Delivery {
	return NewLater(units, func() Applications { return Applications{result, of} })
}

// AsWritten returns the delivery of units of which deferred ones stay as their files are written. Their objects can be those of applications, as a unit
// that has one which applies anything else in the repository is not deferred.
func AsWritten(units []*objects.Unit, result *gitops.Result, of func(*objects.Unit) []*gitops.Application) *Delivery {
	return newDelivery(units, func() []*objects.Unit { return units }, func() Applications { return Applications{result, of} })
}

// NewLater returns the delivery of units, some of which can be deferred. The first question builds them, and asks for the applications of
// all units.
func NewLater(units []*objects.Unit, applications func() Applications) *Delivery {
	return newDelivery(units, sync.OnceValue(func() []*objects.Unit { return objects.AllApplied(units) }), applications)
}

func newDelivery(written []*objects.Unit, units func() []*objects.Unit, applications func() Applications) *Delivery {
	d := &Delivery{applications: sync.OnceValue(applications), written: written, units: units}
	d.orders = sync.OnceValue(func() *applying.Order { return applying.NewOrder(d.result()) })
	d.defaults.may, d.defaults.of = sync.OnceValue(d.mayHaveDefault), sync.OnceValue(d.indexDefaults)
	d.delivered = sync.OnceValue(func() []*objects.Unit {
		return slices.DeleteFunc(slices.Clone(d.units()), func(u *objects.Unit) bool { return len(d.of(u)) == 0 })
	})
	d.applied, d.unitsByName = sync.OnceValue(d.indexByObject), sync.OnceValue(d.indexByName)
	d.unitsByAccount = sync.OnceValue(d.indexByAccount)
	d.actings, d.holders, d.clusters = sync.OnceValue(d.indexActings), sync.OnceValue(d.indexHolders), sync.OnceValue(d.groupByCluster)
	d.rebaseRules = sync.OnceValue(d.findRebaseRules)
	d.grants.byName = sync.OnceValue(d.indexGrants)
	return d
}

func (d *Delivery) result() *gitops.Result { return d.applications().Result }

func (d *Delivery) of(u *objects.Unit) []*gitops.Application { return d.applications().Of(u) }

// indexByObject groups the delivered units by the objects of their applications, in the order of the units.
func (d *Delivery) indexByObject() map[*objects.Object][]appliedUnit {
	applied := map[*objects.Object][]appliedUnit{}
	for _, unit := range d.delivered() {
		for _, a := range d.of(unit) {
			applied[a.Object] = append(applied[a.Object], appliedUnit{unit, a})
		}
	}
	return applied
}

// IsApplied reports whether a known application applies a unit.
func (d *Delivery) IsApplied(u *objects.Unit) bool { return len(d.appliers(u)) > 0 }

// appliers returns the known applications that apply a unit.
func (d *Delivery) appliers(u *objects.Unit) []*gitops.Application {
	if d == nil {
		return nil
	}
	return d.of(u)
}

// order compares a grant with an extension. Within one application this works without a repository.
func (d *Delivery) order(grant, extension applying.Member) applying.Ordering {
	if d == nil {
		return applying.NewOrder(new(gitops.Result)).Of(grant, extension)
	}
	return d.orders().Of(grant, extension)
}

// ownCluster are the spellings of the cluster in which Argo CD runs.
var ownCluster = []string{"", "in-cluster", "https://kubernetes.default.svc"}

// sameCluster reports whether two applications deploy to the same cluster according to their manifests.
func sameCluster(a, b *gitops.Application) bool {
	own := slices.Contains(ownCluster, a.Cluster.Value)
	return a.Cluster.Value == b.Cluster.Value || own && slices.Contains(ownCluster, b.Cluster.Value)
}

// texts returns the annotations or labels of an object. Other scalars are converted to strings; a rule reports that the API
// server rejects them.
func texts(o *objects.Object, field string) map[string]string {
	fields, _ := o.Node.Lookup(manifest.Path{"metadata", field}).Decode().(map[string]any)
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
