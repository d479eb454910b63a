package assembly

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// visit is the state of a kustomization in the walk through a unit.
type visit int

const (
	open visit = iota + 1 // on the path from the root to the current kustomization
	done
)

// collector walks through the kustomizations and files that the root of a unit reaches.
type collector struct {
	*Builder
	unit  *objects.Unit
	files map[string]bool
	state map[*objects.Kustomization]visit
}

func (c *collector) visit(k *objects.Kustomization) {
	c.state[k] = open
	c.unit.Kustomizations = append(c.unit.Kustomizations, k)
	c.unit.Transforms = append(c.unit.Transforms, k.Transforms...)
	c.unit.Problems = append(c.unit.Problems, k.Problems...)
	c.unit.Problems = append(c.unit.Problems, c.ignored[k.Dir]...)
	c.unit.NonObjectInputs = append(c.unit.NonObjectInputs, k.NonObjectInputs...)
	c.unit.Renderings = append(c.unit.Renderings, k.Renderings...)
	c.unit.LeftOut = append(c.unit.LeftOut, k.LeftOut...)
	for _, claim := range k.NonObjectInputs {
		if !claim.Content() {
			c.claimed[claim.File] = true
		}
	}
	for _, entry := range k.Resources {
		c.follow(entry)
	}
	c.state[k] = done
}

// follow adds the target of an entry: a folder with a kustomization, a file, or nothing if it is not in the repository.
func (c *collector) follow(entry objects.Entry) {
	if child := c.byDir[entry.Target]; child != nil {
		switch c.state[child] {
		case open:
			c.problem(entry, "leads back to a kustomization that lists it: kustomize refuses such a cycle")
		case 0:
			c.visit(child)
		}
		return
	}
	if c.isFile(entry.Target) {
		c.addFile(entry)
		return
	}
	switch {
	case c.tree.HasFolder(entry.Target):
		c.problem(entry, "is a folder without a readable kustomization")
	case entry.Remote():
		c.unit.Remotes = append(c.unit.Remotes, entry)
	case isOutside(entry.Target):
		c.problem(entry, "is outside the repository and was not checked")
	case c.tree.complete:
		c.problem(entry, "was not read: "+c.whyMissing(entry.Target))
	}
}

func (c *collector) isFile(target string) bool {
	return c.tree.HasFile(target) || len(c.byFile[target]) > 0
}

func (c *collector) addFile(entry objects.Entry) {
	if objects.IsKustomizationFile(entry.Target) && len(c.objectsOf(entry.Target)) == 0 {
		c.problem(entry, "is a kustomization file: list its folder instead")
		return
	}
	c.files[entry.Target] = true
	c.applied[entry.Target] = true
}

func (c *collector) problem(entry objects.Entry, what string) {
	message := fmt.Sprintf("%s: %q %s", entry.Field, entry.Value, what)
	c.unit.LeftOut = append(c.unit.LeftOut, objects.LeftOut{Position: entry.Position, Reason: message, Missing: true})
	c.unit.Problems = append(c.unit.Problems, objects.Problem{Position: entry.Position, Message: message})
}

// isOutside reports whether a target is outside the repository.
func isOutside(target string) bool {
	return target == ".." || strings.HasPrefix(target, "../") || strings.HasPrefix(target, "/")
}
