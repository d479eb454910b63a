package block

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
)

// Key returns where a template writes the key of a field: Origin.Span is exactly the key with its quotes. Replacing it
// changes exactly the fields that [Reader.Keyed] returns.
//
// The error is a *RefusedError.
func (r *Reader) Key(t render.Template, doc *manifest.Document, path manifest.Path) (Origin, error) {
	f, err := r.field(t, doc, path)
	if err != nil {
		return Origin{}, err
	}
	start := f.key.From + f.span.Start - f.key.Start
	span := manifest.Span{Start: start, End: start + len(f.name)}
	if span.End > f.key.To || f.file.Slice(span) != f.name {
		return Origin{}, f.refuse("several parts of the template write its key")
	}
	o, err := r.origin(t, f.key, f.file, span)
	o.Key, o.name = start, f.name
	return o, err
}

// Keyed returns the fields whose key was written at an origin, in any template of this rendering. The origin can be of
// another rendering of the chart. It is false if the text of a key was changed after it was written.
func (r *Reader) Keyed(o Origin) (found []Written, ok bool) {
	for _, t := range r.templates {
		for _, piece := range t.Pieces {
			s := t.Sources[piece.Source]
			if s.File != o.Source.File || s.Inside != o.Source.Inside || piece.From > o.Span.Start || piece.To < o.Span.End || t.IsAction(piece) {
				continue
			}
			if !t.Exact(piece) {
				return nil, false
			}
			found = append(found, Written{t.Name, piece.Start + o.Span.Start - piece.From})
		}
	}
	return found, true
}
