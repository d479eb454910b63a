package engine

import (
	"reflect"

	"github.com/salint/salint/internal/assemble/applied"
)

// Context is what fixers work with. It is used by one goroutine.
type Context struct {
	Repo    *applied.Repository
	Policy  Policy
	Lookups Lookups
	// Scope limits the units whose applied objects can change; nil limits nothing.
	Scope *Scope

	memos map[reflect.Type]any
}

// Memo returns the value of type T that a family keeps for a run, and makes it on first use. Each family uses types of its
// package, so no two share a value.
func Memo[T any](c *Context, make func(*Context) T) T {
	key := reflect.TypeFor[T]()
	if known, ok := c.memos[key]; ok {
		return known.(T)
	}
	if c.memos == nil {
		c.memos = map[reflect.Type]any{}
	}
	made := make(c)
	c.memos[key] = made
	return made
}
