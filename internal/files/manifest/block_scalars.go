package manifest

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
)

var blockIndicator = lazyregexp.New(`(?:^|[:-][ \t]+)(?:[!&]\S+[ \t]+)*[|>][-+0-9]*[ \t]*(?:#.*)?$`)

// BlockScalarLines reports which lines of a YAML file are in literal and folded block scalars.
func BlockScalarLines(lines [][]byte) []bool {
	in := make([]bool, len(lines))
	parent, open := 0, false
	for i, line := range lines {
		line = bytes.TrimRight(line, "\r")
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		switch {
		case open && (indent > parent || len(bytes.TrimSpace(line)) == 0):
			in[i] = true
			continue
		case blockIndicator().Match(line):
			open, parent = true, parentColumn(line)
		default:
			open = false
		}
	}
	return in
}

// parentColumn returns the indentation of the collection that has the block scalar which begins on a line.
func parentColumn(line []byte) int {
	column := len(line) - len(bytes.TrimLeft(line, " \t-"))
	if bytes.ContainsAny(line[column:column+1], "|>!&") { // an item of a list
		return bytes.LastIndexByte(line[:column], '-')
	}
	return column
}
