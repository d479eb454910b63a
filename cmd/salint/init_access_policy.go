package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/destination"
)

const accessPolicyDescription = "Writes a ValidatingAdmissionPolicy and its binding. They limit non-administrators that the repository's RBAC allows to\n" +
	"write ClusterExtensions, ClusterObjectSets, or ClusterCatalogs to what the repository contains: the packages of its\n" +
	"extensions, in their namespaces, from the catalogs that they select, and its catalogs with their images. If there are\n" +
	"several clusters, pass the folder of one: the file is written there. An existing file is not changed. If a\n" +
	"kustomization beside the file does not list it, a warning contains the missing line."

// accessPolicyFile is the default file of the policy.
const accessPolicyFile = accesspolicy.Name + ".yaml"

func (c *command) initAccessPolicyCommand() *cli.Command {
	return &cli.Command{
		Name:        "access-policy",
		Usage:       "write an admission policy that limits extensions to what the repository installs",
		ArgsUsage:   "[PATH…]",
		Description: accessPolicyDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Usage: "`FILE` to write, - for standard output (default: " + accessPolicyFile + " in the given folder, or in the current one)"},
			&cli.StringSliceFlag{Name: "subject", Usage: "additional subject `KIND:NAME` to limit, such as Group:developers or ServiceAccount:NAMESPACE/NAME (repeatable)"},
			&cli.BoolFlag{Name: "pin-versions", Usage: "allow only the version or range that the extension requests", DisableDefaultText: true},
			&cli.BoolFlag{Name: "with-access", Usage: "write the ClusterRole that gives the subjects access to the API, and its binding, not only as a comment", DisableDefaultText: true},
			flags.Config(),
			flags.Limits(),
			flags.APIVersions(),
		},
		CustomHelpTemplate: commandhelp.Of(
			"salint init access-policy clusters/prod",
			"salint init access-policy --subject Group:developers --with-access --output - | kubectl apply --dry-run=server -f -"),
		OnUsageError:    arguments.UsageError,
		HideHelpCommand: true,
		Action:          c.initAccessPolicy,
	}
}

func (c *command) initAccessPolicy(ctx *cli.Context) error {
	file, err := c.accessPolicyOutput(ctx)
	if err != nil {
		return err
	}
	subjects, err := accesspolicy.ParseSubjects(ctx.StringSlice("subject"))
	if err != nil {
		return fmt.Errorf("--subject %w", err)
	}
	w, err := c.openWorkspace(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	read, err := w.Read(ctx.Context, loader.Kinds(loader.RBAC(), map[string][]string{olm.ClusterExtensionKind: nil, accesspolicy.CatalogKind: nil}))
	if err != nil {
		return err
	}
	units := read.About(w.Repo.Selected, func(o *objects.Object) bool { return access.IsBinding(o) || o.Group == accesspolicy.Group })
	scope := accesspolicy.Gather(units, accesspolicy.Options{Subjects: subjects, Pin: ctx.Bool("pin-versions")})
	text, err := scope.Manifest(ctx.Bool("with-access"))
	outside := accesspolicy.WarnLeftOut(scope.LeftOut(read.Units), w.Rel)
	switch {
	case errors.Is(err, accesspolicy.ErrNoSubject) && len(outside) > 0:
		c.warn(outside[1:])
		return fmt.Errorf("%w; %s", err, outside[0])
	case errors.Is(err, accesspolicy.ErrNoSubject):
		return fmt.Errorf("%w; use --subject to name some", err)
	case err != nil:
		return err
	}
	c.warn(append(scope.Warnings(access.Scene{Repository: read, Selected: w.Repo.Selected}, units, w.Rel), outside...))
	if file == "-" {
		_, err = c.Stdout.Write(text)
		return err
	}
	if err := destination.WriteNew(c.abs(file), text); err != nil {
		return err
	}
	c.warn(accesspolicy.NotListed(w, read, c.abs(file)))
	return c.printf("wrote %s: it limits %s; read it before you apply it\n", file, scope.Summary())
}

// accessPolicyOutput returns the file to write, - for standard output: the value of --output, or a file in the given
// folder.
func (c *command) accessPolicyOutput(ctx *cli.Context) (string, error) {
	file := cmp.Or(ctx.String("output"), accessPolicyFile)
	if paths := ctx.Args().Slice(); !ctx.IsSet("output") && len(paths) == 1 {
		if info, err := os.Stat(c.abs(paths[0])); err == nil && info.IsDir() {
			file = filepath.Join(paths[0], accessPolicyFile)
		}
	}
	if file == "-" {
		return file, nil
	}
	if err := destination.Check(c.Dir, c.abs(file)); err != nil {
		return "", fmt.Errorf("--output %s: %w", file, err)
	}
	return file, nil
}
