package pods

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

const automount = "automountServiceAccountToken"

// UnmountToken stops the mount of the account's token into a pod. The fix is unsafe, because a program that uses the token
// would miss it.
func UnmountToken(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	pod, err := podOf(c, r, func(rest manifest.Path) bool { return len(rest) == 1 })
	if err != nil && len(r.Path) > 0 {
		// The finding points at the whole pod if the pod names no account.
		pod, err = podOf(c, engine.Request{Object: r.Object, Path: r.Path.Join(automount)}, func(rest manifest.Path) bool { return len(rest) == 1 })
	}
	if err != nil {
		return nil, err
	}
	if objects.IsStatic(r.Object) {
		return nil, engine.Refuse("%s is a static pod of a kubelet, which gets no token", engine.NameOf(r.Object))
	}
	path := pod.Path.Join(automount)
	if err := c.CheckEditable(r.Object, path); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Set " + automount + " to false: the pod gets no token"}
	change := engine.Change{Op: engine.AddField, Path: r.Object.At(path), Value: false, Order: commit.OrderOther}
	if _, field := pod.Account(); field != "" && r.Object.Source().Node.Lookup(pod.Path.Join(field)) != nil {
		change.After = field
	}
	if _, there := pod.Node.Field(manifest.Path{automount}); there {
		change.Op = engine.ReplaceField
	}
	p.AddChange(r.Object, change)
	c.DeclareBuiltChanges(p)
	return p, nil
}
