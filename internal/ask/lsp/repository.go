package lsp

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/render/reuse"
	"github.com/salint/salint/rules/modules"
)

// repository lints the open documents of one repository, in one run at a time. A change during a run cancels it. The mutex of the
// server guards the fields.
type repository struct {
	server *server
	// root is the root without symlinks, folder the folder in which the editor works, and shownRoot the root in URIs.
	root, folder, shownRoot string

	// generation counts the changes. A result counts only if it is of the current generation.
	generation int
	cancel     context.CancelFunc
	wake       chan struct{}
	// disk is nil if the files have to be read again; reads counts how often that was so.
	disk  *disk
	reads int
	// result is that of the last run that was not overtaken, and finished is closed when there is a new one.
	result   *result
	finished chan struct{}
	// published are the URIs of the files that have diagnostics in the editor.
	published map[string]bool
	failure   string // the last failure that was shown to the user

	// policies and builds are kept for all runs.
	policies *modules.Cache
	builds   *reuse.Cache
	// asking is held by a request that reads the repository, so that only one does.
	asking chan struct{}
}

// result is what a run found out about one state of the repository.
type result struct {
	generation int
	state      *snapshot
	project    *Project
	outcome    *session.Outcome
	// err is why nothing was checked.
	err error
	// answers keep what requests have computed about this state, by a name.
	answers map[string]any
}

// snapshot is the state of the documents and files of a repository.
type snapshot struct {
	generation, reads int
	disk              *disk
	// documents are the open documents by name. Those whose text is unknown are not in it, but in unsynced.
	documents, unsynced map[string]*document
	settings            Settings
	// shownRoot is the root in URIs.
	shownRoot string
}

func (s *server) newRepository(root, folder string) *repository {
	r := &repository{
		server: s, root: root, folder: folder, shownRoot: root, wake: make(chan struct{}, 1), finished: make(chan struct{}),
		published: map[string]bool{}, policies: modules.NewCache(), builds: reuse.New(reuse.DefaultMemory), asking: make(chan struct{}, 1),
	}
	s.background.Go(func() { r.loop(s.ctx) })
	return r
}

// name notes under which path the editor has a file, so that the URIs of other files begin alike.
func (r *repository) name(file, name string) {
	if shown, ok := strings.CutSuffix(filepath.ToSlash(file), "/"+name); ok {
		r.shownRoot = filepath.FromSlash(shown)
	}
}

// uri returns the URI of a file: that of the editor if it is open.
func (r *repository) uri(state *snapshot, name string) string {
	if d := state.documents[name]; d != nil {
		return d.uri
	}
	return uriOf(filepath.Join(state.shownRoot, filepath.FromSlash(name)))
}

// readAgain starts a run that reads all files again.
func (r *repository) readAgain() {
	r.disk = nil
	r.reads++
	r.changed()
}

// changed starts a run, and cancels one that goes on.
func (r *repository) changed() {
	r.generation++
	if r.cancel != nil {
		r.cancel()
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// loop runs until the server ends.
func (r *repository) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		runCtx, state := r.begin(ctx)
		if state == nil {
			continue
		}
		out, err := safely(func() (*result, error) { return r.run(runCtx, state), nil })
		if err != nil {
			out = &result{generation: state.generation, state: state, err: err}
		}
		r.finish(out)
	}
}

// begin returns the current state for a run; nil if the last result is about it.
func (r *repository) begin(ctx context.Context) (context.Context, *snapshot) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if r.result != nil && r.result.generation == r.generation {
		return nil, nil
	}
	ctx, r.cancel = context.WithCancel(ctx)
	state := &snapshot{
		generation: r.generation, reads: r.reads, disk: r.disk, settings: r.server.settings, shownRoot: r.shownRoot,
		documents: map[string]*document{}, unsynced: map[string]*document{},
	}
	for _, uri := range slices.Sorted(maps.Keys(r.server.documents)) {
		switch d := r.server.documents[uri]; {
		case d.repository != r:
		case d.unsynced != "":
			state.unsynced[d.name] = d
		default:
			state.documents[d.name] = d
		}
	}
	return ctx, state
}

// run lints one state. The result has no outcome if no document that is open is a manifest.
func (r *repository) run(ctx context.Context, state *snapshot) *result {
	out := &result{generation: state.generation, state: state, answers: map[string]any{}}
	if len(state.documents) == 0 {
		return out
	}
	if out.err = r.open(state); out.err != nil {
		return out
	}
	out.project, out.err = r.project(ctx, state)
	if out.err != nil {
		return out
	}
	checked := map[string]bool{}
	for name := range state.documents {
		checked[name] = repo.IsManifest(name)
	}
	out.outcome, out.err = r.lint(ctx, out, checked, fixing.Fixes{})
	return out
}

// open opens the files of a state. What a run has read of them counts for the next one, also if a keystroke overtakes the run.
func (r *repository) open(state *snapshot) (err error) {
	if state.disk != nil {
		return nil
	}
	if state.disk, err = openDisk(r.root, r.folder); err != nil {
		return err
	}
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	if r.reads == state.reads {
		r.disk = state.disk
	}
	return nil
}

// project reads the configuration.
func (r *repository) project(ctx context.Context, state *snapshot) (*Project, error) {
	return r.server.Project(ctx, Place{
		Repo: state.disk.repo, Folder: r.folder, Settings: state.settings,
		Read: func(file string, limit int64) ([]byte, error) {
			name, err := filepath.Rel(r.root, realPath(file))
			if d := state.documents[filepath.ToSlash(name)]; err == nil && d != nil {
				return d.bytes(), nil
			}
			return state.disk.repo.ReadNamed(file, limit)
		},
	})
}

// tree returns a state as a tree in which some files are selected.
func (r *repository) tree(state *snapshot, selected map[string]bool) *tree {
	open := map[string][]byte{}
	for name, d := range state.documents {
		open[name] = d.bytes()
	}
	return &tree{disk: state.disk, open: open, selected: selected}
}

// lint lints some files, as `salint lint` does, and fixes what fixes select.
func (r *repository) lint(ctx context.Context, of *result, selected map[string]bool, fixes fixing.Fixes) (*session.Outcome, error) {
	o := of.project.Lint
	fixes.Grant, fixes.Shared = o.Fixes.Grant, true
	o.Fixes, o.Tree, o.PolicyCache, o.Builds = fixes, r.tree(of.state, selected), r.policies, r.builds
	return limited(ctx, o.Config.Limits.RunTime, func(ctx context.Context) (*session.Outcome, error) { return session.Run(ctx, o) })
}

// limited ends work that takes longer than a limit, if there is one.
func limited[T any](ctx context.Context, limit time.Duration, work func(context.Context) (T, error)) (T, error) {
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, limit, fmt.Errorf("stopped after %v, the limit of the run (limits.runTime)", limit))
		defer stop()
	}
	out, err := work(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return out, err
}

// finish publishes a result, unless a change has overtaken it.
func (r *repository) finish(out *result) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.cancel()
	r.cancel = nil
	if out.generation != r.generation || r.server.ctx.Err() != nil {
		return // changed has woken the loop
	}
	r.result = out
	r.publish(out)
	close(r.finished)
	r.finished = make(chan struct{})
}

// publish sends the diagnostics of all files that have some, or had some, and of all open documents.
func (r *repository) publish(out *result) {
	all := r.diagnostics(out)
	for name := range out.state.documents {
		all[name] = append([]diagnostic{}, all[name]...)
	}
	failure := ""
	if out.err != nil {
		failure = safetext.Error(out.err)
	}
	if failure != "" && failure != r.failure {
		r.server.out.notify("window/showMessage", messageParams{messageError, "salint: nothing is checked: " + failure})
	}
	r.failure = failure
	for _, fault := range faultsOf(out) {
		r.server.log(messageError, safetext.Error(fault))
	}
	gone := maps.Clone(r.published)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := publishDiagnosticsParams{URI: r.uri(out.state, name), Diagnostics: all[name]}
		d := out.state.documents[name]
		if d == nil {
			d = out.state.unsynced[name]
		}
		if d != nil {
			p.URI, p.Version = d.uri, &d.version
		}
		delete(gone, p.URI)
		r.published[p.URI] = len(p.Diagnostics) > 0
		r.server.out.publish(p)
	}
	for _, uri := range slices.Sorted(maps.Keys(gone)) {
		delete(r.published, uri)
		r.server.out.publish(publishDiagnosticsParams{URI: uri, Diagnostics: []diagnostic{}})
	}
	if c := r.server.client.Workspace; c.CodeLens.RefreshSupport {
		r.server.out.call("workspace/codeLens/refresh", nil)
	}
	if c := r.server.client.Workspace; c.InlayHint.RefreshSupport {
		r.server.out.call("workspace/inlayHint/refresh", nil)
	}
}

func faultsOf(out *result) []error {
	if out.outcome == nil {
		return nil
	}
	return out.outcome.Faults
}

// errModified is the answer to a request about a text that has changed since.
var errModified = &jsonrpc2.Error{Code: codeContentModified, Message: "the document has changed since the request"}

// asked is a request about a document, as it was when the request came.
type asked struct {
	*document
	generation int
}

// about returns the document of a request.
func (s *server) about(uri string) (asked, error) {
	d := s.documents[uri]
	why := ""
	switch {
	case d == nil:
		why = "it is not open"
	case d.refused != "":
		why = d.refused
	case d.unsynced != "":
		why = d.unsynced
	default:
		return asked{d, d.repository.generation}, nil
	}
	return asked{}, &jsonrpc2.Error{Code: codeRequestFailed, Message: fmt.Sprintf("%s is not checked: %s", safetext.Limit(uri), why)}
}

// await returns the result about a document. It waits for the run that goes on.
func (a asked) await(ctx context.Context) (*result, error) {
	r := a.repository
	for {
		r.server.mu.Lock()
		out, finished := r.result, r.finished
		r.server.mu.Unlock()
		if out != nil && out.generation >= a.generation {
			if d := out.state.documents[a.document.name]; d == nil || d.version != a.version || d.uri != a.uri {
				return nil, errModified
			}
			return out, out.err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-finished:
		}
	}
}

// alone runs a function that reads the repository when no other does.
func (r *repository) alone(ctx context.Context, work func() error) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case r.asking <- struct{}{}:
	}
	defer func() { <-r.asking }()
	return work()
}

// known returns what a request about the same state has computed, or computes it.
func known[T any](ctx context.Context, r *repository, out *result, name string, compute func() (T, error)) (value T, err error) {
	err = r.alone(ctx, func() error {
		r.server.mu.Lock()
		old, ok := out.answers[name]
		r.server.mu.Unlock()
		if ok {
			value = old.(T)
			return nil
		}
		var err error
		if value, err = compute(); err != nil {
			return err
		}
		r.server.mu.Lock()
		defer r.server.mu.Unlock()
		out.answers[name] = value
		return nil
	})
	return value, err
}

// findingsIn returns the findings in a file.
func (out *result) findingsIn(name string) []finding.Finding {
	if out.outcome == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(out.outcome.Findings), func(f finding.Finding) bool { return path.Clean(f.File) != name })
}
