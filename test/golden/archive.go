package golden

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// archive is a text file that holds several files, in the format of golang.org/x/tools/txtar: a comment, then for each
// file a line "-- NAME --" and its content. Parsing and formatting are exact: no byte is added or left out.
type archive struct {
	comment string
	names   []string // in the order of the archive
	files   map[string]string
}

func parseArchive(text string) (*archive, error) {
	a := &archive{files: map[string]string{}}
	if text != "" && !strings.HasSuffix(text, "\n") {
		return nil, errors.New("the archive does not end with a newline")
	}
	name := ""
	var content strings.Builder
	end := func() {
		if name == "" {
			a.comment = content.String()
		} else {
			a.files[name] = content.String()
		}
		content.Reset()
	}
	for line := range strings.Lines(text) {
		next, ok := marker(line)
		if !ok {
			content.WriteString(line)
			continue
		}
		end()
		if _, twice := a.files[next]; twice || next == name {
			return nil, fmt.Errorf("the archive has two files %s", next)
		}
		name = next
		a.names = append(a.names, name)
	}
	end()
	return a, nil
}

// marker returns the name of the file that begins with this line, if the line is a marker.
func marker(line string) (name string, ok bool) {
	rest, begins := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
	name, ends := strings.CutSuffix(rest, " --")
	return name, begins && ends && name != "" && strings.TrimSpace(name) == name
}

// format returns the text of the archive. An error says which file an archive cannot hold, and why.
func (a *archive) format() (string, error) {
	var b strings.Builder
	if err := checkText("the comment", a.comment); err != nil {
		return "", err
	}
	b.WriteString(a.comment)
	for _, name := range a.names {
		line := "-- " + name + " --\n"
		if _, ok := marker(line); !ok || strings.Count(line, "\n") > 1 || !utf8.ValidString(name) {
			return "", fmt.Errorf("an archive cannot hold a file with the name %q", name)
		}
		if err := checkText(name, a.files[name]); err != nil {
			return "", err
		}
		b.WriteString(line + a.files[name])
	}
	return b.String(), nil
}

// checkText returns an error if the content is not plain text, as a person sees it in a review.
func checkText(name, content string) error {
	if !utf8.ValidString(content) {
		return fmt.Errorf("an archive cannot hold %s: it is not UTF-8", name)
	}
	if content != "" && !strings.HasSuffix(content, "\n") {
		return fmt.Errorf("an archive cannot hold %s: it does not end with a newline", name)
	}
	for _, r := range content {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufeff' {
			return fmt.Errorf("an archive cannot hold %s: it has the character %U", name, r)
		}
	}
	for line := range strings.Lines(content) {
		if _, ok := marker(line); ok {
			return fmt.Errorf("an archive cannot hold %s: it has the line %q", name, strings.TrimSpace(line))
		}
	}
	return nil
}
