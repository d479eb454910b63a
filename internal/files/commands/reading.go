package commands

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// definition matches the beginning of a function of a shell.
var definition = lazyregexp.New(`(?m)^[ \t]*(?:function[ \t]+([\w.-]+)|([\w.-]+)[ \t]*\(\))`)

// define notes the functions of a script.
func (r *reader) define(script string) {
	if !r.settingOnly {
		return
	}
	for _, m := range definition().FindAllStringSubmatch(script, -1) {
		r.functions[m[1]+m[2]] = true
	}
}

// call sets the parameters of a function of the script.
func (r *reader) call(tokens []token) {
	if !tokens[0].word.isLiteral() || !r.functions[tokens[0].word.literal()] {
		return
	}
	for i, w := range wordsOf(tokens[1:]) {
		r.set(strconv.Itoa(i+1), w)
		r.set("@", w)
		r.set("*", w)
	}
}

// isParameter reports whether a variable is one of the arguments of a script, or of a function in it.
func isParameter(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil || name == "@" || name == "*"
}

// reads sets the variables of a command such as `read -r FILE`, which gets what the commands before it list.
func (r *reader) reads(s *state, tokens []token) {
	s.reading = nil
	for _, w := range wordsOf(tokens[1:]) {
		if name := w.literal(); isName(name) && w.isLiteral() {
			s.reading = append(s.reading, name)
		}
	}
	r.setRead(s, listed(s.piped))
}

// done sets the variables that a loop reads from a process: done < <(COMMAND).
func (r *reader) done(s *state, tokens []token) {
	for i, t := range tokens {
		if t.op != "<" || i+1 == len(tokens) || len(tokens[i+1].word) == 0 || !tokens[i+1].word[0].process {
			continue
		}
		r.setRead(s, listed(firstCommand(tokens[i+1].word[0].script)))
	}
}

// firstCommand returns the words of the first command of a script.
func firstCommand(script string) (words []word) {
	for _, t := range lex(script, 1) {
		if t.op != "" {
			break
		}
		words = append(words, t.word)
	}
	return words
}

func (r *reader) setRead(s *state, values []word) {
	for _, name := range s.reading {
		r.set(name, values...)
	}
}

// listed returns the paths that a command lists, before variables are filled in.
func listed(command []word) []word {
	if len(command) == 0 {
		return nil
	}
	var folders, pattern []word
	rest := command[1:]
	switch command[0].literal() {
	case "git":
		if len(rest) == 0 || rest[0].literal() != "ls-files" {
			return nil
		}
		rest = rest[1:]
	case "ls", "echo", "printf", "find", "fd", "cat":
	default:
		return nil
	}
	isFind, inTests := command[0].literal() == "find", false
	for i, w := range rest {
		literal := w.literal()
		if literal == "-name" || literal == "-iname" {
			pattern = append(pattern, rest[i+1:min(i+2, len(rest))]...)
		}
		inTests = inTests || isFind && strings.HasPrefix(literal, "-")
		if !inTests && !strings.HasPrefix(literal, "-") {
			folders = append(folders, w)
		}
	}
	if len(pattern) == 0 {
		return folders
	}
	var found []word
	for _, folder := range folders {
		found = append(found, append(append(folder[:len(folder):len(folder)], part{text: "/**/"}), pattern[0]...))
	}
	return found
}
