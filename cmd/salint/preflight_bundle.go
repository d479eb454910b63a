package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/content"
)

// askBundle returns what installing a bundle needs.
func (p *preflighter) askBundle() (answer.Answer, error) {
	choice, err := p.choice()
	if err != nil {
		return answer.Answer{}, err
	}
	i, err := installer.Find(p.world, choice)
	if err != nil {
		return answer.Answer{}, err
	}
	if choice.Identity == nil {
		i.LimitToHonoring()
	}
	if i.Instead != "" {
		i.Notes = append(i.Notes, fmt.Sprintf("%s, and not as %s: the answer is what %s could install by itself", i.Instead, i.Identity.User, i.Identity.User))
	}
	a := p.newAnswer(i)
	dir, err := p.bundleDir(i.Extension)
	if err != nil {
		return a, err
	}
	if i.NotActing != "" {
		a.Content = dir
		if _, err := os.Stat(p.abs(dir)); err != nil {
			return a, noFolder(dir)
		}
		if loaded, err := p.load(i, dir); err == nil { // nothing else depends on it
			a.Notes = append(a.Notes, packageNote(i, loaded, dir)...)
			a.Notes = append(a.Notes, gateNote(i, loaded)...)
		}
		return a, nil
	}
	in, loaded, err := p.input(i, dir, &a)
	if err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, packageNote(i, loaded, dir)...)
	a.Notes = append(a.Notes, gateNote(i, loaded)...)
	a.Notes = append(a.Notes, p.sharedNote(i)...)
	a.Notes = append(a.Notes, p.revisionNote(in.Finalizers)...)
	in.Note = func(text string) { a.Notes = withNote(a.Notes, text) }
	if a.Result, err = preflight.Check(in); err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, nameNote(loaded, a.Wanted())...)
	if p.granted == nil {
		a.Notes = append(a.Notes, p.elsewhere(&a)...)
	}
	p.accountNeeded(&a, i)
	return a, nil
}

// noFolder is the error if a path does not exist.
func noFolder(dir string) error { return fmt.Errorf("%s: no such file or folder", dir) }

// bundleDir returns the folder of the bundle to install, relative to the working directory.
func (p *preflighter) bundleDir(extension string) (string, error) {
	if dir := p.ctx.String("bundle"); dir != "" {
		return dir, nil
	}
	if dir := p.scene.config.Bundles[extension]; dir != "" {
		return p.bundlePath(dir), nil
	}
	return "", fmt.Errorf("no bundle to install: set --bundle DIR, or bundles: {%s: DIR} in .salint.yaml; --errors FILE reads the error text of "+
		"a failed installation instead", extension)
}

// bundlePath converts a folder of the configuration to a path relative to the working directory.
func (p *preflighter) bundlePath(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	full := filepath.Join(p.rootOf(p.scene.repo), filepath.FromSlash(dir))
	if rel, err := filepath.Rel(p.scene.repo.WorkDir, full); err == nil {
		return rel
	}
	return full
}

// inRepository returns a folder relative to the root of the repository, if it is inside.
func (p *preflighter) inRepository(dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	full, err := filepath.EvalSymlinks(p.abs(dir))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(p.scene.repo.Root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// input returns the input of the check, and describes it in the answer.
func (p *preflighter) input(i *installer.Installer, dir string, a *answer.Answer) (preflight.Input, *content.Content, error) {
	unit, from := i.Grants()
	in := preflight.Input{
		Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity, Unit: unit, From: from,
		Escalation: preflight.Escalation(p.ctx.String("escalation")), Granted: p.granted,
	}
	loaded, err := p.load(i, dir)
	if err != nil {
		return in, nil, err
	}
	in.Objects, a.Notes = loaded.Objects, append(a.Notes, loaded.Notes...)
	a.Content = describe(dir, loaded) + ", into namespace " + i.Namespace
	revision := 1
	if from := p.ctx.String("from"); from != "" {
		old, err := p.load(i, from)
		if err != nil {
			return in, nil, err
		}
		in.Old, a.Notes = old.Objects, append(a.Notes, old.Notes...)
		a.Notes = append(a.Notes, otherPackage(old, loaded)...)
		a.Content += "; replacing " + describe(from, old)
		revision = 2
	}
	a.Notes = append(a.Notes, p.bundleNotes(loaded)...)
	in.CollectionVerbs = p.collectionVerbs(i)
	in.Finalizers = p.finalizers(i, revision)
	in.Resources = preflight.ResourcesOf(i.Unit, in.Objects, in.Old)
	return in, loaded, p.define(&in)
}

func describe(dir string, c *content.Content) string {
	name := c.Name
	if c.Version != "" && !strings.HasSuffix(name, c.Version) {
		name += " " + c.Version
	}
	if name != "" {
		name = " " + name
	}
	objects := fmt.Sprintf("%d objects", len(c.Objects))
	if len(c.Objects) == 1 {
		objects = "1 object"
	}
	return fmt.Sprintf("%s (%s%s, %s)", dir, c.Kind, name, objects)
}

// define reads the definitions of kinds that are unknown, from the repository. It skips the reading if all are known,
// because definitions are long.
func (p *preflighter) define(in *preflight.Input) error {
	var unknown []string
	for _, o := range slices.Concat(in.Objects, in.Old) {
		if _, known := in.Resources.Kind(o.Group(), o.Kind()); !known && o.Kind() != "" {
			unknown = append(unknown, o.Kind())
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	own := p.world
	err := p.read(map[string][]string{"CustomResourceDefinition": unknown})
	definitions := p.world
	p.world = own
	if err != nil {
		return err
	}
	for _, o := range definitions.Objects {
		in.Resources.AddCRD(o.JSON())
	}
	return nil
}

// load renders a folder, or a file such as the archive of a chart.
func (p *preflighter) load(i *installer.Installer, dir string) (*content.Content, error) {
	root, inside, shown := p.abs(dir), ".", func(file string) string { return filepath.ToSlash(filepath.Join(dir, file)) }
	if rel, ok := p.inRepository(dir); ok {
		root, inside, shown = p.scene.repo.Root, rel, p.scene.rel
	} else if info, err := os.Stat(root); err == nil && !info.IsDir() {
		root, inside = filepath.Split(root)
		shown = func(file string) string { return filepath.ToSlash(filepath.Join(filepath.Dir(dir), file)) }
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, noFolder(dir)
	}
	defer tree.Close()
	options, err := p.contentOptions(i, inside)
	if err != nil {
		return nil, err
	}
	loaded, err := content.Load(p.ctx.Context, tree.FS(), inside, options)
	var inner *content.NotInstalledError
	if errors.As(err, &inner) && inner.Folder != "" {
		return nil, &content.NotInstalledError{File: shown(inner.File), Line: inner.Line, Folder: shown(inner.Folder)}
	}
	if err != nil {
		return nil, located(err, tree, shown)
	}
	for j := range loaded.Objects {
		if o := &loaded.Objects[j].Origin; o.File != "" {
			o.File = shown(o.File)
		}
	}
	return loaded, nil
}

// locatedError is an error whose file is relative to the working directory.
type locatedError struct {
	file string
	rest string
	err  error
}

func (e *locatedError) Error() string { return e.file + e.rest }
func (e *locatedError) Unwrap() error { return e.err }

// located converts the file at the beginning of an error to a path relative to the working directory, so that it can be
// opened.
func located(err error, tree *os.Root, shown func(string) string) error {
	text := err.Error()
	end := strings.IndexByte(text, ':')
	if end <= 0 {
		return err
	}
	file := text[:end]
	if _, notThere := tree.Lstat(filepath.FromSlash(file)); notThere != nil {
		return err
	}
	return &locatedError{shown(file), text[end:], err}
}

// contentOptions returns the options of the extension, the flags and the configuration for a folder.
func (p *preflighter) contentOptions(i *installer.Installer, dir string) (content.Options, error) {
	limits := p.scene.config.Limits
	chart := p.scene.config.Helm[dir]
	o := content.Options{
		Namespace: i.Namespace, WatchNamespaces: i.WatchNamespaces, Package: p.ctx.String("package"), ServiceCA: p.serviceCA(i),
		Release: i.Extension, KubeVersion: chart.KubeVersion, APIVersions: chart.APIVersions,
		Limits: render.Limits{Time: limits.RenderTime, Memory: limits.RenderMemory},
	}
	files := p.ctx.StringSlice("values")
	if len(files) == 0 && len(chart.Values) > 0 {
		for _, file := range chart.Values[0] {
			files = append(files, filepath.Join(p.scene.repo.Root, filepath.FromSlash(file)))
		}
	}
	for _, file := range files {
		data, err := p.readNamed(p.scene.repo, file, limits.FileSize)
		if err != nil {
			return o, fmt.Errorf("values: %w", err)
		}
		o.Values = append(o.Values, render.ValuesFile{Name: file, Data: data})
	}
	return o, nil
}

// serviceCA returns whether OpenShift's service CA issues the certificates of webhooks; otherwise cert-manager does.
func (p *preflighter) serviceCA(i *installer.Installer) bool {
	if who := p.ctx.String("certificates"); who != "auto" {
		return who == "service-ca"
	}
	return strings.HasPrefix(i.Resolved.Target.Name, "ocp-")
}

func (p *preflighter) collectionVerbs(i *installer.Installer) []string {
	switch text := p.ctx.String("collection-verbs"); text {
	case "auto":
		return preflight.CollectionVerbs(i.Runtime)
	case "none", "":
		return nil
	default:
		return splitVerbs(text)
	}
}

func (p *preflighter) finalizers(i *installer.Installer, revision int) preflight.Finalizers {
	switch text := p.ctx.String("finalizers"); text {
	case "auto":
		return preflight.FinalizersOf(i.Runtime, i.Extension, revision)
	case "none", "":
		return preflight.Finalizers{}
	default:
		resource, name, _ := strings.Cut(text, "/")
		return preflight.Finalizers{Resource: resource, Name: name}
	}
}
