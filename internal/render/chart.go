package render

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/wire"
)

// ChartOptions say how a chart is rendered, as the flags of `helm template` do.
type ChartOptions struct {
	Limits  Limits
	Workers *Workers // as in KustomizeOptions
	// ReleaseName and Namespace are those of the release; "release-name" and "default" when they are empty.
	ReleaseName, Namespace string
	// Values are merged over values.yaml, the later win.
	Values []ValuesFile
	// KubeVersion is what .Capabilities says, in the forms 1.34 and v1.34.2; empty is DefaultKubeVersion. APIVersions are
	// known besides the built-in ones, as group/version or group/version/Kind.
	KubeVersion string
	APIVersions []string
	// Trace asks where the text came from: the chart is rendered several times for that. What it would cost beyond the
	// limits is left out.
	Trace bool
	// Note is called with everything about the chart that was not looked at, in a fixed order. It may be nil.
	Note func(string)
}

// ValuesFile is a file of values; its name is for messages.
type ValuesFile struct {
	Name string
	Data []byte
}

// Template is one file of a chart, rendered.
type Template struct {
	// Name is what Helm calls it: the names of the charts it lies in, and its path.
	Name string
	// File is where it lies in the tree; for a template in an archive the archive, and Inside its path there.
	File, Inside string
	// Source is the template, Text what it rendered to.
	Source, Text string
	// CRD is true for a file of crds/, which is applied as it stands.
	CRD bool
	// Traced is true when it is known where the text came from, as far as ChartOptions.Trace asked for it: Pieces are what
	// it consists of, blanks between them aside, in the order of their beginnings. Sources are all templates of the chart,
	// those that are only there for others included.
	Traced  bool
	Pieces  []Piece
	Sources []Source

	plain *Source // of a template with nothing to render
}

const (
	// HookAnnotation marks an object that Helm applies as a hook: before or after the others, or never on its own.
	HookAnnotation = "helm.sh/hook"

	// DefaultKubeVersion is the Kubernetes that charts are rendered for: the one whose built-in roles salint knows. Helm's
	// library has no current one of its own.
	DefaultKubeVersion = "v1.34.4"

	defaultRelease   = "release-name"
	defaultNamespace = "default"
)

// IsHook tells whether an object of a chart is a hook.
func IsHook(o rendered.Object) bool { return o.Annotation(HookAnnotation) != "" }

// Chart renders a chart, a folder or an archive, as `helm template --include-crds` does, and gives its objects: CRDs first,
// then those of the templates in the order of their names, hooks among them. `lookup` finds nothing, and no name server is
// asked. What a chart draws by chance is the same every time.
//
// The error is an *Error with the template's line where Helm says it, a *LimitError, or that of the context.
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

// Templates is [Chart], one step earlier: the rendered files that are not empty.
func Templates(ctx context.Context, tree Files, dir string, o ChartOptions) ([]Template, error) {
	dir = path.Clean(dir)
	workers, done := o.Workers.orOwn(o.Limits)
	defer done()
	request, err := o.request(tree, dir, workers.limits.Input)
	if err != nil {
		return nil, err
	}
	result, err := workers.run(ctx, wire.Request{Chart: request}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if result.Error != nil {
		return nil, chartError(dir, *result.Error)
	}
	for _, note := range result.Notes {
		if o.Note != nil {
			o.Note(note)
		}
	}
	return traced(dir, result), nil
}

func (o ChartOptions) request(tree Files, dir string, limit int64) (*wire.Chart, error) {
	request := &wire.Chart{
		ReleaseName: o.ReleaseName, Namespace: o.Namespace,
		KubeVersion: o.KubeVersion, APIVersions: o.APIVersions, Trace: o.Trace,
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
			return nil, tooMuch("%s: the values are too large: %s", dir, values.Name)
		}
		request.Values = append(request.Values, wire.File{Name: values.Name, Data: values.Data})
	}
	files, err := chartFiles(tree, dir, limit)
	request.Files = files
	return request, err
}

// chartError puts Helm's message where it belongs.
func chartError(dir string, fault wire.Error) error {
	err := &Error{File: path.Join(dir, "Chart.yaml"), Line: 1, Message: "helm: " + fault.Message}
	if path.Ext(dir) == archiveExt {
		err.File, err.Line = dir, 0
	}
	if fault.File == "" && fault.Inside == "" {
		return err
	}
	err.File, err.Line, err.Column = path.Join(dir, fault.File), fault.Line, fault.Column
	if fault.Inside != "" { // a line inside an archive is no line of the archive
		err.Message = fmt.Sprintf("%s:%d: %s", fault.Inside, fault.Line, err.Message)
		err.Line, err.Column = 0, 0
	}
	return err
}

var errNoChart = errors.New("no Chart.yaml in it")
