package helm

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// withoutLines removes lines from their file.
func withoutLines(c *engine.Context, lines block.Origin) (engine.TextChange, error) {
	return rewrite(c, lines, "", removeByHand)
}

// rewrite replaces a part of a template. Helm drops a byte order mark before it reads a template, so spans are shifted.
func rewrite(c *engine.Context, lines block.Origin, text, byHand string) (engine.TextChange, error) {
	change := engine.TextChange{File: lines.Source.File, Span: lines.Span, New: text, Order: commit.OrderOther}
	data, err := c.Repo.Read(change.File)
	if err != nil {
		return change, err
	}
	rendered := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if string(rendered) != lines.Source.Text {
		return change, engine.Refuse("%s differs from what was rendered, or was changed in the meantime: %s", change.File, byHand)
	}
	change.Span.Start += len(data) - len(rendered)
	change.Span.End += len(data) - len(rendered)
	return change, nil
}

// refuseUncertain refuses a fix because lines of a template are uncertain, for the reason in an error.
func refuseUncertain(err error, what string) error {
	var refused *block.RefusedError
	if !errors.As(err, &refused) {
		return engine.Refuse("%v: %s", err, what)
	}
	kind, _, _ := strings.Cut(refused.Reason, "{{") // what the template contains
	return &engine.Refusal{Reason: fmt.Sprintf("%s: %s: %s", placeName(refused.Place), refused.Reason, what), Alike: kind + what}
}

// placeName writes a place in the form of positions.
func placeName(at render.Place) string {
	name := at.File
	if at.Inside != "" {
		name += " (" + at.Inside + ")"
	}
	if at.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
}
