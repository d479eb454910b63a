package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Unparsable returns the gap of a file with a document that is not valid YAML and shows no kind, so that nothing shows what it was meant to
// be. Templates become YAML when they are rendered, and JSON files of tools often have comments.
func Unparsable(f *manifest.File) (gap Gap, is bool) {
	if path.Ext(f.Path) == ".json" {
		return Gap{}, false
	}
	for _, doc := range f.Docs {
		if doc.Kind() != "" || bytes.Contains(doc.Bytes(), []byte("{{")) || bytes.Contains(doc.Bytes(), []byte("{%")) {
			continue
		}
		var syntax *manifest.SyntaxError
		if err := doc.Parse(); errors.As(err, &syntax) && !syntax.Limit {
			return Gap{
				Reason: fmt.Sprintf("line %d is not valid YAML: %s", syntax.Line, syntax.Message),
				Cause:  objects.Position{File: f.Path, Line: syntax.Line, Column: syntax.Column},
			}, true
		}
	}
	return Gap{}, false
}
