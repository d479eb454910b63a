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

// running returns the program that a command runs and that is one of its arguments.
func (c *Command) running(at int) *Command {
	inner := c.From(at + 1)
	inner.Name = nameOf(c.Args[at])
	return inner
}

// withFiles returns a command with files for {} in its arguments, or at their end.
func (c *Command) withFiles(files []string) *Command {
	filled, placed := *c, false
	filled.Args, filled.alternatives = nil, nil
	for i, a := range c.Args {
		values := []string{a}
		switch {
		case strings.Contains(a, "{}") && len(files) > 0:
			values, placed = nil, true
			for _, file := range files {
				values = append(values, strings.ReplaceAll(a, "{}", file))
			}
		case a == "{}" || a == "+" || a == ";" || a == `\;`:
			continue
		}
		filled.add(values, c.alternatives[i])
	}
	if !placed {
		filled.Args = append(filled.Args, files...)
	}
	return &filled
}

// isProgram reports whether an argument can be the program that another one runs, and is no flag, number, or time.
func isProgram(argument string) bool {
	return argument != "" && argument[0] != '-' && (argument[0] < '0' || argument[0] > '9')
}

// joined returns arguments as a script.
func joined(arguments []string) string {
	var text strings.Builder
	for _, argument := range arguments {
		text.WriteString(quoted(argument) + " ")
	}
	return text.String()
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
