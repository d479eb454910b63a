package main

import (
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
		&cli.StringSliceFlag{Name: "catalog", Usage: "`DIR` or file of a file-based catalog (repeatable; PRIORITY=DIR sets its priority): print which bundle of --package OLM installs from it, instead of permissions"},
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
	if ctx.String("format") != "text" {
		return fmt.Errorf("--format %s cannot be used with --catalog: use text", ctx.String("format"))
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
	priority := 0
	dir := text
	if number, rest, found := strings.Cut(text, "="); found {
		if n, err := strconv.Atoi(number); err == nil {
			priority, dir = n, rest
		}
	}
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
	catalog.Name, catalog.Priority = dir, priority
	return catalog, nil
}
