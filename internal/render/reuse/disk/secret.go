package disk

import (
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/render/reuse"
)

// holdsSecret reports whether an entry has data of a Secret, or may have: in the result, or in a query, because kustomize looks for a
// file whose name is the text of a patch.
func holdsSecret(e reuse.Entry) bool {
	for _, r := range e.Read {
		if hides("query.yaml", r.Query.Path) {
			return true
		}
	}
	for _, object := range e.Result.Objects {
		if hides("object.json", string(object)) {
			return true
		}
	}
	for _, t := range e.Result.Templates {
		if hides(t.Name, t.Text) || secretKind().MatchString(t.Source) {
			return true
		}
	}
	for _, s := range e.Result.Sources {
		if secretKind().MatchString(s.Text) {
			return true
		}
	}
	return false
}

func hides(name, text string) bool { return len(redact.Spans(name, []byte(text))) > 0 }

// secretKind finds a Secret in a template, which is rarely YAML. What the template renders is examined as well.
var secretKind = lazyregexp.New(`kind["']?\s*:\s*["']?Secret|stringData`)
