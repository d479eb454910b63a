package source

import (
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// fieldChain is a condition with the same value wherever the dot is the same: a value that no function computes.
var fieldChain = lazyregexp.New(`^\$?(?:\.[A-Za-z_]\w*)+$`)

// Complements returns the texts of the blocks `if not X` and `if X` in a span that are not rendered together with a byte, because it is in a block of the
// opposite condition. Only ifs are around these blocks, so their conditions have the same dot.
func (f *File) Complements(offset int, within manifest.Span) []manifest.Span {
	holds := map[string]bool{}
	for at := f.innermost(offset); at.block != nil && !at.block.Defines(); at = at.block.outer {
		if chain, negated, ok := f.condition(at.block); ok && at.arm == 0 {
			holds[chain] = !negated
		}
	}
	if len(holds) == 0 {
		return nil
	}
	var spans []manifest.Span
	for _, block := range f.Blocks {
		if block.Span.Start < within.Start || block.Span.End > within.End {
			continue
		}
		chain, negated, ok := f.condition(block)
		if value, known := holds[chain]; ok && known && value == negated {
			spans = append(spans, manifest.Span{Start: f.Tokens[block.Arms[0].Open].Span.End, End: f.Tokens[block.Arms[0].Next].Span.Start})
		}
	}
	return spans
}

// condition returns what an if is about, and whether it is negated. ok is false for another block or condition, and inside of a block that changes the
// dot.
func (f *File) condition(block *Block) (chain string, negated, ok bool) {
	for at := block.outer; at.block != nil && !at.block.Defines(); at = at.block.outer {
		if at.block.Word != "if" {
			return "", false, false
		}
	}
	if block.Word != "if" {
		return "", false, false
	}
	chain = strings.TrimSpace(strings.TrimPrefix(Inner(f.Slice(f.Tokens[block.Arms[0].Open].Span)), "if"))
	if rest, is := strings.CutPrefix(chain, "not "); is {
		chain, negated = strings.TrimSpace(rest), true
	}
	return chain, negated, fieldChain().MatchString(chain)
}
