package settings

import (
	"slices"

	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
)

// PathPattern is a pattern of `exclude`, of `tests`, of the paths of an override, or of what is in a folder of `clusters`, and where the file has it.
type PathPattern struct {
	glob.Path
	// Key is exclude, tests, overrides, or clusters, and Text the pattern or folder as written.
	Key, Text    string
	Line, Column int
}

// PathPatterns returns the path patterns of the file.
func (c *Config) PathPatterns() []PathPattern { return slices.Clone(c.patterns) }

// pathPatterns reads a list of path patterns, and keeps the place of each.
func (d *decoder) pathPatterns(c *Config, key string, into *[]glob.Path) reader {
	return func(n *manifest.Node) {
		before := len(*into)
		if appended(d, into, glob.ParsePath)(n); len(*into) > before {
			at := d.at(n)
			c.patterns = append(c.patterns, PathPattern{(*into)[before], key, n.String(), at.line, at.column})
		}
	}
}

// patternsBelow returns the patterns for paths below a folder.
func patternsBelow(patterns []PathPattern, folder string) []PathPattern {
	return mapSlice(patterns, func(p PathPattern) PathPattern {
		p.Path = p.Below(folder)
		return p
	})
}
