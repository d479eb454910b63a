package fixers

import (
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/render"
)

type chartObject interface {
	Template() (render.Template, error)
	Templates() ([]render.Template, error)
}

func (c *Context) renderings(u *inventory.Unit) []*rendering { return nil }
func (c *Context) renderingOf(u *inventory.Unit, o *inventory.Object) (*rendering, render.Template, error) {
	return nil, render.Template{}, nil
}
func (r *rendering) of(o *inventory.Object) (*rendering, render.Template, error) {
	return nil, render.Template{}, nil
}
