package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/needs/catalogs"
)

// catalogFlags are those of preflight about the entry of a catalog.
func catalogFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "catalog", Usage: "`DIR` or file of a file-based catalog (repeatable; NAME=DIR names it, PRIORITY=DIR sets its priority): print which bundle of --package OLM installs from it, instead of permissions"},
		&cli.StringSliceFlag{Name: "channel", Usage: "`NAME` of a channel of the catalog (repeatable; default: all)"},
		&cli.StringFlag{Name: "version", Usage: "`RANGE` of versions in the catalog"},
		&cli.StringFlag{Name: "installed", Usage: "`BUNDLE` that is installed, or its version: only what upgrades it counts"},
	}
}

// checkCatalog rejects flags that do not fit together.
func checkCatalog(ctx *cli.Context) error {
	if !ctx.IsSet("catalog") {
		for _, flag := range []string{"channel", "version", "installed"} {
			if ctx.IsSet(flag) {
				return fmt.Errorf("--%s is about the entries of --catalog, which is missing", flag)
			}
		}
		return nil
	}
	for _, flag := range []string{"bundle", "from", "errors", "granted"} {
		if ctx.IsSet(flag) {
			return fmt.Errorf("--%s cannot be used with --catalog, which prints the bundle to pass: unpack it first", flag)
		}
	}
	if format := ctx.String("format"); format != "text" && format != "json" {
		return fmt.Errorf("--format %s cannot be used with --catalog: use text or json", format)
	}
	return nil
}

// preflightCatalog prints which bundle OLM installs from catalogs.
func (c *command) preflightCatalog(ctx *cli.Context) error {
	request := catalogs.Request{
		Package: ctx.String("package"), Version: ctx.String("version"), Channels: ctx.StringSlice("channel"), Installed: ctx.String("installed"),
	}
	if request.Package == "" {
		return errors.New("--catalog needs --package NAME")
	}
	all, err := readCatalogs(c.workspaceOf(ctx, nil), ctx.StringSlice("catalog"), request.Package)
	if err != nil {
		return err
	}
	resolution, err := catalogs.Resolve(all, request)
	if err != nil {
		return err
	}
	if ctx.String("format") == "json" {
		return resolution.JSON(c.Stdout, request)
	}
	return resolution.Text(c.Stdout, request)
}

// readCatalogs reads what the values of --catalog have of a package.
func readCatalogs(at *workspace.Workspace, values []string, pkg string) ([]*catalogs.Catalog, error) {
	var all []*catalogs.Catalog
	for _, text := range values {
		catalog, err := readCatalog(at, text, pkg)
		if err != nil {
			return nil, fmt.Errorf("--catalog %s: %w", text, err)
		}
		all = append(all, catalog)
	}
	return all, nil
}

// readCatalog reads a value of --catalog.
func readCatalog(at *workspace.Workspace, text, pkg string) (*catalogs.Catalog, error) {
	name, priority, dir := splitCatalog(at, text)
	full := at.Abs(dir)
	info, err := os.Stat(full)
	if err != nil {
		return nil, errors.New("no such file or folder")
	}
	root, inside := full, "."
	if !info.IsDir() {
		root, inside = filepath.Split(filepath.Clean(full))
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	catalog, err := catalogs.Read(tree.FS(), inside, pkg)
	if err != nil {
		return nil, err
	}
	catalog.Name, catalog.Named, catalog.FromObject = dir, name != "", priority == nil
	catalog.Serving = cmp.Or(name, strings.TrimSuffix(filepath.Base(full), filepath.Ext(full)))
	if priority != nil {
		catalog.Priority = *priority
	}
	return catalog, nil
}

// splitCatalog divides NAME=DIR and PRIORITY=DIR. A path that exists is not divided.
func splitCatalog(at *workspace.Workspace, text string) (name string, priority *int, dir string) {
	before, after, found := strings.Cut(text, "=")
	if _, err := os.Stat(at.Abs(text)); err == nil || !found {
		return "", nil, text
	}
	if n, err := strconv.Atoi(before); err == nil {
		return "", &n, after
	}
	return before, nil, after
}
