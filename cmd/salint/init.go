package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/fixers/grafana"
	"github.com/salint/salint/internal/ask/starter"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
)

func (c *command) initCommand() *cli.Command {
	return &cli.Command{
		Name:        "init",
		Usage:       "write a commented .salint.yaml, or manifests to start from",
		Description: "Without a further word it is .salint.yaml, in the current folder. A file that is there is left alone.",
		CustomHelpTemplate: commandHelp(
			"salint init && $EDITOR .salint.yaml",
			"salint init grafana --instance grafana --name exporter --namespace monitoring",
			"salint init access-policy clusters/prod"),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return fmt.Errorf("salint init writes %s to the current folder and takes no arguments; besides there are salint init grafana and salint init access-policy", settings.FileName)
			}
			err := c.writeNew(filepath.Join(c.Dir, settings.FileName), []byte(settings.Template()))
			if err != nil {
				return err
			}
			return c.say("wrote %s: it says what salint does without it; change what you need\n", settings.FileName)
		},
		Subcommands: []*cli.Command{c.initGrafanaCommand(), c.initAccessPolicyCommand()},
	}
}

func (c *command) initGrafanaCommand() *cli.Command {
	return &cli.Command{
		Name:  "grafana",
		Usage: "write a GrafanaServiceAccount, and the Role of those who may create more",
		Description: "One token, which expires after grafana.tokenLifetime of .salint.yaml (90 days), and the least role, Viewer. The\n" +
			"file is written to the current folder; one that is there is left alone.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "instance", Usage: "`NAME` of the Grafana, in the same namespace"},
			&cli.StringFlag{Name: "name", Usage: "`NAME` of the service account"},
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` of both (default: whoever applies the file says it)"},
			&cli.StringFlag{Name: "role", Value: starter.GrafanaRoles[0], Usage: "`ROLE` in Grafana: " + strings.Join(starter.GrafanaRoles, ", ")},
			&cli.StringFlag{Name: "output", Usage: "`FILE` to write, - for standard output (default: NAME-grafana-account.yaml)"},
			&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"},
			&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to take for the current one (default: now)"},
		},
		CustomHelpTemplate: commandHelp(
			"salint init grafana --instance grafana --name exporter --namespace monitoring",
			"salint init grafana --instance grafana --name alerts --role Editor --output - | kubectl apply -n monitoring -f -"),
		OnUsageError:    usageError,
		HideHelpCommand: true,
		Action:          c.initGrafana,
	}
}

func (c *command) initGrafana(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return fmt.Errorf("salint init grafana takes no arguments: write --name %s", ctx.Args().First())
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
	if err := c.checkDestination(file); err != nil {
		return fmt.Errorf("--output %s: %w", file, err)
	}
	if err := c.writeNew(c.abs(file), text); err != nil {
		return err
	}
	return c.say("wrote %s: a service account with one token, which expires at %s, and the Role of those who may create more\n",
		file, expires.Format(time.RFC3339))
}

// tokenExpiry is when a token expires that is created now, or when --now says.
func (c *command) tokenExpiry(ctx *cli.Context) (time.Time, error) {
	now, err := c.parseNow(ctx.String("now"))
	if err != nil {
		return now, err
	}
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return now, err
	}
	settings, err := c.readConfigFor(ctx.String("config"), r)
	if err != nil {
		return now, err
	}
	expires := now.UTC().Add(settings.Grafana.TokenLifetime).Truncate(time.Second)
	if expires.Year() > grafana.LastYear {
		return expires, fmt.Errorf("the token would expire in the year %d, and a date has four digits for it: give an earlier --now, "+
			"or lower grafana.tokenLifetime in .salint.yaml", expires.Year())
	}
	return expires, nil
}

// parseNow reads the value of --now, which is the current time where it is "".
func (c *command) parseNow(text string) (time.Time, error) {
	if text == "" {
		return c.Now(), nil
	}
	now, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return now, fmt.Errorf("--now %s: write RFC 3339, as in 2026-01-31T12:00:00Z", text)
	}
	return now, nil
}

// writeNew writes a file, and leaves one alone that is there.
func (c *command) writeNew(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; nothing was changed", filepath.Base(path))
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func (c *command) say(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Stdout, format, args...)
	return err
}
