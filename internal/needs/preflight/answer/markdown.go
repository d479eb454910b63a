package answer

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/needs/preflight"
)

// A comment on a pull request is read only if it is short. GitHub accepts 65,536 characters.
const (
	commentLines = 30
	commentText  = 400
)

// markdown returns the answer as a comment: the verdict, who installs, what is missing, and the notes.
func (a Answer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Preflight: %s\n\n", code(a.verdict()))
	identity := a.who()
	if a.NothingNeeded {
		identity = "OLM's own account"
	}
	if a.Errors == nil || a.hasIdentity() {
		fmt.Fprintf(&b, "- identity: %s\n", code(identity))
	}
	for _, field := range [][2]string{{"installs", a.Content}, {"errors of", a.source()}, {"target", a.target()}} {
		if field[1] != "" {
			fmt.Fprintf(&b, "- %s: %s\n", field[0], code(field[1]))
		}
	}
	title := "Missing"
	if a.All {
		title = "Needed"
	}
	if !a.NothingNeeded {
		bulletsOf(&b, title, a.Wanted())
	}
	if a.Errors != nil {
		bulletsOf(&b, "Granted in the repository, but not applied,", a.Errors.Granted)
		a.Errors.bullets(&b)
	}
	for i, note := range a.notes() {
		if i == commentLines {
			fmt.Fprintf(&b, "\n… and %d more notes\n", len(a.notes())-i)
			break
		}
		fmt.Fprintf(&b, "\nNote: %s\n", code(note))
	}
	switch {
	case a.contradicted():
		fmt.Fprintf(&b, "\n%s\n", strings.Join(a.findRelease(), " "))
	case a.Errors != nil && len(a.Errors.Advice) > 0:
		fmt.Fprintf(&b, "\n%s\n", code(strings.Join(a.Errors.Advice, " ")))
	case !a.NothingNeeded && (len(a.Wanted()) > 0 || a.CreateAccount):
		fmt.Fprintf(&b, "\nPrint the manifests with %s.\n", code(a.Command+" --format yaml"))
	}
	return b.String()
}

// source is the origin of an error text.
func (a Answer) source() string {
	if a.Errors == nil {
		return ""
	}
	return a.Errors.Source
}

func (a Answer) target() string {
	if a.Target.Name == "" {
		return ""
	}
	return a.Target.String()
}

// bullets lists what is in a text and not about permissions of the identity.
func (e Errors) bullets(b *strings.Builder) {
	var lines []string
	for _, o := range e.Owners {
		lines = append(lines, fmt.Sprintf("%s  (%s)", o.missing(), o.object()))
	}
	list(b, "Missing on the owner of an object (the text does not contain the owner)", lines)
	for _, m := range e.Fields {
		list(b, "About spec.serviceAccount", m.lines())
	}
	list(b, "Accounts that do not exist", e.Accounts)
	list(b, "Not about the installer's permissions: rejected by admission", e.Admission)
	list(b, "Not read: parts of the text about permissions in an unknown form", e.Unread)
}

// bulletsOf lists rules by namespace, combined as in the manifests.
func bulletsOf(b *strings.Builder, title string, all []preflight.Scoped) {
	for _, scoped := range preflight.Grant(all) {
		var lines []string
		for _, rule := range scoped.Rules {
			lines = append(lines, strings.Join(rule.Verbs, ", ")+" "+object(rule))
		}
		heading := title + " in the whole cluster"
		if scoped.Namespace != "" {
			heading = title + " in namespace " + code(scoped.Namespace)
		}
		list(b, heading, lines)
	}
}

func list(b *strings.Builder, heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n", heading)
	for i, line := range lines {
		if i == commentLines {
			fmt.Fprintf(b, "- … and %d more\n", len(lines)-i)
			return
		}
		fmt.Fprintf(b, "- %s\n", code(line))
	}
}

func code(text string) string { return safetext.Code(text, commentText) }
