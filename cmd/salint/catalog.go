package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/kube/bundlesupport"
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

// preflightCatalog prints which bundle OLM installs from catalogs.
func (c *command) preflightCatalog(ctx *cli.Context) error {
	request := catalogs.Request{
		Package: ctx.String("package"), Version: ctx.String("version"), Channels: ctx.StringSlice("channel"), Installed: ctx.String("installed"),
	}
	if request.Package == "" {
		return errors.New("--catalog needs --package NAME")
	}
	w, err := c.openWorkspace(ctx, nil)
	if err != nil {
		return err
	}
	if target := w.Requested.Common(); target != nil {
		request.Support = bundlesupport.Of(*target, nil)
	}
	all, err := catalogs.ReadNamed(w.Abs, ctx.StringSlice("catalog"), []string{request.Package})
	if err != nil {
		return err
	}
	resolution, err := catalogs.Resolve(all[request.Package], request)
	if err != nil {
		return err
	}
	if ctx.String("format") == "json" {
		return resolution.JSON(c.Stdout, request)
	}
	return resolution.Text(c.Stdout, request)
}
