package main

import (
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

const apiVersionsFlag = "helm-api-versions"

// apiVersions returns the flag of all commands that render charts.
func apiVersions() cli.Flag {
	return &cli.StringFlag{Name: apiVersionsFlag,
		Usage: "comma-separated API `VERSIONS`; charts that test .Capabilities.APIVersions are rendered with and without them"}
}

// chartSettings returns how the configuration and the command line set the rendering of charts.
func chartSettings(c *settings.Config, r *repo.Repo, versions string) charts.Settings {
	s := charts.Settings{Charts: map[string]charts.Chart{}}
	for version := range strings.SplitSeq(versions, ",") {
		if version = strings.TrimSpace(version); version != "" {
			s.APIVersions = append(s.APIVersions, version)
		}
	}
	for dir, chart := range c.Helm {
		configured := charts.Chart{Values: chart.Values, APIVersions: chart.APIVersions, KubeVersion: chart.KubeVersion}
		if r != nil && filepath.IsLocal(fileOf(c, r)) {
			configured.Place = objects.Position{File: fileOf(c, r), Line: c.HelmAt(dir), Column: 1}
		}
		s.Charts[dir] = configured
	}
	return s
}
