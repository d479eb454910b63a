package answer

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/preflight"
	"github.com/salint/salint/internal/printable"
)

// writeYAML prints the manifests. What a person has to know stands above them as comments, for nothing else is printed.
func (a Answer) writeYAML(w io.Writer) error {
	wanted, what := a.Result.Missing, "What is missing for"
	if a.All {
		wanted, what = a.Result.Needed, "All that is needed for"
	}
	var b strings.Builder
	comment := func(text string) { fmt.Fprintf(&b, "# %s\n", printable.Text(text)) }
	switch {
	case a.NotActing != "":
		comment(a.NotActing)
	case len(wanted) == 0:
		comment("Nothing is missing.")
	default:
		comment(fmt.Sprintf("%s %s to install %s; made by salint preflight.", what, a.who(), a.what()))
	}
	for _, note := range a.notes() {
		comment("Note: " + note + ".")
	}
	if len(wanted) > 0 {
		to := preflight.Grantee{Extension: a.grantName(), Identity: a.Identity, Unit: a.Unit, From: a.From}
		manifests := string(preflight.Manifests(to, wanted))
		if strings.ContainsFunc(manifests, invisible) {
			return errors.New("a name in what is to be granted has invisible characters, so no manifests are written: --format json shows them")
		}
		b.WriteString(manifests)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// invisible tells of a character whether it would hide or move text around it: YAML takes it as it is.
func invisible(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }

// what is installed, in a few words.
func (a Answer) what() string {
	if a.Extension == "" {
		return "the extension"
	}
	return "the extension " + a.Extension
}

// grantName is what the manifests are named after: the extension, or, where only an identity is known, that.
func (a Answer) grantName() string {
	if a.Extension != "" {
		return a.Extension
	}
	return preflight.SubjectOf(a.Identity).Name
}
