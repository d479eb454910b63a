package identity

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// checkReplacementSources refuses to remove a field that a replacement of a kustomization reads: kustomize would fail.
func checkReplacementSources(c *engine.Context, variants []*Variant) error {
	for _, v := range variants {
		for _, unit := range v.Units {
			for _, k := range unit.Kustomizations {
				source, err := replacementReading(c, k, v, v.objectIn(unit))
				if err != nil {
					return err
				}
				if source != "" {
					return engine.Refuse("the replacement at %s reads %s of %s, and kustomize fails if that is missing: "+
						"remove the replacement first", source, v.Account.Path, engine.NameOf(v.objectIn(unit)))
				}
			}
		}
	}
	return nil
}

// replacementReading returns the place of a replacement in a kustomization that reads the account of an extension; "" if
// there is none.
func replacementReading(c *engine.Context, k *objects.Kustomization, v *Variant, o *objects.Object) (string, error) {
	for _, item := range itemsIn(k.Doc.Root.Get("replacements")) {
		file := item.Get("path").String()
		if file == "" {
			if at := accountSource(item, v, o); at != nil {
				return placeOf(k.Doc, at), nil
			}
			continue
		}
		read, err := c.Repo.File(path.Join(k.Dir, file))
		if err != nil || read == nil {
			return "", err
		}
		for _, doc := range read.Docs {
			if doc.Parse() != nil {
				continue
			}
			for _, item := range append(itemsIn(doc.Root), doc.Root) {
				if at := accountSource(item, v, o); at != nil {
					return placeOf(doc, at), nil
				}
			}
		}
	}
	return "", nil
}

// accountSource returns the source of a replacement if it is the account of an extension, or a field around it; otherwise
// nil.
func accountSource(replacement *manifest.Node, v *Variant, o *objects.Object) *manifest.Node {
	source := replacement.Get("source")
	field := source.Get("fieldPath").String()
	if kind := source.Get("kind").String(); field == "" || kind != "" && kind != o.Kind {
		return nil
	}
	names := []string{"", v.Name, o.Name}
	if written := o.Source(); written != nil {
		names = append(names, written.Name)
	}
	if !slices.Contains(names, source.Get("name").String()) {
		return nil
	}
	steps := strings.Split(field, ".")
	n := min(len(steps), len(v.Account.Path))
	if !slices.Equal(steps[:n], v.Account.Path[:n]) {
		return nil
	}
	return source
}

// itemsIn returns the items of a list; none for another node.
func itemsIn(n *manifest.Node) []*manifest.Node {
	if !n.IsSequence() {
		return nil
	}
	return slices.Clone(n.Items())
}

func placeOf(doc *manifest.Document, n *manifest.Node) string {
	line, _ := doc.File.Position(n.Span().Start)
	return fmt.Sprintf("%s:%d", doc.File.Path, line)
}
