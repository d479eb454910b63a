package render

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
)

// ChartOptions configure how a chart is rendered, as the flags of `helm template` do.
type ChartOptions struct {
	Limits  Limits
	Workers *Workers // as in KustomizeOptions
	// ReleaseName and Namespace are those of the release; the defaults are "release-name" and "default".
	ReleaseName, Namespace string
	// Values are merged over values.yaml; later ones win.
	Values []ValuesFile
	// KubeVersion is the version in .Capabilities, as 1.34 or v1.34.2; the default is DefaultKubeVersion. APIVersions are
	// added to the built-in ones, as group/version or group/version/Kind.
	KubeVersion string
	APIVersions []string
	// Stable leaves out the alpha and beta versions that Helm takes for present when it does not ask a cluster.
	Stable bool
	// Elsewhere is called with what the chart renders differently on each other cluster; nil does not look for it. Clusters differ in the
	// version of Kubernetes, if KubeVersion is "", and in API versions that templates test without naming them.
	Elsewhere func(Elsewhere)
	// Dependencies is what builds the dependencies that are in the repository.
	Dependencies DependencyBuild
	// Trace traces the text to the templates, which renders the chart several times. A trace that exceeds the limits is
	// left out.
	Trace bool
	// inline and nameTemplate are those of an entry of `helmCharts`.
	inline       *protocol.InlineValues
	nameTemplate string
	// Note is called with everything about the chart that was not checked, in a fixed order. It can be nil.
	Note func(string)
}

// ValuesFile is a file of values; Name is used in messages.
type ValuesFile struct {
	Name string
	Data []byte
}

// Template is a rendered file of a chart.
type Template struct {
	// Name is Helm's name for it: the names of the charts that contain it, and its path.
	Name string
	// File is its path in the tree. For a template in an archive, File is the archive and Inside the path in it.
	File, Inside string
	// Source is the template, Text the rendered text.
	Source, Text string
	// CRD is set for a file of crds/, which is applied unchanged.
	CRD bool
	// Traced is set if the text was traced, as requested by ChartOptions.Trace. Pieces are the parts of the text, without
	// the blanks between them, sorted by start. Sources are all templates of the chart, including those that only others
	// use.
	Traced  bool
	Pieces  []Piece
	Sources []Source

	plain *Source // source of a template without actions
}

// Elsewhere is what a chart renders on clusters that differ in one thing: they have other APIVersions, do not have the Removed ones, which
// Helm takes for present, or are of another KubeVersion.
type Elsewhere struct {
	APIVersions, Removed []string
	KubeVersion          string
	// Templates are those with another text, which can be blank.
	Templates []Template
}

const (
	// HookAnnotation marks an object that Helm applies as a hook: before or after the others, or never.
	HookAnnotation = "helm.sh/hook"

	// DefaultKubeVersion is the default Kubernetes version for charts. The default of Helm's library is outdated.
	DefaultKubeVersion = "v1.34.4"

	// NewestKubeVersion is that of Elsewhere for versions that do not exist yet.
	NewestKubeVersion = protocol.NewestKubeVersion

	defaultRelease   = "release-name"
	defaultNamespace = "default"
)

// IsHook reports whether an object of a chart is a hook.
func IsHook(o rendered.Object) bool { return o.Annotation(HookAnnotation) != "" }

// Chart renders a chart, which is a folder or an archive, as `helm template --include-crds` does, and returns its objects:
// CRDs first, then those of the templates sorted by name, including hooks. `lookup` finds nothing, and names are not
// resolved. Random values are the same each time.
//
// The error is an *Error, with the template's line if Helm reports it, a *LimitError, or that of the context.
func Chart(ctx context.Context, tree Files, dir string, o ChartOptions) ([]rendered.Object, error) {
	templates, err := Templates(ctx, tree, dir, o)
	if err != nil {
		return nil, err
	}
	var objects []rendered.Object
	for _, template := range templates {
		found, err := template.objects(path.Clean(dir))
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

// Templates renders a chart as [Chart] does, and returns the rendered files that are not empty.
func Templates(ctx context.Context, tree Files, dir string, o ChartOptions) ([]Template, error) {
	dir = path.Clean(dir)
	workers, done := o.Workers.orNew(o.Limits)
	defer done()
	request, from, err := o.request(tree, dir, workers.limits.Input)
	if err != nil {
		return nil, err
	}
	result, err := workers.run(ctx, job{request: protocol.Request{Chart: request}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if result.Error != nil {
		return nil, chartError(from, *result.Error)
	}
	for _, note := range result.Notes {
		if o.Note != nil {
			o.Note(note)
		}
	}
	for _, other := range result.Elsewhere {
		there := traced(from, &protocol.Result{Templates: other.Templates})
		o.Elsewhere(Elsewhere{other.APIVersions, other.Removed, other.KubeVersion, there})
	}
	return traced(from, result), nil
}

func (o ChartOptions) request(tree Files, dir string, limit int64) (*protocol.Chart, parts, error) {
	request := &protocol.Chart{
		ReleaseName: o.ReleaseName, Namespace: o.Namespace,
		KubeVersion: o.KubeVersion, APIVersions: o.APIVersions, Trace: o.Trace,
		Inline: o.inline, NameTemplate: o.nameTemplate,
		Elsewhere: o.Elsewhere != nil, AnyKubeVersion: o.Elsewhere != nil && o.KubeVersion == "", Stable: o.Stable,
	}
	if request.ReleaseName == "" {
		request.ReleaseName = defaultRelease
	}
	if request.KubeVersion == "" {
		request.KubeVersion = DefaultKubeVersion
	}
	if request.Namespace == "" {
		request.Namespace = defaultNamespace
	}
	for _, values := range o.Values {
		if limit -= int64(len(values.Data)); limit < 0 {
			return nil, parts{}, tooMuch("%s: the values are too large: %s", dir, values.Name)
		}
		request.Values = append(request.Values, protocol.File{Name: values.Name, Data: values.Data})
	}
	files, from, err := chartFiles(tree, dir, limit, o.Dependencies)
	request.Files = files
	return request, from, err
}

// chartError converts Helm's message to an error at its position.
func chartError(from parts, fault protocol.Error) error {
	err := &Error{File: path.Join(from.dir, chartFile), Line: 1, Message: "helm: " + fault.Message}
	if path.Ext(from.dir) == archiveExt {
		err.File, err.Line = from.dir, 0
	}
	if fault.File == "" && fault.Inside == "" {
		return err
	}
	err.File, err.Line, err.Column = from.place(fault.File), fault.Line, fault.Column
	if fault.Inside != "" { // lines inside an archive have no position
		err.Message = fmt.Sprintf("%s:%d: %s", fault.Inside, fault.Line, err.Message)
		err.Line, err.Column = 0, 0
	}
	return err
}

var errNoChart = errors.New("it contains no Chart.yaml")
