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

// Head is the header and the footer of a page.
type Head struct {
	// Kind is the type of page in one or two words, Title its heading, and Lead a summary in one or two sentences.
	Kind, Title, Lead string
	// Contents are the sections of the page, for its navigation.
	Contents []Section
	// Version is the version of the program.
	Version string
	// Foot is the last paragraph of the page.
	Foot string
}

// Section is a part of a page: the id and the text of its heading.
type Section struct{ ID, Title string }

// Template returns the skeleton with a content: a template that is executed with the value given to Write. Its function
// `text` makes text from manifests safe to print; html/template escapes HTML.
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

// Policy returns the content security policy of a page: only its own style, known by its hash. Pages have no scripts.
func Policy() string {
	sum := sha256.Sum256([]byte(css()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// css returns the style with the same line ends on every system.
func css() string { return strings.ReplaceAll(style, "\r\n", "\n") }

// policy and styled must stay the same byte for byte, because the policy contains the hash of the style; html/template
// would change them.
func policy() template.HTMLAttr { return template.HTMLAttr(`content="` + Policy() + `"`) }

func styled() template.HTML { return template.HTML("<style>" + css() + "</style>") }
