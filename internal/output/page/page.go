package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
)

//go:embed style.css
var style string

//go:embed skeleton.html
var skeleton string

// Head is what stands at the top of a page, and below it.
type Head struct {
	// Kind is what sort of page it is, in a word or two; Title what it says, and Lead the same in a sentence or two.
	Kind, Title, Lead string
	// Contents are the sections of the page, for its navigation.
	Contents []Section
	// Version is that of the program.
	Version string
	// Foot closes the page.
	Foot string
}

// Section is a part of a page: the id of its heading, and what that says.
type Section struct{ ID, Title string }

// Template is the skeleton around a content: the text of a template that is called with what Write is given. The function
// `text` makes what comes out of manifests safe to look at; that it is no HTML is seen to by the template.
func Template(content string, functions template.FuncMap) *template.Template {
	all := template.FuncMap{"text": safetext.Text, "policy": policy, "style": styled}
	maps.Copy(all, functions)
	return template.Must(template.Must(template.New("page").Funcs(all).Parse(skeleton)).New("content").Parse(content))
}

// Write writes a page.
func Write(w io.Writer, t *template.Template, head Head, content any) error {
	return t.ExecuteTemplate(w, "page", struct {
		Head
		Content any
	}{head, content})
}

// Policy is what the page may load: its own style, known by its hash, and nothing else. There are no scripts.
func Policy() string {
	sum := sha256.Sum256([]byte(css()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// css is the style with the line ends of every system.
func css() string { return strings.ReplaceAll(style, "\r\n", "\n") }

// policy and styled are our own text and byte for byte what they say of each other; html/template would change them.
func policy() template.HTMLAttr { return template.HTMLAttr(`content="` + Policy() + `"`) }

func styled() template.HTML { return template.HTML("<style>" + css() + "</style>") }
