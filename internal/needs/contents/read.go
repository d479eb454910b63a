package contents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/content"
)

// Reader reads contents with the settings of a repository.
type Reader struct {
	*workspace.Workspace

	// Package is the package of bundles that do not name it.
	Package string
	// Values are the files of values for charts, instead of the first set of the configuration.
	Values []string
	// Folders are the folders of the command line that hold contents; "" is none.
	Folders []string
	// Anyway reads bundles that the release does not install, too, each in an install mode that its operator supports.
	Anyway bool
}

// NoFolder is the error if a path does not exist.
func NoFolder(dir string) error { return fmt.Errorf("%s: no such file or folder", dir) }

// Load renders a folder, or a file such as the archive of a chart, as the installer of an extension does. With serviceCA, OpenShift's
// service CA issues the certificates of webhooks, otherwise cert-manager. The files of objects and errors are relative to the working
// directory.
func (r *Reader) Load(ctx context.Context, i *installer.Installer, dir string, serviceCA bool) (*content.Content, error) {
	root, inside, shown := r.Abs(dir), ".", func(file string) string { return filepath.ToSlash(filepath.Join(dir, file)) }
	if rel, err := r.Inside(dir); err == nil && dir != "" {
		root, inside, shown = r.Repo.Root, rel, r.Rel
	} else if info, err := os.Stat(root); err == nil && !info.IsDir() {
		root, inside = filepath.Split(root)
		shown = func(file string) string { return filepath.ToSlash(filepath.Join(filepath.Dir(dir), file)) }
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, NoFolder(dir)
	}
	defer tree.Close()
	options, err := r.options(i, inside)
	if err != nil {
		return nil, err
	}
	options.ServiceCA = serviceCA
	loaded, err := content.Load(ctx, tree.FS(), inside, options)
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

// options returns the options of the extension, the command line, and the configuration for a folder.
func (r *Reader) options(i *installer.Installer, dir string) (content.Options, error) {
	chart := r.Config.Helm[dir]
	o := content.Options{
		Namespace: i.Namespace, WatchNamespaces: i.WatchNamespaces, Config: i.Config, Package: r.Package, Support: i.Support(), Anyway: r.Anyway, OwnMode: r.Anyway,
		Release: i.Extension, KubeVersion: chart.KubeVersion, APIVersions: chart.APIVersions, Limits: r.RenderLimits(),
	}
	files := r.Values
	if len(files) == 0 && len(chart.Values) > 0 {
		for _, file := range chart.Values[0] {
			files = append(files, filepath.Join(r.Repo.Root, filepath.FromSlash(file)))
		}
	}
	for _, file := range files {
		data, err := r.ReadNamed(file, r.Config.Limits.FileSize)
		if err != nil {
			return o, fmt.Errorf("values: %w", err)
		}
		o.Values = append(o.Values, render.ValuesFile{Name: file, Data: data})
	}
	return o, nil
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
