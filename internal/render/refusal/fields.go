package refusal

//lint:file-ignore SA1019 kustomize still reads the deprecated fields, and refuses what is wrong in them.

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/ifc"
	"sigs.k8s.io/kustomize/api/kv"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// named returns a refusal if a file that a field names cannot be read; nil if it can, or if that is not known.
func (v *visit) named(at manifest.Path, field, name string) (data []byte, refusal *Refusal) {
	if isElsewhere(name) {
		return nil, nil
	}
	data, _, s := v.readFile(name)
	switch s {
	case isMissing:
		return nil, v.missing(at, "%s: %q does not exist", field, name)
	case isOutside:
		return nil, v.outside(at, "%s: %q is not in or below the folder of the kustomization", field, name)
	case unknown:
		return nil, nil
	}
	if isTemplate(data) {
		return nil, nil
	}
	return data, nil
}

// openAPI checks the schema, which kustomize reads at once and parses when it first needs it.
func (v *visit) openAPI() *Refusal {
	name, set := v.read.OpenAPI["path"]
	if !set {
		return nil
	}
	at := manifest.Path{"openapi", "path"}
	data, refusal := v.named(at, "openapi", name)
	if refusal != nil || data == nil {
		return refusal
	}
	if _, both := v.read.OpenAPI["version"]; both && len(v.open) == 1 {
		return v.refuse(at, "openapi: version and path cannot both be set")
	}
	return nil
}

// definition is what kustomize reads of a type in a file of `crds` (api/internal/accumulator/loadconfigfromcrds.go).
type definition struct {
	Schema       struct{ Properties map[string]any }
	Dependencies []string
}

// schemas checks the files of `crds`. They are definitions of OpenAPI, and no CustomResourceDefinitions.
func (v *visit) schemas() *Refusal {
	for i, name := range v.read.Crds {
		at := v.entry("crds", i)
		data, refusal := v.named(at, "crds", name)
		if refusal != nil {
			return refusal
		}
		if data == nil {
			continue
		}
		types := map[string]definition{}
		var err error
		switch {
		case len(data) == 0:
			err = errors.New("empty")
		case data[0] == '{':
			err = json.Unmarshal(data, &types)
		default:
			err = yaml.Unmarshal(data, &types)
		}
		if err != nil {
			return v.refuse(at, "crds: %q does not hold definitions of OpenAPI, such as kustomize reads here", name)
		}
	}
	return nil
}

// generators adds the ConfigMaps and Secrets that are generated.
func (v *visit) generators() *Refusal {
	for i, args := range v.read.ConfigMapGenerator {
		if refusal := v.generate("configMapGenerator", i, args.GeneratorArgs, "ConfigMap"); refusal != nil {
			return refusal
		}
	}
	for i, args := range v.read.SecretGenerator {
		if refusal := v.generate("secretGenerator", i, args.GeneratorArgs, "Secret"); refusal != nil {
			return refusal
		}
	}
	if len(v.read.Generators) > 0 {
		v.into.hide()
	}
	return nil
}

func (v *visit) generate(field string, i int, args types.GeneratorArgs, kind string) *Refusal {
	at := v.entry(field, i)
	if args.Name == "" {
		return v.refuse(at, "%s: an item has no name", field)
	}
	if refusal := v.sources(at, field, args); refusal != nil {
		return refusal
	}
	made := object{id: resid.NewResIdWithNamespace(resid.NewGvk("", "v1", kind), args.Name, args.Namespace), file: v.file}
	joins := slices.Contains([]string{"merge", "replace"}, args.Behavior)
	i, there := v.into.byID[key(made.id)]
	switch {
	case there && !joins:
		return v.refuse(at, "%s: %s of %s has this name, so behavior must be merge or replace", field, made, v.into.list[i].file)
	case there:
		return nil
	case joins && v.into.isExact():
		return v.refuse(at, "%s: there is no %s for behavior %s", field, made, args.Behavior)
	case joins:
		v.depends(field, i, v.lacksObject(kind, args.Name))
		return nil
	}
	v.into.add(made)
	return nil
}

// sources checks what a generator reads, with kustomize's own code.
func (v *visit) sources(at manifest.Path, field string, args types.GeneratorArgs) *Refusal {
	files := &sourceFiles{visit: v, at: at, field: field}
	loader := kv.NewLoader(files, provider.NewDefaultDepProvider().GetFieldValidator())
	maker := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory())
	args.Behavior = ""
	_, err := maker.FromConfigMapArgs(loader, types.ConfigMapArgs{GeneratorArgs: args})
	switch {
	case files.refusal != nil:
		return files.refusal
	case err == nil, files.open:
		return nil
	}
	return v.refuse(at, "%s: %s cannot be generated: its sources are not valid", field, args.Name)
}

// sourceFiles are the files that a generator reads.
type sourceFiles struct {
	visit   *visit
	at      manifest.Path
	field   string
	refusal *Refusal
	open    bool
}

var errUnread = errors.New("not read")

// Load returns the content of a file.
func (f *sourceFiles) Load(name string) ([]byte, error) {
	data, refusal := f.visit.named(f.at, f.field, name)
	switch {
	case refusal != nil:
		f.refusal = refusal
		return nil, errUnread
	case data == nil:
		f.open = true
		return nil, errUnread
	}
	return data, nil
}

// Repo, Root, New and Cleanup are the parts of a loader that generators do not use.
func (f *sourceFiles) Repo() string                   { return "" }
func (f *sourceFiles) Root() string                   { return f.visit.dir }
func (f *sourceFiles) New(string) (ifc.Loader, error) { return nil, errUnread }
func (f *sourceFiles) Cleanup() error                 { return nil }

// charts checks the values and the place of charts. Without a values file, kustomize reads that of the chart, which must then be in or below
// the folder (api/internal/builtins/HelmChartInflationGenerator.go).
func (v *visit) charts() *Refusal {
	home := types.HelmDefaultHome
	if v.read.HelmGlobals != nil && v.read.HelmGlobals.ChartHome != "" {
		home = v.read.HelmGlobals.ChartHome
	}
	for i, chart := range v.read.HelmCharts {
		v.into.hide()
		if refusal := v.chart(v.entry("helmCharts", i), home, chart); refusal != nil {
			refusal.Uncertain = true
			return refusal
		}
	}
	return nil
}

func (v *visit) chart(at manifest.Path, home string, chart types.HelmChart) *Refusal {
	if chart.Name == "" {
		return v.refuse(at, "helmCharts: an item has no name")
	}
	for _, name := range chart.AdditionalValuesFiles {
		if _, refusal := v.named(at, "helmCharts", name); refusal != nil {
			return refusal
		}
	}
	if chart.Version != "" && chart.Repo != "" {
		home = path.Join(home, chart.Name+"-"+chart.Version)
	}
	folder := path.Join(home, chart.Name)
	if chart.ValuesFile != "" {
		_, refusal := v.named(at, "helmCharts", chart.ValuesFile)
		return refusal
	}
	_, target, state := v.readFile(path.Join(folder, "values.yaml"))
	isLocal := v.walk.isDir(path.Join(v.dir, folder))
	switch {
	case state == isOutside || !v.options.Unrestricted && state == isMissing && !isWithin(target, v.dir):
		return v.outside(at, "helmCharts: the chart %s is not in or below the folder of the kustomization, where kustomize reads its values: set valuesFile to a file there", folder)
	case state == isMissing && isLocal:
		return v.refuse(at, "helmCharts: the chart %s has no values.yaml: set valuesFile", folder)
	}
	return nil
}

// inputs checks the other files that the kustomization names.
func (v *visit) inputs() *Refusal {
	for i, p := range v.read.Patches {
		if refusal := v.patch("patches", i, p); refusal != nil {
			return refusal
		}
	}
	for i, p := range v.read.PatchesJson6902 {
		if refusal := v.patch("patchesJson6902", i, p); refusal != nil {
			return refusal
		}
	}
	for i, r := range v.read.Replacements {
		if r.Path != "" {
			if _, refusal := v.named(v.entry("replacements", i), "replacements", r.Path); refusal != nil {
				return refusal
			}
		}
	}
	for i, name := range v.read.Configurations {
		if _, refusal := v.named(v.entry("configurations", i), "configurations", name); refusal != nil {
			return refusal
		}
	}
	if refusal := v.plugins("transformers", v.read.Transformers); refusal != nil {
		return refusal
	}
	if refusal := v.plugins("validators", v.read.Validators); refusal != nil {
		return refusal
	}
	for i, p := range v.read.PatchesStrategicMerge {
		if name := string(p); isFileName(name) {
			if _, refusal := v.named(v.entry("patchesStrategicMerge", i), "patchesStrategicMerge", name); refusal != nil {
				return refusal
			}
		}
	}
	return nil
}

// plugins checks the files that configure transformers or validators. Folders are kustomizations.
func (v *visit) plugins(field string, entries []string) *Refusal {
	for i, name := range entries {
		if !isFileName(name) || v.walk.isDir(path.Join(v.dir, name)) {
			continue
		}
		if _, refusal := v.named(v.entry(field, i), field, name); refusal != nil {
			return refusal
		}
	}
	return nil
}

// order checks how the objects of the whole build are sorted (api/internal/builtins/SortOrderTransformer.go).
func (v *visit) order() *Refusal {
	options, at := v.read.SortOptions, manifest.Path{"sortOptions"}
	switch {
	case options == nil || len(v.open) != 1:
		return nil
	case options.Order != types.FIFOSortOrder && options.Order != types.LegacySortOrder:
		return v.refuse(at, "sortOptions: order is %q: write fifo or legacy", options.Order)
	case options.Order == types.FIFOSortOrder && options.LegacySortOptions != nil:
		return v.refuse(at, "sortOptions: legacySortOptions is set, and order is fifo")
	}
	return nil
}

// isFileName reports whether an entry that can also hold the text itself names a file.
func isFileName(entry string) bool { return entry != "" && !strings.ContainsAny(entry, "\n{:") }

func (v *visit) patch(field string, i int, p types.Patch) *Refusal {
	inline := strings.TrimSpace(p.Patch) != ""
	switch {
	case inline && p.Path != "":
		return v.refuse(v.entry(field, i), "%s: path and patch cannot both be set", field)
	case !inline && p.Path == "":
		return v.refuse(v.entry(field, i), "%s: an item has neither path nor patch", field)
	case inline:
		return nil
	}
	_, refusal := v.named(v.entry(field, i), field, p.Path)
	return refusal
}

// scalable are the kinds that kustomize scales, apart from those that configurations add.
var scalable = []string{"Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"}

// replicas refuses a count for an object that does not exist.
func (v *visit) replicas() *Refusal {
	if !v.into.isExact() || len(v.read.Configurations) > 0 {
		return nil
	}
	for i, r := range v.read.Replicas {
		matches := func(o object) bool { return o.id.Name == r.Name && slices.Contains(scalable, o.id.Kind) }
		if !slices.ContainsFunc(v.into.list, matches) {
			return v.refuse(v.entry("replicas", i), "replicas: no object named %s has replicas that kustomize can set", r.Name)
		}
	}
	return nil
}

// changes reports whether the kustomization may change names, or remove objects.
func (v *visit) changes() bool {
	return v.read.NamePrefix != "" || v.read.NameSuffix != "" || v.read.Namespace != "" || len(v.read.Patches)+len(v.read.PatchesJson6902)+len(v.read.PatchesStrategicMerge)+
		len(v.read.Replacements)+len(v.read.Vars)+len(v.read.Transformers)+len(v.read.Validators)+len(v.read.Configurations) > 0 ||
		slices.ContainsFunc(v.read.Labels, func(l types.Label) bool { return len(l.FieldSpecs) > 0 })
}
