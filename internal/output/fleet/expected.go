package fleet

import (
	"fmt"
	"strings"
	"time"

	"github.com/salint/salint/internal/base/encoding"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
)

// maxExpected is the size of the largest list of repositories.
const maxExpected = 16 << 20

// Expected is a list of repositories.
type Expected struct {
	Names []string
	// Revisions are the commits that the list names, by repository.
	Revisions map[string]string
	// Problems are the lines that name no repository.
	Problems []Problem

	spelled map[string]string // the names, by what is the same for all spellings
}

// ReadExpected reads a list of repositories from a file: in each line a name or an address, and after white space the commit of which a
// report is expected. Empty lines and those that begin with # are ignored. A line that names no repository is a problem; the error is
// about the file.
func ReadExpected(file, shown string) (*Expected, error) {
	data, err := regular.ReadFile(file, maxExpected)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	e := &Expected{Names: []string{}, Revisions: map[string]string{}, spelled: map[string]string{}}
	for i, line := range strings.Split(string(encoding.UTF8(data)), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e.add(line, fmt.Sprintf("%s:%d", shown, i+1))
	}
	if len(e.Names)+len(e.Problems) == 0 {
		return nil, fmt.Errorf("%s: the file names no repository", shown)
	}
	return e, nil
}

// add adds a line. A commit is the last word of a line with several, if it looks like one: a path can contain spaces.
func (e *Expected) add(line, place string) {
	address, revision := line, ""
	if fields := strings.Fields(line); len(fields) > 1 && isRevision(fields[len(fields)-1]) {
		revision = fields[len(fields)-1]
		address = strings.TrimSpace(strings.TrimSuffix(line, revision))
	}
	name := git.NameOf(address)
	if name == "" {
		e.Problems = append(e.Problems, Problem{place, fmt.Sprintf("is neither the name nor the address of a repository: %q", line)})
		return
	}
	if first, known := e.spelled[git.Key(name)]; known {
		name = first
	} else {
		e.Names, e.spelled[git.Key(name)] = append(e.Names, name), name
	}
	if revision != "" {
		e.Revisions[name] = revision
	}
}

// isRevision reports whether a word can be the ID of a commit, or its beginning.
func isRevision(word string) bool {
	return len(word) >= 7 && len(word) <= 64 && strings.Trim(word, "0123456789abcdef") == ""
}

// Expect sets which reports are expected: the file of --expect relative to the working directory, and the day of --not-before; "" is none.
func Expect(o *Options, file, notBefore string) (err error) {
	if o.NotBefore, err = dayOf(notBefore); err != nil {
		return fmt.Errorf("--not-before: %w", err)
	}
	if file == "" {
		return nil
	}
	expected, err := ReadExpected(absolute(o.Dir, file), file)
	if err != nil {
		return fmt.Errorf("--expect %w", err)
	}
	o.Expected, o.Revisions, o.ListProblems = expected.Names, expected.Revisions, expected.Problems
	return nil
}

// dayOf returns the day of a time, which is RFC 3339 or a day.
func dayOf(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC().Format(time.DateOnly), nil
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", fmt.Errorf("%q is not a day such as 2026-01-31", text)
	}
	return text, nil
}
