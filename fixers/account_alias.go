package fixers

import (
	"slices"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/repo"
)

const (
	podAccountField = "serviceAccountName"
	accountAlias    = "serviceAccount"
)

// renameAccountAlias gives the deprecated field of a pod the name that took its place, or drops it where it says nothing.
// The pod runs as whom it did.
func renameAccountAlias(c *Context, r Request) (*Plan, error) {
	pod, err := c.aliasedPod(r)
	if err != nil {
		return nil, err
	}
	p := &Plan{Object: r.Object}
	name, alias := pod.Node.Get(podAccountField), pod.Node.Get(accountAlias)
	path := r.Object.At(pod.Path)
	drop := Change{Op: RemoveValue, Path: path.Join(accountAlias), Order: repo.OrderOther}
	switch {
	case alias.String() == "":
		p.Description = "Remove serviceAccount, which names nobody"
		p.change(r.Object, drop)
	case name.String() == alias.String():
		p.Description = "Remove serviceAccount, which says what serviceAccountName says"
		p.change(r.Object, drop)
	case name == nil:
		p.Description = "Rename serviceAccount to serviceAccountName"
		p.change(r.Object, Change{Op: RenameField, Path: drop.Path, Value: podAccountField, Order: repo.OrderOther})
	case name.String() == "":
		p.Description = "Move the name from serviceAccount to serviceAccountName"
		p.change(r.Object, Change{Op: SetText, Path: path.Join(podAccountField), Value: alias.String(), Order: repo.OrderOther})
		p.change(r.Object, drop)
	default:
		return nil, refuse("serviceAccount is %q and serviceAccountName %q, and which of them is meant cannot be told: "+
			"keep the one that is right, as serviceAccountName", alias.String(), name.String())
	}
	c.mirror(p)
	return p, nil
}

// dropAccountAlias removes the deprecated field where it contradicts serviceAccountName. The API server never looked at it.
// Whether the other name is what was meant, nobody can tell, so the fix is unsafe.
func dropAccountAlias(c *Context, r Request) (*Plan, error) {
	pod, err := c.aliasedPod(r)
	if err != nil {
		return nil, err
	}
	name := pod.Node.Get(podAccountField).String()
	if name == "" {
		return nil, refuse("serviceAccountName is not set, so the pod runs as what serviceAccount says")
	}
	p := &Plan{Object: r.Object, Description: "Remove serviceAccount: the pod runs as " + name + ", as serviceAccountName says"}
	p.remove(r.Object, pod.Path.Join(accountAlias), repo.OrderOther)
	c.mirror(p)
	return p, nil
}

// aliasedPod finds the pod whose field serviceAccount a request points at.
func (c *Context) aliasedPod(r Request) (inventory.PodSpec, error) {
	pod, err := c.podOf(r, func(rest manifest.Path) bool { return slices.Equal(rest, manifest.Path{accountAlias}) })
	if err != nil {
		return pod, err
	}
	if _, there := pod.Alias(); !there {
		return pod, refuse("the pod has no field serviceAccount")
	}
	return pod, nil
}

// podOf finds the pod that a request points into, and refuses what cannot be edited where it stands. Fits tells of the
// path inside the pod whether the fix is for it.
func (c *Context) podOf(r Request, fits func(manifest.Path) bool) (inventory.PodSpec, error) {
	for _, pod := range inventory.PodSpecs(r.Object, c.PodSpecs...) {
		n := len(pod.Path)
		if len(r.Path) <= n || !slices.Equal(r.Path[:n], pod.Path) || !fits(r.Path[n:]) {
			continue
		}
		if len(c.unitsWith(r.Object)) == 0 {
			return pod, refuse("%s is in nothing that is applied as it stands, such as a chart's template: change it by hand", r.Object.File)
		}
		return pod, c.checkEditable(r.Object)
	}
	return inventory.PodSpec{}, refuse("%s of %s is no such field of a pod", r.Path, identityOf(r.Object))
}
