package catalogs

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/shell"
)

// Text writes a resolution: the entry, what is known of it, and the commands with which its permissions are read.
func (r *Resolution) Text(w io.Writer, request Request) error {
	var b strings.Builder
	line := func(label, text string) { fmt.Fprintf(&b, "  %-11s %s\n", label, safetext.Text(text)) }
	fmt.Fprintf(&b, "%s\n\n", safetext.Text(fmt.Sprintf("OLM selects %s for %s", r.Name, request)))
	line("version", r.Version)
	line("catalog", r.Catalog.Name)
	if len(r.Channels) > 0 {
		line("channels", strings.Join(r.Channels, ", "))
	}
	if r.Image != "" {
		line("image", r.Image)
	}
	switch {
	case r.Edge != "":
		line("upgrade", r.Edge)
	case request.Installed != "":
		line("upgrade", "none: it is the installed one, and nothing newer upgrades it")
	}
	for _, note := range r.notes() {
		fmt.Fprintf(&b, "\n%s", safetext.Text("note: "+note))
	}
	if len(r.notes()) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("\nWhat to do\n")
	for _, command := range r.commands() {
		fmt.Fprintf(&b, "  %s\n", safetext.Text(command))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// commands unpack the image of the bundle, and read its permissions.
func (r *Resolution) commands() []string {
	dir, image := shell.Quote(r.folder()), shell.Quote(cmp.Or(r.Image, "IMAGE"))
	if strings.HasPrefix(r.Image, "-") {
		image = "-- " + image
	}
	return []string{
		fmt.Sprintf("mkdir %s && crane export %s - | tar -x -C %s", dir, image, dir),
		"salint preflight --bundle " + dir,
	}
}

func (r *Resolution) notes() []string {
	var notes []string
	if r.Elsewhere != nil {
		notes = append(notes, fmt.Sprintf("the catalog does not have the installed bundle: it was taken for %s, of version %s", r.Elsewhere.Name, r.Elsewhere.version))
	}
	if r.IsDeprecated {
		notes = append(notes, "it is deprecated, and the catalog has no other bundle that matches: "+r.Deprecated)
	}
	for _, message := range r.Catalog.Messages {
		notes = append(notes, "the catalog deprecates the package or a channel: "+message)
	}
	if r.Before != nil {
		notes = append(notes, fmt.Sprintf("operator-controller before v1.8 does not compare build metadata, and selects %s: name the release with --target", r.Before.Name))
	}
	if r.Requires != "" {
		notes = append(notes, fmt.Sprintf("operator-controller does not install it, because it depends on another bundle (%s)", r.Requires))
	}
	return notes
}
