package applications

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
)

// hide finds the files of a chart and of its dependencies that Flux does not fetch: those that it ignores, and symlinks (Storage.Archive
// of fluxcd/pkg/artifact). Without its Chart.yaml, a chart is not built.
func (p *plan) hide(a *gitops.Application, c *chart) {
	if a.Tool != gitops.FluxHelm || p.Charts.Files == nil {
		return
	}
	for _, dir := range c.set.Rendering(p.Charts.Files).Folders() {
		c.hidden = append(c.hidden, p.notFetched(c.source, dir, 0)...)
		file := path.Join(dir, "Chart.yaml")
		if rule, is := c.source.Ignored(file); is {
			c.set.Problems = append(c.set.Problems, objects.Problem{Position: c.source.Location.Position(), Message: fmt.Sprintf(
				"Flux does not fetch %s, because of %s, so it fails to build the chart %s, and nothing of %s is applied", file, rule, c.set.Chart, unitName(a))})
		}
	}
}

// maxDepth is far above what charts have.
const maxDepth = 40

// notFetched returns the files of a folder that Flux does not fetch.
func (p *plan) notFetched(s sources.Source, dir string, depth int) []string {
	entries, err := p.Charts.Files.ReadDir(dir)
	if err != nil || depth > maxDepth {
		return nil // rendering the chart reports it
	}
	var files []string
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		_, ignored := s.Ignored(name)
		switch {
		case entry.Type()&fs.ModeSymlink != 0, ignored && !entry.IsDir():
			files = append(files, name)
		case entry.IsDir() && entry.Name() != ".git":
			files = append(files, p.notFetched(s, name, depth+1)...)
		}
	}
	return files
}
