package commandline

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// MaxFiles is the maximum number of files in a command.
const MaxFiles = 6

// List are commands that fix or show errors. Extensions whose commands differ only in their files share one.
type List []Parts

// Parts are the parts of a command that prepares for a target, or shows the findings. It names the target or none.
type Parts struct {
	Target       string
	Flags, Files []string
}

// Add adds a command, or its files to that of the same parts.
func (c *List) Add(target string, flags, files []string) {
	for i, known := range *c {
		if known.Target == target && slices.Equal(known.Flags, flags) {
			(*c)[i].Files = append(known.Files, files...)
			return
		}
	}
	*c = append(*c, Parts{target, flags, slices.Clone(files)})
}

// Lines returns the command lines that a function makes of the parts. Instead of many files, a command names their folders, unless it changes files there.
func (c List) Lines(lintOf func(target string, flags, paths []string) string) []string {
	var lines []string
	for _, command := range c {
		slices.SortFunc(command.Files, strings.Compare)
		files := slices.Compact(command.Files)
		if len(files) > MaxFiles && !slices.Contains(command.Flags, "--fix") {
			files = Outermost(foldersOf(files))
		}
		lines = append(lines, lintOf(command.Target, command.Flags, files))
	}
	return lines
}

func foldersOf(files []string) []string {
	var folders []string
	for _, file := range files {
		folders = append(folders, path.Dir(file))
	}
	return folders
}

// Outermost drops folders that are inside others.
func Outermost(dirs []string) []string {
	// With a slash after its name, a folder is followed only by its contents.
	slices.SortFunc(dirs, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	here := slices.Contains(dirs, ".")
	var kept []string
	for _, dir := range dirs {
		below := here && dir != "." && filepath.IsLocal(dir)
		if below || len(kept) > 0 && (dir == kept[len(kept)-1] || strings.HasPrefix(dir, kept[len(kept)-1]+"/")) {
			continue
		}
		kept = append(kept, dir)
	}
	return kept
}
