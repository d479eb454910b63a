package fixers

import (
	"slices"

	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

func sameCalls(a, b block.Origin) bool {
	return slices.EqualFunc(a.Calls, b.Calls, func(a, b block.Call) bool { return a.Source.Name == b.Source.Name && a.Span == b.Span })
}

// dotBlocks are the blocks around a place that change what the dot means.
func dotBlocks(s source.Scope) []source.Guard {
	return slices.DeleteFunc(slices.Clone(withoutDefine(s.Guards)), func(g source.Guard) bool { return g.Word == "if" })
}

// sameDots tells whether the dot means the same at two places: in the same blocks, or in others over the same values, such as
// the rules and the extensions of one list.
func sameDots(a, b block.Origin) bool {
	return sameBlocks(dotBlocks(a.Scope), dotBlocks(b.Scope), a.Source.Name == b.Source.Name)
}

// sameBlocks is the same for blocks, which may be in one file.
func sameBlocks(a, b []source.Guard, oneFile bool) bool {
	return slices.EqualFunc(a, b, func(x, y source.Guard) bool {
		if oneFile && x.Span == y.Span {
			return slices.Equal(x.Opening, y.Opening)
		}
		one, plain := pipeline(x)
		other, alsoPlain := pipeline(y)
		return x.Word == y.Word && plain && alsoPlain && one == other
	})
}

// dotIsRoot tells whether the dot is what the chart's templates begin with, and dollarIsRoot the same of $.
func dotIsRoot(o block.Origin) bool { return dollarIsRoot(o) && len(dotBlocks(o.Scope)) == 0 }

func dollarIsRoot(o block.Origin) bool {
	return !slices.ContainsFunc(o.Calls, func(c block.Call) bool {
		return c.Argument != "$" && !(c.Argument == "." && len(dotBlocks(c.Scope)) == 0)
	})
}

// sameTop tells whether $, and the dot outside of all blocks, are the same at two places.
func sameTop(a, b block.Origin) bool {
	return sameCalls(a, b) && a.Scope.Define() == b.Scope.Define() || dollarIsRoot(a) && dollarIsRoot(b)
}
