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
		if c.Lookups.Unrenderable == nil {
			break
		}
		if place, why := c.Lookups.Unrenderable(file); place != "" {
			return fmt.Sprintf("%s may also be applied in a form that is not known here (%s: %s), so what becomes of a change to it "+
				"cannot be proven. Change it by hand, and look at what that application makes of it", file, place, why)
		}
	}
	for _, d := range p.Documents {
		if c.Lookups.Excluded == nil {
			break
		}
		if _, err := c.Repo.Read(d.File); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if place, why := c.Lookups.Excluded(d.File); place != "" {
			return fmt.Sprintf("it takes the new file %s, which %s leaves out: %s. Let that line leave it in, or write the objects "+
				"by hand into a file that is not left out", d.File, place, why)
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
	if c.Lookups.WriteProtected == nil {
		return ""
	}
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
