package redact

import "github.com/salint/salint/internal/files/manifest"

// Lines returns a function that reports whether a line of a file, counted from 1, must not be shown, or nil if all can be.
func Lines(path string, data []byte) func(line int) bool {
	spans := Spans(path, data)
	if len(spans) == 0 {
		return nil
	}
	file := manifest.File{Data: data}
	hidden := map[int]bool{}
	for _, span := range spans {
		first, _ := file.Position(span.Start)
		last, _ := file.Position(max(span.End-1, span.Start))
		for line := first; line <= last; line++ {
			hidden[line] = true
		}
	}
	return func(line int) bool { return hidden[line] }
}
