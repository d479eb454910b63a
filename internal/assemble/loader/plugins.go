package loader

import (
	"fmt"
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/plugins"
	"github.com/salint/salint/internal/render"
)

// withPlugins returns the kustomizations with what their plugins and charts read: the files that the configuration of a program
// names, and the charts that are rendered. Other kustomizations stay the same.
func (a Assembly) withPlugins() []*objects.Kustomization {
	if a.Files == nil {
		return a.Kustomizations
	}
	paths := sync.OnceValue(func() *pathset.Set { return pathset.Of(a.Names) })
	exists := func(name string) bool { return paths().Has(name) }
	all := make([]*objects.Kustomization, len(a.Kustomizations))
	for i, k := range a.Kustomizations {
		all[i] = k
		if !slices.ContainsFunc(k.Transforms, func(t objects.Transform) bool { return namesInputs[t.Field] }) {
			continue
		}
		leftOut, renderings := a.pluginInputs(k, exists)
		if len(leftOut)+len(renderings) == 0 {
			continue
		}
		with := *k
		with.LeftOut, with.Renderings = leftOut, renderings
		all[i] = &with
	}
	return all
}

// namesInputs are the fields with plugins and charts.
var namesInputs = map[string]bool{"generators": true, "transformers": true, "validators": true, "helmCharts": true}

func (a Assembly) pluginInputs(k *objects.Kustomization, exists func(string) bool) (left []objects.LeftOut, renderings []objects.Rendering) {
	charts := render.ChartEntries(k.Doc.Root)
	for _, p := range plugins.Of(k, a.Files.ReadFile) {
		for _, config := range p.Configs {
			if entry, ok := render.ChartGenerator(config); ok {
				charts = append(charts, entry)
				continue
			}
			if config.Builtin() {
				continue
			}
			if l, reads := leftOutBy(k, config, exists); reads {
				left = append(left, l)
			}
		}
	}
	for _, entry := range charts {
		if chart, values, local := entry.Chart(a.Files, k.Dir); local {
			renderings = append(renderings, objects.Rendering{Chart: chart, Values: values})
		}
	}
	return left, renderings
}

// leftOutBy returns the files that a configuration names. The policy generator applies its manifests as they are, and names other
// files as well.
func leftOutBy(k *objects.Kustomization, config plugins.Config, exists func(string) bool) (objects.LeftOut, bool) {
	files := config.Paths(k.Dir, exists)
	if config.IsPolicyGenerator() {
		files = plugins.ReadPolicyGenerator(config, k.Dir).Without(files)
	}
	return objects.LeftOut{
		Position: config.Position, Files: files,
		Reason: fmt.Sprintf("the %s %s reads it, and salint runs no programs", config.Kind(), config.Name()),
	}, len(files) > 0
}
