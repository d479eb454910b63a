package commands

import (
	"slices"
	"strings"
)

// reader reads the commands of one text.
type reader struct {
	file      string
	isFolder  func(string) bool
	variables map[string][]word
	found     []*Command
	// roots are absolute folders in which the checkout can be.
	roots []string
	// expanded are the values of variables, once they are known.
	expanded map[string][]string
	// settingOnly is set while variables are collected, before commands are read.
	settingOnly bool
	// functions are those that its scripts define.
	functions map[string]bool
}

// keywords are the words of a shell, and the programs that run another one, before the name of a program.
var keywords = map[string]bool{
	"if": true, "then": true, "else": true, "elif": true, "do": true, "while": true, "until": true, "!": true, "{": true, "time": true, "exec": true,
	"command": true, "sudo": true, "nohup": true, "env": true, "-": true, "@": true, "fi": true, "done": true, "}": true, "run": true, "bash -c": true,
}

// state is where a script is.
type state struct {
	folders, before []string
	stack           [][]string
	pipe            []*Command
	within          *Command
	captured        bool
	// piped are the words of the command before in the pipeline, and reading the variables that the last command read sets.
	piped   []word
	reading []string
}

// script reads the commands of a script. Within is the command whose argument its output is.
func (r *reader) script(text string, line int, folders []string, within *Command) {
	r.read(&state{folders: folders, within: within}, text, line)
}

// read reads the commands of a script from a state, which changes.
func (r *reader) read(s *state, text string, line int) {
	var words []token
	r.define(text)
	for _, t := range lex(text, line) {
		if t.op == "" || isRedirection(t.op) {
			words = append(words, t)
			continue
		}
		if t.op == "(" && len(words) > 0 && strings.HasSuffix(words[len(words)-1].word.literal(), "=") {
			continue // an array: its words follow
		}
		r.command(s, words)
		piped := wordsOf(words)
		s.piped, words = nil, nil
		switch t.op {
		case "|", "|&":
			s.piped = piped
			continue
		case "(":
			s.stack = append(s.stack, s.folders)
		case ")":
			if n := len(s.stack); n > 0 {
				s.folders, s.stack = s.stack[n-1], s.stack[:n-1]
			}
			if len(s.pipe) > 0 {
				continue // (A; B) | C: the last command of the group is read
			}
		}
		s.pipe = nil
	}
}

func isRedirection(op string) bool {
	return strings.ContainsAny(op, "<>")
}

// command reads one command.
func (r *reader) command(s *state, tokens []token) {
	for len(tokens) > 0 {
		t := tokens[0]
		if t.op != "" {
			break
		}
		literal := t.word.literal()
		if name, value, is := assignment(t.word); is {
			r.set(name, append([]word{value}, arrayOf(tokens, value)...)...)
			r.nested(value, s, nil, t.line)
			if len(value) == 0 {
				return // an array
			}
			tokens = tokens[1:]
			continue
		}
		if !t.word.isLiteral() || !keywords[literal] {
			break
		}
		if literal == "done" {
			r.done(s, tokens)
		}
		tokens = tokens[1:]
	}
	if len(tokens) == 0 || tokens[0].op != "" && s.pipe == nil {
		return
	}
	switch tokens[0].word.literal() {
	case "for":
		if len(tokens) > 3 && tokens[2].word.literal() == "in" {
			r.set(tokens[1].word.literal(), wordsOf(tokens[3:])...)
			for _, t := range tokens[3:] {
				r.nested(t.word, s, nil, t.line)
			}
		}
		return
	case "read":
		r.reads(s, tokens)
	case "export", "local", "readonly", "declare", "typeset":
		for _, t := range tokens[1:] {
			if name, value, is := assignment(t.word); is {
				r.set(name, value)
				r.nested(value, s, nil, t.line)
			}
		}
		return
	}
	if r.settingOnly {
		r.call(tokens)
		return
	}
	r.run(s, tokens)
}

// arrayOf returns the items of an array: NAME=( is followed by them.
func arrayOf(tokens []token, value word) []word {
	if len(value) > 0 {
		return nil
	}
	return wordsOf(tokens[1:])
}

func wordsOf(tokens []token) []word {
	var words []word
	for _, t := range tokens {
		if t.op == "" {
			words = append(words, t.word)
		}
	}
	return words
}

// assignment splits NAME=VALUE.
func assignment(w word) (name string, value word, is bool) {
	for i, p := range w {
		if p.text == "" {
			return "", nil, false
		}
		if before, after, cut := strings.Cut(p.text, "="); cut {
			name = strings.TrimSuffix(name+before, "+")
			if after != "" {
				value = append(value, part{text: after})
			}
			return name, append(value, w[i+1:]...), isName(name)
		}
		name += p.text
	}
	return "", nil, false
}

func (r *reader) set(name string, values ...word) {
	if !r.settingOnly {
		return
	}
	for _, value := range values {
		if len(value) > 0 && len(r.variables[name]) < maxValues {
			r.variables[name] = append(r.variables[name], value)
		}
	}
}

// run adds a command, and those of its arguments.
func (r *reader) run(s *state, tokens []token) {
	c := &Command{Line: tokens[0].line, Folders: s.folders, roots: r.roots, within: s.within, captured: s.captured}
	if tokens[0].op == "" {
		c.Name = r.programName(tokens[0].word)
		r.nested(tokens[0].word, s, c, tokens[0].line)
		tokens = tokens[1:]
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.op != "" {
			if i+1 < len(tokens) && tokens[i+1].op == "" {
				i++
				r.redirect(c, t.op, tokens[i], s)
			}
			continue
		}
		r.nested(t.word, s, c, t.line)
		c.add(r.expand(t.word, 0), false)
	}
	c = r.unwrapped(c, s)
	s.pipe = append(s.pipe, c)
	for i, one := range s.pipe {
		one.pipe, one.at = s.pipe, i
	}
	r.found = append(r.found, c)
	r.enter(s, c)
}

// add adds the values of a word as arguments. They are further values of the last word if isSame is set.
func (c *Command) add(values []string, isSame bool) {
	for i, value := range values {
		if i > 0 || isSame {
			if c.alternatives == nil {
				c.alternatives = map[int]bool{}
			}
			c.alternatives[len(c.Args)] = true
		}
		c.Args = append(c.Args, value)
	}
}

func (r *reader) redirect(c *Command, op string, file token, s *state) {
	values := r.expand(file.word, 0)
	switch op {
	case "<":
		r.nested(file.word, s, c, file.line)
		c.Input = values[0]
	case "<<<":
		r.nested(file.word, s, c, file.line)
	case ">", ">|", "&>":
		c.Output = values[0]
	}
	if n := len(c.Args); n > 0 && op == ">" && c.Args[n-1] == "2" {
		c.Args, c.Output = c.Args[:n-1], ""
	}
}

// nested reads the commands in a word, which can be an argument of a command.
func (r *reader) nested(w word, s *state, c *Command, line int) {
	for _, p := range w {
		if p.script != "" && !r.settingOnly {
			r.read(&state{folders: s.folders, within: c, captured: true}, p.script, line)
		}
	}
}

// unwrapped returns the command that another program runs: a shell, or one for each file that find, xargs, or parallel names. Those are
// its arguments then.
func (r *reader) unwrapped(c *Command, s *state) *Command {
	switch c.Name {
	case "sh", "bash", "zsh", "eval":
		if i := slices.IndexFunc(c.Args, func(a string) bool { return strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") }); i >= 0 && i+1 < len(c.Args) {
			r.script(c.Args[i+1], c.Line, s.folders, nil)
		}
	case "ssh":
		if words := c.Positionals("-i", "-l", "-p", "-o", "-F", "-J"); len(words) > 1 {
			r.script(strings.Join(words[1:], " "), c.Line, s.folders, nil)
		}
	case "kubectl", "oc":
		if at := slices.Index(c.Args, "--"); at >= 0 && c.Has("exec", "run", "debug") {
			r.script(joined(c.Args[at+1:]), c.Line, s.folders, nil)
		}
	case "timeout", "nice", "stdbuf", "setsid", "retry":
		if at := slices.IndexFunc(c.Args, isProgram); at >= 0 {
			return c.running(at)
		}
	case "docker", "podman", "nerdctl":
		if inner := r.contained(c); inner != nil && c.Has("run", "exec") {
			return inner
		}
	case "find":
		if at := slices.IndexFunc(c.Args, func(a string) bool { return a == "-exec" || a == "-execdir" || a == "-ok" }); at >= 0 && at+1 < len(c.Args) {
			return c.running(at + 1).withFiles(pathsOfFind(c.Args[:at]))
		}
	case "xargs", "parallel":
		if at := firstProgram(c.Args); at >= 0 {
			return c.running(at).withFiles(listedBefore(s.pipe))
		}
	}
	return c
}

// enter changes the folder of a script.
func (r *reader) enter(s *state, c *Command) {
	switch c.Name {
	case "popd":
		s.folders = s.before
	case "cd", "pushd", "chdir":
		to := c.Positionals()
		if len(to) == 0 || len(s.pipe) > 1 || to[0] == "-" {
			return
		}
		s.before = s.folders
		var found []string
		for _, target := range to {
			if strings.Trim(target, Unknown) == "" {
				return // unknown, so the folders from before are as good as any
			}
			for _, folder := range c.Paths(target) {
				if r.isFolder(folder) {
					found = append(found, folder)
				}
			}
		}
		s.folders = found
	}
}
