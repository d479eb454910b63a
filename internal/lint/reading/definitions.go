package reading

import (
	"context"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
)

// Definitions returns the CustomResourceDefinitions of kinds in a tree.
func Definitions(ctx context.Context, tree loader.Tree, walk repo.WalkOptions, kinds []string) ([]map[string]any, error) {
	w, err := loader.Read(ctx, tree, loader.Options{
		Kinds: map[string][]string{"CustomResourceDefinition": kinds}, Walk: walk, AsWritten: true,
	})
	if err != nil {
		return nil, err
	}
	var definitions []map[string]any
	for _, o := range w.Objects {
		definitions = append(definitions, o.JSON())
	}
	return definitions, nil
}
