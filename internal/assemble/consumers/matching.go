package consumers

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/salint/salint/internal/files/commands"
)

// matching returns the files and folders of the repository that a path means. A part that is unknown stands for any name, if another part is known.
func (x *Index) matching(p string) []string {
	hidden := strings.Contains(p, commands.Unknown)
	if hidden && strings.Trim(p, commands.Unknown+"*./") == "" {
		return nil
	}
	pattern := path.Clean(strings.ReplaceAll(p, commands.Unknown, "*"))
	if !strings.ContainsAny(pattern, "*?[{") {
		if x.from.Paths.Has(pattern) {
			return []string{pattern}
		}
		return nil
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil
	}
	rest, begins := strings.CutPrefix(pattern, "*/")
	if begins && hidden && !strings.ContainsAny(rest, "*?[{") { // a variable before the path
		if x.from.Paths.Has(rest) {
			return []string{rest}
		}
		if strings.Contains(rest, "/") {
			pattern = "**/" + rest
		}
	}
	var found []string
	for _, file := range x.from.Paths.Files() {
		if doublestar.MatchUnvalidated(pattern, file) {
			found = append(found, file)
		}
	}
	for folder := range x.from.Paths.Folders() {
		if folder != "." && doublestar.MatchUnvalidated(pattern, folder) && !strings.Contains(pattern, "**") {
			found = append(found, folder)
		}
	}
	return found
}
