package graph

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/output/picture"
)

// PodKinds returns the kinds of objects with pods, to read them.
func PodKinds() map[string][]string {
	kinds := map[string][]string{}
	for _, kind := range objects.Workloads() {
		kinds[kind.Kind] = nil
	}
	return kinds
}

// HasPods returns whether a graph with pods starts at an object.
func HasPods(o *objects.Object) bool { return StartsAt(o) || len(objects.PodSpecs(o)) > 0 }

// pods draws the own objects with pods, and the accounts as which these run.
func (b *builder) pods() {
	for _, part := range b.unit.Parts() {
		for _, o := range part.Objects {
			if !b.own[o.Ref()] {
				continue
			}
			for _, ref := range o.References() {
				if ref.What == objects.PodAccount || ref.What == objects.PodDefault {
					b.runsAs(o, ref.Account)
				}
			}
		}
	}
}

func (b *builder) runsAs(o *objects.Object, account objects.Account) {
	id := b.add("pods "+o.Ref(), picture.Node{
		Kind: picture.Pod, Object: o.Kind, Namespace: o.Namespace, Name: o.Name, Position: o.Position(nil),
	})
	b.edge(picture.Edge{From: id, To: b.subject(rbac.Account(account)), Kind: picture.RunsAs})
}
