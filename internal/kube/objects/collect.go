package objects

import (
	"fmt"
	"strings"
)

// visit is how far the walk through the kustomizations of a unit has come.
type visit int

const (
	open visit = iota + 1 // on the way from the root to where the walk is
	done
)

// collector walks through what the root of a unit reaches.
type collector struct {
	*Assembly
	unit  *Unit
	files map[string]bool
	state map[*Kustomization]visit
}

func (c *collector) visit(k *Kustomization) {
	c.state[k] = open
	c.unit.Kustomizations = append(c.unit.Kustomizations, k)
	c.unit.Transforms = append(c.unit.Transforms, k.Transforms...)
	c.unit.Problems = append(c.unit.Problems, k.Problems...)
	c.unit.Problems = append(c.unit.Problems, c.surplus[k.Dir]...)
	c.unit.NonObjectInputs = append(c.unit.NonObjectInputs, k.NonObjectInputs...)
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

// follow adds what an entry leads to: a folder with a kustomization, a file, or nothing that is in the repository.
func (c *collector) follow(entry Entry) {
	if child := c.byDir[entry.Target]; child != nil {
		switch c.state[child] {
		case open:
			c.problem(entry, "leads back to a kustomization that lists it: kustomize refuses such a circle")
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
	case c.tree.folders[entry.Target]:
		c.problem(entry, "is a folder without a kustomization that could be read")
	case entry.Remote():
		c.unit.Remotes = append(c.unit.Remotes, entry)
	case outside(entry.Target):
		c.problem(entry, "lies outside the repository and was not looked at")
	case c.tree.complete:
		c.problem(entry, "is not among the files that were read: it is missing, excluded or ignored")
	}
}

func (c *collector) isFile(target string) bool {
	return c.tree.files[target] || len(c.byFile[target]) > 0
}

func (c *collector) addFile(entry Entry) {
	if IsKustomizationFile(entry.Target) && len(c.objectsOf(entry.Target)) == 0 {
		c.problem(entry, "is a kustomization file: list its folder instead")
		return
	}
	c.files[entry.Target] = true
	c.applied[entry.Target] = true
}

func (c *collector) problem(entry Entry, what string) {
	message := fmt.Sprintf("%s: %q %s", entry.Field, entry.Value, what)
	c.unit.Problems = append(c.unit.Problems, Problem{entry.Position, message})
}

// outside tells whether a target lies outside the repository.
func outside(target string) bool {
	return target == ".." || strings.HasPrefix(target, "../") || strings.HasPrefix(target, "/")
}
