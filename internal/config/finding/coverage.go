package finding

import (
	"fmt"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
)

// Coverage is what was checked of the selected files, on which every assuring sentence of a report depends.
type Coverage struct {
	// Unchecked is why nothing was checked; "" if anything was.
	Unchecked string
	// Selected is the number of files on which findings are reported, and All is set if these are all files. NotChecked are those
	// of the selected files of which nothing became an object that rules judge.
	Selected, NotChecked int
	All                  bool
	// Incomplete is set if a rule failed or a file could not be read, so that findings can be missing.
	Incomplete bool
	// Elsewhere is set if applications of the selected files take objects from other repositories.
	Elsewhere bool
	// Compared is set if findings that an earlier revision had as well are not reported.
	Compared bool
}

// Coverage returns what the run checked.
func (r *Result) Coverage() Coverage {
	s := r.Summary
	c := Coverage{Unchecked: s.Unchecked, Selected: r.Reported, NotChecked: s.NotChecked, Incomplete: r.Incomplete, Elsewhere: r.Elsewhere > 0, Compared: s.Unchanged > 0}
	if c.Selected == 0 || c.Selected >= s.Files {
		c.Selected, c.All = s.Files, true
	}
	c.Selected += r.Unread
	return c
}

// Complete reports whether no findings mean that the selected files have none.
func (c Coverage) Complete() bool { return c.Unchecked == "" && c.NotChecked == 0 && !c.Incomplete }

// Certain reports whether nothing outside of what was read can change what was found, other repositories included.
func (c Coverage) Certain() bool { return c.Complete() && !c.Elsewhere }

// Known is the coverage of an answer, which is complete if nothing that was not read or is unknown can change it.
func Known(complete bool) Coverage { return Coverage{Incomplete: !complete} }

// Assure returns a sentence that assures something, such as "no subjects", limited to what was read. All of a report and of an answer that
// assures something is made here.
func (c Coverage) Assure(sentence string) string {
	switch {
	case c.Complete() && c.Elsewhere:
		return sentence + ", as far as this repository shows"
	case c.Complete():
		return sentence
	case c.NotChecked > 0 && !c.Incomplete:
		return sentence + " in what was checked"
	}
	return sentence + ", as far as known"
}

// NoProblems is what a run without findings says, without a full stop.
func (c Coverage) NoProblems() string {
	c.Elsewhere = false // the sentence goes on with the files, and a note is about the applications
	if c.Compared {
		return c.Assure("No new problems")
	}
	return c.Assure("No problems")
}

// NoneOpen is the sentence about a run without open findings.
func (c Coverage) NoneOpen() string { return c.Assure("No findings are open") + "." }

// Gap is the sentence about what was not checked; "" if all selected files were. After it, no findings in these files mean nothing.
func (c Coverage) Gap() string {
	switch {
	case c.Unchecked != "":
		return "Nothing was checked: " + safetext.Text(c.Unchecked) + "."
	case c.NotChecked == 0:
		return ""
	}
	files := words.CountOf(c.Selected, "selected file", "selected files")
	if c.All {
		files = words.Count(c.Selected, "file")
	}
	verb := "were"
	if c.NotChecked == 1 {
		verb = "was"
	}
	return fmt.Sprintf("%d of %s %s not checked.", c.NotChecked, files, verb)
}
