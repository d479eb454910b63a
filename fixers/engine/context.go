package engine

import "reflect"

// Context is what fixers work with. It is used by one goroutine.
type Context struct {
	Repo    *Repository
	Policy  Policy
	Lookups Lookups

	memos map[reflect.Type]any
}

// Memo returns what a family keeps for a run. It is made when the family first asks for it; the families keep values of
// types of their own, so that none gets the value of another.
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
