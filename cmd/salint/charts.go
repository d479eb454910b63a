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

// apiVersions is the flag of all commands that render charts.
func apiVersions() cli.Flag {
	return &cli.StringFlag{Name: apiVersionsFlag,
		Usage: "`VERSIONS`, with commas between them: Helm charts that ask which API versions there are are checked without these and with them"}
}

// chartSettings is what the configuration and the command line say about rendering charts.
func chartSettings(c *settings.Config, r *repo.Repo, versions string) charts.Settings {
	s := charts.Settings{Charts: map[string]charts.Chart{}}
	for version := range strings.SplitSeq(versions, ",") {
		if version = strings.TrimSpace(version); version != "" {
			s.APIVersions = append(s.APIVersions, version)
		}
	}
	for dir, chart := range c.Helm {
		said := charts.Chart{Values: chart.Values, APIVersions: chart.APIVersions, KubeVersion: chart.KubeVersion}
		if r != nil && filepath.IsLocal(fileOf(c, r)) {
			said.Place = objects.Position{File: fileOf(c, r), Line: c.HelmAt(dir), Column: 1}
		}
		s.Charts[dir] = said
	}
	return s
}
