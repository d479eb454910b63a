package repo

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/files/glob"
)

// patterns are the patterns of WalkOptions.Exclude.
type patterns []pattern

type pattern struct {
	glob.Path
	text string
	at   func(path string) string
}

// Match reports whether the pattern matches a path of the walk.
func (p pattern) Match(name string) bool {
	if p.at != nil {
		name = p.at(name)
	}
	return p.Path.Match(name)
}

func parseExclude(texts []string, at func(string) string) (patterns, error) {
	var all patterns
	for _, text := range texts {
		p, err := glob.ParsePath(text)
		if err != nil {
			return nil, fmt.Errorf("exclude: %w", err)
		}
		all = append(all, pattern{p, text, at})
	}
	return all, nil
}

func (all patterns) match(p string) bool {
	return slices.ContainsFunc(all, func(g pattern) bool { return g.Match(p) })
}
