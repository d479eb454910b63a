package commands

import "strings"

// Unknown stands for a part of an argument that only the run of the text determines.
const Unknown = "\x01"

// repositoryRoot begins an argument that the text spells from the root of the repository, such as $(git rev-parse --show-toplevel)/config.
const repositoryRoot = "\x02"

// Command is a program that a text runs.
type Command struct {
	// Line is the line of the text on which the command begins.
	Line int
	// Name is the name of the program, without its folder and version. Args are its arguments. One word that can have several values, as a variable
	// of a loop, is an argument for each of them.
	Name string
	Args []string
	// Folders are the folders in which it may run, from the root of the repository.
	Folders []string
	// Input and Output are the files of redirections; "" if there is none.
	Input, Output string
	// pipe are the commands of its pipeline, and at is its place among them.
	pipe []*Command
	at   int
	// within is the command whose argument is the output of this one, as in kubectl apply -f <(COMMAND); nil if there is none.
	within *Command
	// captured is set if its output is a part of a word, as in X=$(COMMAND).
	captured bool
	// roots are absolute folders in which the checkout can be.
	roots []string
	// alternatives are the indexes of the arguments that are another value of the word before them; nil if that is not known.
	alternatives map[int]bool
}

// IsUsed reports whether the text uses what the command prints: as an argument or a value, in a pipeline, or in a file.
func (c *Command) IsUsed() bool {
	return c.captured || c.within != nil || len(c.After()) > 0 || c.Output != ""
}

// Before returns the commands whose output it reads, in their order.
func (c *Command) Before() []*Command { return c.pipe[:c.at] }

// After returns the commands that read its output, in their order.
func (c *Command) After() []*Command {
	after := c.pipe[c.at+1:]
	if c.pipe[0].within != nil {
		after = append(append(after[:len(after):len(after)], c.pipe[0].within), c.pipe[0].within.After()...)
	}
	return after
}

// Paths returns the paths from the root of the repository that an argument can mean. One that leads out of the repository is none.
func (c *Command) Paths(argument string) []string {
	if rest, is := strings.CutPrefix(argument, repositoryRoot); is {
		return inside(nil, ".", rest)
	}
	if strings.Contains(argument, "://") {
		return nil
	}
	if strings.HasPrefix(argument, "/") {
		for _, root := range c.roots {
			if rest, is := strings.CutPrefix(argument, root+"/"); is {
				return inside(nil, ".", rest)
			}
		}
		return nil
	}
	var found []string
	for _, folder := range c.Folders {
		found = inside(found, folder, argument)
	}
	return found
}

// Has reports whether one of the arguments is one of some words.
func (c *Command) Has(words ...string) bool {
	for _, argument := range c.Args {
		for _, word := range words {
			if argument == word {
				return true
			}
		}
	}
	return false
}

// Flag returns the values of a flag: of its short form -f, also joined with the value or with other short flags, and of its long
// form. Either can be "".
func (c *Command) Flag(short, long string) []string {
	var found []string
	for i, argument := range c.Args {
		next := ""
		if i+1 < len(c.Args) {
			next = c.Args[i+1]
		}
		value, isLong := strings.CutPrefix(argument, "--"+long)
		joined, isShort := strings.CutPrefix(argument, "-"+short)
		switch {
		case long != "" && isLong && value == "", short != "" && isShort && joined == "":
			found = append(found, next)
			for other := i + 2; c.alternatives[other]; other++ {
				found = append(found, c.Args[other])
			}
		case long != "" && isLong && value[0] == '=':
			found = append(found, value[1:])
		case short != "" && isShort && !strings.HasPrefix(argument, "--"):
			found = append(found, strings.TrimPrefix(joined, "="))
		}
	}
	return found
}

// From returns the command with the arguments from an index on, as of a program that it runs.
func (c *Command) From(at int) *Command {
	rest := *c
	rest.Args, rest.alternatives = c.Args[at:], map[int]bool{}
	for index := range c.alternatives {
		rest.alternatives[index-at] = true
	}
	return &rest
}

// Positionals returns the arguments that are no flags, without the values of some flags, given with their dashes. All after -- is none.
func (c *Command) Positionals(withValue ...string) []string {
	var found []string
	for i := 0; i < len(c.Args); i++ {
		argument := c.Args[i]
		switch {
		case argument == "--":
			return append(found, c.Args[i+1:]...)
		case contains(withValue, argument):
			for i++; c.alternatives[i+1]; i++ {
				continue
			}
		case !strings.HasPrefix(argument, "-") || argument == "-":
			found = append(found, argument)
		}
	}
	return found
}

func contains(list []string, text string) bool {
	for _, item := range list {
		if item == text {
			return true
		}
	}
	return false
}
