package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/fixers/grafana"
	"github.com/salint/salint/internal/ask/starter"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/destination"
)

func (c *command) initCommand() *cli.Command {
	return &cli.Command{
		Name:        "init",
		Usage:       "write a commented .salint.yaml, or starter manifests",
		Description: "Without a subcommand, writes .salint.yaml to the current folder. An existing file is not changed.",
		CustomHelpTemplate: commandhelp.Of(
			"salint init && $EDITOR .salint.yaml",
			"salint init access-policy clusters/prod"),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return fmt.Errorf("salint init writes %s to the current folder and takes no arguments; the subcommands are salint init grafana and salint init access-policy", settings.FileName)
			}
			err := destination.WriteNew(filepath.Join(c.Dir, settings.FileName), []byte(settings.Template()))
			if err != nil {
				return err
			}
			return c.printf("wrote %s with the defaults: change what you need\n", settings.FileName)
		},
		Subcommands: []*cli.Command{c.initGrafanaCommand(), c.initAccessPolicyCommand()},
	}
}

func (c *command) initGrafanaCommand() *cli.Command {
	return &cli.Command{
		Name:  "grafana",
		Usage: "write a GrafanaServiceAccount, and a Role for creating more",
		Description: "Writes an account with one token, which expires after grafana.tokenLifetime in .salint.yaml (default: 90 days), and the\n" +
			"least powerful role, Viewer. The file is written to the current folder; an existing file is not changed.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "instance", Usage: "`NAME` of the Grafana instance, in the same namespace"},
			&cli.StringFlag{Name: "name", Usage: "`NAME` of the service account"},
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` of both (default: none, to be set when the file is applied)"},
			&cli.StringFlag{Name: "role", Value: starter.GrafanaRoles[0], Usage: "`ROLE` in Grafana: " + strings.Join(starter.GrafanaRoles, ", ")},
			&cli.StringFlag{Name: "output", Usage: "`FILE` to write, - for standard output (default: NAME-grafana-account.yaml)"},
			flags.Config(),
			flags.Limits(),
			&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to use as the current time (default: now)"},
		},
		CustomHelpTemplate: commandhelp.Of(
			"salint init grafana --instance grafana --name exporter --namespace monitoring",
			"salint init grafana --instance grafana --name alerts --role Editor --output - | kubectl apply -n monitoring -f -"),
		OnUsageError:    arguments.UsageError,
		HideHelpCommand: true,
		Action:          c.initGrafana,
	}
}

func (c *command) initGrafana(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return fmt.Errorf("salint init grafana takes no arguments: use --name %s", ctx.Args().First())
	}
	for _, needed := range []string{"instance", "name"} {
		if ctx.String(needed) == "" {
			return fmt.Errorf("salint init grafana needs --%s; see salint init grafana --help", needed)
		}
	}
	expires, err := c.tokenExpiry(ctx)
	if err != nil {
		return err
	}
	account := starter.GrafanaAccount{
		Name: ctx.String("name"), Namespace: ctx.String("namespace"), Instance: ctx.String("instance"), Role: ctx.String("role"), Expires: expires,
	}
	text, err := account.Manifest()
	if err != nil {
		return err
	}
	file := ctx.String("output")
	if file == "-" {
		_, err = c.Stdout.Write(text)
		return err
	}
	if file == "" {
		file = account.Name + "-grafana-account.yaml"
	}
	if err := destination.Check(c.Dir, c.abs(file)); err != nil {
		return fmt.Errorf("--output %s: %w", file, err)
	}
	if err := destination.WriteNew(c.abs(file), text); err != nil {
		return err
	}
	return c.printf("wrote %s: a service account with one token, which expires at %s, and a Role for creating more\n",
		file, expires.Format(time.RFC3339))
}

// tokenExpiry returns when a token expires that is created now, or at the time of --now.
func (c *command) tokenExpiry(ctx *cli.Context) (time.Time, error) {
	now, err := c.parseNow(ctx.String("now"))
	if err != nil {
		return now, err
	}
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return now, err
	}
	w := c.workspaceOf(ctx, r)
	if err := c.readConfig(ctx, w); err != nil {
		return now, err
	}
	expires := now.UTC().Add(w.Config.Grafana.TokenLifetime).Truncate(time.Second)
	if expires.Year() > grafana.LastYear {
		return expires, fmt.Errorf("the token would expire in the year %d, but years have four digits: use an earlier --now, "+
			"or lower grafana.tokenLifetime in .salint.yaml", expires.Year())
	}
	return expires, nil
}

// parseNow parses the value of --now; "" is the current time.
func (c *command) parseNow(text string) (time.Time, error) {
	if text == "" {
		return c.Now(), nil
	}
	now, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return now, fmt.Errorf("--now %s: use RFC 3339, for example 2026-01-31T12:00:00Z", text)
	}
	return now, nil
}

func (c *command) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Stdout, format, args...)
	return err
}
