package fixers

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// index prepares the look-ups by file.
func (c *Context) index() {
	c.byFile, c.listed, c.files = map[string][]*objects.Unit{}, map[string][]listing{}, map[string]*manifest.File{}
	c.forms, c.builtFrom = map[string]map[string][]unitObject{}, map[string][]*objects.Unit{}
	seen := map[*objects.Kustomization]bool{}
	for _, unit := range c.Units {
		for _, object := range unit.Objects {
			c.addForm(unitObject{unit, object})
		}
		files := map[string]bool{}
		for _, object := range slices.Concat(unit.Objects, unit.Sources) {
			if !files[object.File] {
				files[object.File] = true
				c.byFile[object.File] = append(c.byFile[object.File], unit)
				if object.InFile() {
					c.files[object.File] = object.Doc.File
				}
			}
		}
		for _, k := range unit.Kustomizations {
			c.builtFrom[k.Path] = append(c.builtFrom[k.Path], unit)
			if !seen[k] {
				seen[k] = true
				c.addKustomization(k)
			}
		}
	}
}

func (c *Context) addKustomization(k *objects.Kustomization) {
	c.allKustomizations = append(c.allKustomizations, k)
	c.files[k.Path] = k.Doc.File
	for _, entry := range k.Resources {
		c.listed[entry.Target] = append(c.listed[entry.Target], listing{k, entry})
	}
}

// unitsOf lists the units in which the objects of a file are applied.
func (c *Context) unitsOf(file string) []*objects.Unit {
	c.indexed.Do(c.index)
	return c.byFile[file]
}

// kustomizations lists every kustomization of the repository once.
func (c *Context) kustomizations() []*objects.Kustomization {
	c.indexed.Do(c.index)
	return c.allKustomizations
}

// unitsWith lists the units in which an object is applied.
func (c *Context) unitsWith(o *objects.Object) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range c.unitsOf(o.File) {
		if unit.Object(o.Ref()) != nil {
			units = append(units, unit)
		}
	}
	return units
}

// file gives a file as the units were read from it; others are read now. It is nil when there is none.
func (c *Context) file(path string) (*manifest.File, error) {
	c.indexed.Do(c.index)
	if file := c.files[path]; file != nil {
		return file, nil
	}
	data, err := c.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file := manifest.Scan(path, data)
	c.files[path] = file
	return file, nil
}

// unitThatHas is the unit whose object this is.
func (c *Context) unitThatHas(o *objects.Object) *objects.Unit {
	for _, unit := range c.unitsOf(o.File) {
		for _, other := range unit.Objects {
			if other == o {
				return unit
			}
		}
	}
	return nil
}
