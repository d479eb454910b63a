package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/output/report"
)

// report reads both states and compares them.
func (d *diffRun) report() (*change.Report, error) {
	now := selectedTree{loader.FromRepo(d.repo), d.paths.selects}
	then := loader.FromRevision(d.revision, d.paths.selects)
	// Both states are read with the kinds of both configurations: a change can remove one from .salint.yaml.
	podSpecs := slices.Concat(lint.PodSpecs(d.config), lint.PodSpecs(d.was.config))
	kinds := loader.Kinds(loader.RBAC(), loader.Installers(), change.PolicyKinds(), change.ObjectKinds(podSpecs...))
	for _, tree := range []loader.Tree{now, then} {
		found, err := change.ConstraintKinds(d.ctx.Context, tree)
		if err != nil {
			return nil, err
		}
		maps.Copy(kinds, found)
	}
	after, err := d.scene.readTree(d.ctx.Context, now, kinds, d.ctx.String(apiVersionsFlag))
	if err != nil {
		return nil, err
	}
	before, err := d.was.readTree(d.ctx.Context, then, kinds, d.ctx.String(apiVersionsFlag))
	if err != nil {
		return nil, err
	}
	notRead, err := d.checkSubmodules(after)
	if err != nil {
		return nil, err
	}
	if err := d.checkStaged(); err != nil {
		return nil, err
	}
	r := change.Compare(
		change.Side{Repository: before, Selected: then.Selected, NotRead: notRead},
		change.Side{Repository: after, Selected: now.Selected, PodSpecs: podSpecs, NotRead: slices.Concat(notRead, d.notRead)})
	r.Revision, r.Commit = d.name, d.revision.Commit
	if err := d.markChanged(r); err != nil {
		return nil, err
	}
	checkedOut, clean, err := d.repo.IsCheckedOut(d.ctx.Context, d.revision.Commit)
	r.CheckedOut, r.Nothing = checkedOut, checkedOut && clean && len(d.revision.Submodules.Changed) == 0 && !r.Differs()
	return r, err
}

// markChanged marks what neither state shows and is set differently: a chart that was not rendered, or a kustomization with a remote chart.
func (d *diffRun) markChanged(r *change.Report) error {
	changed, err := d.repo.Changed(d.ctx.Context, d.revision.Commit)
	if err != nil {
		return err
	}
	for i, n := range r.NotRead {
		file := n.Place.File
		if !n.Before || !n.After || n.New || path.Base(file) != "Chart.yaml" && !objects.IsKustomizationFile(file) {
			continue
		}
		folder := path.Dir(file) + "/"
		for name := range changed {
			r.NotRead[i].Changed = r.NotRead[i].Changed || name == file || path.Base(file) == "Chart.yaml" && (folder == "./" || strings.HasPrefix(name, folder))
		}
	}
	return nil
}

// checkStaged records which manifests are staged with contents that are not in the working tree, so that they are not compared.
func (d *diffRun) checkStaged() error {
	files, err := d.repo.StagedDifferently(d.ctx.Context)
	if err != nil {
		return err
	}
	for _, file := range files {
		if repo.IsManifest(file) && d.paths.selects(file) {
			d.notRead = append(d.notRead, file+" is staged with other contents than in the working tree, which is compared; stage or unstage all of it")
		}
	}
	return nil
}

// checkSubmodules returns what is unknown because submodules are not checked out. Objects in a submodule that was changed cannot be
// compared: its earlier files are in another repository.
func (d *diffRun) checkSubmodules(after *loader.Repository) (notRead []string, err error) {
	for _, dir := range d.revision.Submodules.Changed {
		for _, o := range after.Objects {
			if strings.HasPrefix(o.File, dir+"/") {
				return nil, fmt.Errorf("the submodule %s has another commit checked out than at %s, and its earlier manifests are not in this repository: "+
					"compare in the submodule, or check out the earlier commit in it", dir, d.name)
			}
		}
	}
	for _, dir := range d.revision.Submodules.Unread {
		notRead = append(notRead, notCheckedOut(dir))
	}
	return notRead, nil
}

// selectedTree is a tree of which other paths are selected.
type selectedTree struct {
	loader.Tree

	selects func(file string) bool
}

func (t selectedTree) Selected(file string) bool { return t.selects(file) }

// write prints a report, and writes the additional ones.
func (d *diffRun) write(r *change.Report) error {
	for _, o := range d.files.outputs {
		var text bytes.Buffer
		if err := d.writeTo(&text, r, o.format); err != nil {
			return err
		}
		if err := d.files.writeReport(o, text.Bytes()); err != nil {
			return err
		}
	}
	w := d.Stdout
	if d.ctx.String("format") == "github" {
		w = d.exact
	}
	return d.writeTo(w, r, d.ctx.String("format"))
}

// writeTo writes a report in a format.
func (d *diffRun) writeTo(w io.Writer, r *change.Report, format string) error {
	p := change.Printer{Rel: d.rel, FailOn: d.failOn, Version: version}
	switch format {
	case "json":
		return p.JSON(w, r)
	case "markdown":
		return p.Markdown(w, r)
	case "html":
		return p.HTML(w, r)
	case "sarif", "github":
		return report.Write(w, format, d.findings(r), report.Options{FailOn: d.failOn, GravestFirst: true})
	}
	return p.Text(w, r)
}

// findings returns the differences as findings.
func (d *diffRun) findings(r *change.Report) *finding.Result {
	result := &finding.Result{
		Version: version, Findings: r.Annotations(), Rules: change.Rules(), Root: d.repo.Root, WorkDir: d.repo.WorkDir, Incomplete: !r.Complete(),
		Category: "diff", Origin: finding.Provenance{Repository: d.repo.Origin(), Revision: d.repo.Head()},
	}
	result.Summary.Count(result.Findings)
	return result
}
