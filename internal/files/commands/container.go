package commands

import (
	"path"
	"slices"
	"strings"
)

// mount is a file or folder that a container has at another path.
type mount struct{ from, to string }

// contained returns the program that a container runs, with the paths of its arguments outside of the container; nil if it is none of those
// that are known. The program is an argument, or it gives the image its name.
func (r *reader) contained(c *Command) *Command {
	at := r.programIn(c.Args)
	if at < 0 {
		at = slices.IndexFunc(c.Args, func(a string) bool { return strings.Contains(a, "/") && slices.Contains(wrappedPrograms, imageName(a)) })
	}
	if at < 0 {
		return nil
	}
	inner := c.running(at)
	inner.Name = imageName(c.Args[at])
	mounts := mountsOf(c.upTo(at))
	if len(mounts) == 0 {
		return inner
	}
	work, isSet := mounts[0].to, false
	if dirs := c.upTo(at).Flag("w", "workdir"); len(dirs) > 0 {
		work, isSet = path.Clean(dirs[0]), true
	}
	for i, argument := range inner.Args {
		inner.Args[i] = outside(argument, work, isSet, mounts)
	}
	return inner
}

// imageName returns the last part of the name of an image, without its tag and digest.
func imageName(image string) string {
	name, _, _ := strings.Cut(path.Base(image), "@")
	name, _, _ = strings.Cut(name, ":")
	return nameOf(name)
}

// upTo returns the command with the arguments before an index.
func (c *Command) upTo(at int) *Command {
	first := *c
	first.Args = c.Args[:at]
	return &first
}

// mountsOf returns the mounts of a command that runs a container.
func mountsOf(c *Command) (found []mount) {
	for _, value := range append(c.Flag("v", "volume"), c.Flag("", "mount")...) {
		parts := strings.Split(value, ":")
		if fields := strings.Split(value, ","); strings.Contains(fields[0], "=") {
			settings := map[string]string{}
			for _, field := range fields {
				key, text, _ := strings.Cut(field, "=")
				settings[key] = text
			}
			parts = []string{settings["source"] + settings["src"], settings["target"] + settings["dst"] + settings["destination"]}
		}
		if len(parts) > 1 && parts[0] != "" && strings.HasPrefix(parts[1], "/") {
			found = append(found, mount{parts[0], path.Clean(parts[1])})
		}
	}
	return found
}

// outside returns an argument of a program in a container with the path that it has outside. A relative path begins in the folder of work. If that
// is a guess, only the name of a file is a path, because a word can be a sub-command.
func outside(argument, work string, isSet bool, mounts []mount) string {
	flag, name, hasValue := strings.Cut(argument, "=")
	if flag += "="; !hasValue || argument[0] != '-' {
		flag, name = "", argument
	}
	isFile := name == "." || strings.LastIndexByte(name, '.') > 0
	switch {
	case name == "", name[0] == '-', strings.ContainsAny(name, " \t\n"):
		return argument
	case name[0] != '/' && !isFile && (!isSet || !strings.Contains(name, "/")):
		return argument
	case name[0] != '/':
		name = path.Join(work, name)
	}
	for _, m := range mounts {
		if rest, is := strings.CutPrefix(name, m.to); is && (rest == "" || rest[0] == '/' || m.to == "/") {
			return flag + strings.TrimSuffix(m.from, "/") + rest
		}
	}
	return argument
}
