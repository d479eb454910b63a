package commands

import (
	"path"
	"slices"
	"strings"
)

func nameOf(program string) string {
	return strings.TrimRight(version().ReplaceAllString(path.Base(program), ""), "-_")
}

// wrappedPrograms are the programs that are looked for in the arguments of a container command.
var wrappedPrograms = []string{"ytt", "kapp", "kbld", "kpt", "yq", "sed", "kustomize", "flux", "cue", "timoni", "jsonnet", "cdk8s", "kubectl", "helm"}

func (r *reader) programIn(arguments []string) int {
	return slices.IndexFunc(arguments, func(a string) bool { return slices.Contains(wrappedPrograms, a) })
}

// pathsOfFind returns the paths that find lists: its folders, with the pattern of -name if there is one.
func pathsOfFind(arguments []string) []string {
	end := slices.IndexFunc(arguments, func(a string) bool { return strings.HasPrefix(a, "-") || a == "(" || a == "!" })
	folders, pattern := arguments, ""
	if end >= 0 {
		folders = arguments[:end]
		for i, a := range arguments[end:] {
			if (a == "-name" || a == "-iname") && end+i+1 < len(arguments) {
				pattern = arguments[end+i+1]
			}
		}
	}
	if len(folders) == 0 {
		folders = []string{"."}
	}
	found := slices.Clone(folders)
	for i := range found {
		if pattern != "" {
			found[i] += "/**/" + pattern
		}
	}
	return found
}

// withFiles replaces {} in the arguments of a command by files, or adds them at the end.
func withFiles(arguments, files []string) []string {
	var found []string
	placed := false
	for _, a := range arguments {
		switch {
		case a == "{}":
			found, placed = append(found, files...), true
		case a == "+" || a == ";" || a == `\;`:
		default:
			found = append(found, a)
		}
	}
	if !placed {
		found = append(found, files...)
	}
	return found
}

// firstProgram returns the index of the program that xargs runs, after its flags; -1 if there is none.
func firstProgram(arguments []string) int {
	for i := 0; i < len(arguments); i++ {
		switch a := arguments[i]; {
		case a == "-I" || a == "-n" || a == "-P" || a == "-L" || a == "-d" || a == "-a":
			i++
		case !strings.HasPrefix(a, "-"):
			return i
		}
	}
	return -1
}

// listedBefore returns the paths that the commands before in a pipeline list.
func listedBefore(pipe []*Command) []string {
	for _, c := range slices.Backward(pipe) {
		switch c.Name {
		case "find":
			return pathsOfFind(c.Args)
		case "ls", "echo", "printf", "fd":
			return c.Positionals()
		case "git":
			if c.Has("ls-files") {
				return c.Positionals()[1:]
			}
		case "grep", "rg", "ag":
			if len(c.Positionals("-e", "-f", "--include", "-A", "-B", "-C")) > 1 {
				return c.Positionals("-e", "-f", "--include", "-A", "-B", "-C")[1:]
			}
		}
	}
	return nil
}
