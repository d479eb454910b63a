package lint

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/repo"
	"github.com/salint/salint/rules"
)

// Tree is where manifests come from: a repository, or standard input.
type Tree interface {
	// Walk reads the manifests and calls visit with each, concurrently. What it could not read is in the list.
	Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error)
	Read(path string) ([]byte, error)
	// Selected tells whether the user asked about a file.
	Selected(path string) bool
}

// reader reads a tree in two steps: first the bytes of every file decide which documents could matter, and then only
// those are parsed. A repository without an object that any rule judges is not parsed at all.
type reader struct {
	registry *rules.Registry
	enabled  []string
	// judged documents start the work, context is wanted then, and of connected only what names lead to.
	judged, context, connected *manifest.Interest

	mu      sync.Mutex
	library library
	kinds   map[string]bool // of the documents that rules judge; "" when one does not show its kind
	related *related
	parse   map[*manifest.Document]bool // the documents that matter
	// role is a ClusterRole that the user named, or "".
	role string
}

func newReader(registry *rules.Registry, enabled []string, role string) *reader {
	interest := registry.Interest(enabled)
	return &reader{
		registry:  registry,
		role:      role,
		enabled:   enabled,
		judged:    manifest.NewInterest(interest.Judged),
		context:   manifest.NewInterest(withSigns(interest.Context)),
		connected: manifest.NewInterest(withTokens(interest.Connected)),
		kinds:     map[string]bool{},
		related:   newRelated(),
		parse:     map[*manifest.Document]bool{},
		library:   library{files: map[string]*manifest.File{}, texts: map[string][]byte{}},
	}
}

// withSigns adds the kinds that tell the target of a unit: they matter to every rule.
func withSigns(kinds map[string][]string) map[string][]string {
	for kind, words := range olm.SignKinds() {
		if _, there := kinds[kind]; !there {
			kinds[kind] = words
		}
	}
	return kinds
}

// withTokens adds the Secrets with tokens of accounts. No rule judges them, but they go with an account that is pruned.
func withTokens(kinds map[string][]string) map[string][]string {
	if _, there := kinds["Secret"]; !there {
		kinds["Secret"] = []string{"kubernetes.io/service-account-token"}
	}
	return kinds
}

// read walks the tree and parses what matters.
func (r *reader) read(ctx context.Context, tree Tree, o repo.WalkOptions) (*library, error) {
	skipped, err := tree.Walk(ctx, o, r.visit)
	if err != nil {
		return nil, err
	}
	lib := &r.library
	lib.skipped = skipped
	slices.Sort(lib.names)
	if len(r.kinds) == 0 {
		lib.files, lib.texts = nil, nil
		return lib, nil
	}
	r.narrow()
	r.choose()
	return lib, r.parseAll(ctx)
}

// visit looks at the bytes of one file. It is called by several goroutines.
func (r *reader) visit(file repo.File) {
	if at := bytes.IndexByte(file.Data, 0); at >= 0 {
		r.noteBinary(file, at)
		return
	}
	f := manifest.Scan(file.Path, file.Data)
	var kinds []string
	keep := inventory.IsKustomizationFile(file.Path)
	for _, doc := range f.Docs {
		switch {
		case r.judged.Wants(doc):
			kinds = append(kinds, doc.Kind())
		case r.context.Wants(doc) || r.connected.Wants(doc):
			keep = true
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.library.names = append(r.library.names, file.Path)
	r.library.keepText(file)
	r.library.documents += len(f.Docs)
	for _, kind := range kinds {
		if manifest.IsContainer(kind) {
			kind = "" // what it holds is not known yet
		}
		r.kinds[kind] = true
	}
	if keep || len(kinds) > 0 {
		r.library.files[file.Path] = f
	}
}

// noteBinary says that a file is no text, whatever its name. Text in UTF-16 has zero bytes as well.
func (r *reader) noteBinary(file repo.File, at int) {
	message := "not text, for it has a zero byte here, so the file was not checked"
	if bytes.HasPrefix(file.Data, []byte("\xff\xfe")) || bytes.HasPrefix(file.Data, []byte("\xfe\xff")) {
		message, at = "text in UTF-16, so the file was not checked: save it as UTF-8", 0
	}
	place := finding.Range{Start: at, End: at}
	place.Line, place.Column = (&manifest.File{Path: file.Path, Data: file.Data}).Position(at)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.library.names = append(r.library.names, file.Path)
	r.library.keepText(file)
	r.library.findings = append(r.library.findings, aboutFile(ruleUnparsable, file.Path, place, message))
}

// narrow drops what only those rules want that judge none of the kinds there are.
func (r *reader) narrow() {
	if r.kinds[""] {
		return
	}
	interest := r.registry.Interest(r.enabled, slices.Collect(maps.Keys(r.kinds))...)
	r.context = manifest.NewInterest(withSigns(interest.Context))
	r.connected = manifest.NewInterest(withTokens(interest.Connected))
}

// choose decides which documents are parsed, and lets go of the files that have none.
func (r *reader) choose() {
	var seeds []*manifest.Document
	for _, f := range r.library.files {
		for _, doc := range f.Docs {
			switch {
			case r.judged.Wants(doc):
				seeds = append(seeds, doc)
			case r.context.Wants(doc):
				r.parse[doc] = true
			case r.connected.Wants(doc):
				r.related.add(doc)
			}
		}
	}
	for _, doc := range slices.Concat(seeds, r.related.to(seeds, r.role)) {
		r.parse[doc] = true
	}
	for path, f := range r.library.files {
		if !inventory.IsKustomizationFile(path) && !slices.ContainsFunc(f.Docs, r.matters) {
			delete(r.library.files, path)
		}
	}
}

func (r *reader) matters(doc *manifest.Document) bool { return r.parse[doc] }

// parseAll parses the documents that matter, several files at a time, and makes objects of them in the order of names.
func (r *reader) parseAll(ctx context.Context) error {
	charts := inventory.FindCharts(r.library.names)
	var paths []string
	for path := range r.library.files {
		if chart, template := charts.Template(path); template {
			r.noteChart(chart, path)
			continue
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	results := make([]parsedFile, len(paths))
	err := parallel(ctx, len(paths), func(i int) {
		results[i] = r.parseFile(r.library.files[paths[i]])
	})
	if err != nil {
		return err
	}
	for _, result := range results {
		r.library.add(result)
	}
	return nil
}

func (r *reader) parseFile(f *manifest.File) parsedFile {
	var result parsedFile
	isKustomization := inventory.IsKustomizationFile(f.Path)
	for _, doc := range f.Docs {
		if !isKustomization && !r.matters(doc) {
			continue
		}
		result.parsed++
		if err := doc.Parse(); err != nil {
			result.findings = append(result.findings, unparsable(doc, err))
			result.broken = append(result.broken, doc)
			continue
		}
		if !isKustomization {
			result.objects = append(result.objects, inventory.Objects(doc)...)
			continue
		}
		k, err := inventory.ReadKustomization(doc)
		if err != nil {
			result.findings = append(result.findings, aboutFile(ruleNotChecked, f.Path, finding.Range{Line: 1, Column: 1},
				fmt.Sprintf("not taken for a kustomization: %v", err)))
			continue
		}
		result.kustomizations = append(result.kustomizations, k)
	}
	return result
}

// noteChart says once that a chart which could matter is not rendered.
func (r *reader) noteChart(chart, template string) {
	f := r.library.files[template]
	if !slices.ContainsFunc(f.Docs, r.judged.Wants) {
		return
	}
	file := strings.TrimPrefix(chart+"/Chart.yaml", "./")
	for i := range r.library.findings {
		if known := &r.library.findings[i]; known.File == file {
			known.Related = append(known.Related, finding.Related{File: template, Line: 1, Message: "template that was not checked"})
			slices.SortFunc(known.Related, func(a, b finding.Related) int { return strings.Compare(a.File, b.File) })
			return
		}
	}
	note := aboutFile(ruleNotChecked, file, finding.Range{Line: 1, Column: 1},
		"the templates of this Helm chart were not checked: charts are not rendered yet; lint the output of `helm template`")
	note.Related = []finding.Related{{File: template, Line: 1, Message: "template that was not checked"}}
	r.library.findings = append(r.library.findings, note)
}

// parallel calls work with 0 to n-1, on all processors, and stops early when ctx is done.
func parallel(ctx context.Context, n int, work func(i int)) error {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}
