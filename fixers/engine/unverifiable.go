package engine

import (
	"errors"
	"fmt"
	"io/fs"
)

// unverifiable returns why the effect of a plan cannot be proven, or why a file that it adds is never applied; "" if neither
// is the case.
func (c *Context) unverifiable(p *Plan) string {
	for _, file := range p.files() {
		if place, why := c.Lookups.Unrenderable(file); place != "" {
			return fmt.Sprintf("%s may also be applied in a form that salint cannot render (%s: %s), so the effect of a "+
				"change cannot be proven: change it by hand, and check what is applied", file, place, why)
		}
	}
	for _, d := range p.Documents {
		place, why := c.Lookups.Excluded(d.File)
		if place == "" {
			continue
		}
		if _, err := c.Repo.Read(d.File); errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprintf("the new file %s would not be applied, because %s excludes it: %s. Change that line so that "+
				"the file is included, or write the objects into an included file by hand", d.File, place, why)
		}
	}
	return ""
}

// files returns the files that a plan changes or adds to.
func (p *Plan) files() []string {
	var files []string
	for _, c := range p.Changes {
		files = append(files, c.File)
	}
	for _, d := range p.Documents {
		files = append(files, d.File)
	}
	for _, t := range p.Texts {
		files = append(files, t.File)
	}
	return files
}

// writeProtected returns why a plan cannot be carried out: it changes a write-protected file; "" if it changes none.
func (c *Context) writeProtected(p *Plan) string {
	for _, change := range p.Changes {
		if why := c.Lookups.WriteProtected(change.File); why != "" {
			return why
		}
	}
	for _, text := range p.Texts {
		if why := c.Lookups.WriteProtected(text.File); why != "" {
			return why
		}
	}
	for _, document := range p.Documents {
		if why := c.Lookups.WriteProtected(document.File); why != "" {
			return why
		}
	}
	return ""
}
