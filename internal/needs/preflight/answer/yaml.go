package answer

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/needs/preflight"
)

// writeYAML prints the manifests. What a person has to know stands above them as comments, for nothing else is printed.
func (a Answer) writeYAML(w io.Writer) error {
	wanted, what := a.Wanted(), "What is missing for"
	if a.All {
		what = "All that is needed for"
	}
	var b strings.Builder
	comment := func(text string) { fmt.Fprintf(&b, "# %s\n", safetext.Text(text)) }
	switch {
	case a.NotActing != "":
		comment(a.NotActing)
	case len(wanted) == 0 && a.Errors != nil:
		comment(sentence(a.Errors.verdict()))
	case len(wanted) == 0:
		comment("Nothing is missing.")
	default:
		comment(fmt.Sprintf("%s %s to install %s; made by salint preflight.", what, a.who(), a.what()))
	}
	if a.Condition != "" {
		comment(sentence(a.Condition))
	}
	for _, note := range a.notes() {
		comment("Note: " + note + ".")
	}
	if a.Errors != nil {
		a.Errors.comment(comment)
	}
	if len(wanted) > 0 {
		manifests := string(preflight.Manifests(a.grantee(), wanted))
		if strings.ContainsFunc(manifests, invisible) {
			return errors.New("a name in what is to be granted has invisible characters, so no manifests are written: --format json shows them")
		}
		b.WriteString(manifests)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentence makes one of words that follow something else in a text.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] + "." }

// comment says what of a text is not in the manifests.
func (e Errors) comment(comment func(text string)) {
	for _, o := range e.Owners {
		comment(fmt.Sprintf("Missing and not granted here: %s (%s), which the text does not name.", o.missing(), o.object()))
	}
	if len(e.Owners) > 0 {
		comment("  " + ownersOfOLM)
	}
	for _, text := range e.Admission {
		comment("Not about the installer's permissions: " + shorten(text))
	}
	for _, text := range e.Unread {
		comment("Not read: " + shorten(text))
	}
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
