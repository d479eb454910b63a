package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
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
			&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"},
			limits(),
			apiVersions(),
		},
		CustomHelpTemplate: commandHelp(
			"salint init access-policy clusters/prod",
			"salint init access-policy --subject Group:developers --with-access --output - | kubectl apply --dry-run=server -f -"),
		OnUsageError:    usageError,
		HideHelpCommand: true,
		Action:          c.initAccessPolicy,
	}
}

func (c *command) initAccessPolicy(ctx *cli.Context) error {
	file, err := c.accessPolicyOutput(ctx)
	if err != nil {
		return err
	}
	subjects, err := readSubjects(ctx.StringSlice("subject"))
	if err != nil {
		return err
	}
	s, err := c.openScene(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	w, err := s.read(ctx, loader.Kinds(loader.RBAC(), map[string][]string{olm.ClusterExtensionKind: nil, accesspolicy.CatalogKind: nil}))
	if err != nil {
		return err
	}
	units := w.About(s.repo.Selected, func(o *objects.Object) bool { return access.IsBinding(o) || o.Group == accesspolicy.Group })
	scope := accesspolicy.Gather(units, accesspolicy.Options{Subjects: subjects, Pin: ctx.Bool("pin-versions")})
	text, err := scope.Manifest(ctx.Bool("with-access"))
	outside := leftOut(s, scope.LeftOut(w.Units))
	switch {
	case errors.Is(err, accesspolicy.ErrNoSubject) && len(outside) > 0:
		c.warn(outside[1:])
		return fmt.Errorf("%w; %s", err, outside[0])
	case errors.Is(err, accesspolicy.ErrNoSubject):
		return fmt.Errorf("%w; use --subject to name some", err)
	case err != nil:
		return err
	}
	c.warn(append(accessPolicyWarnings(s, w, units, scope), outside...))
	if file == "-" {
		_, err = c.Stdout.Write(text)
		return err
	}
	if err := c.writeNew(c.abs(file), text); err != nil {
		return err
	}
	c.warn(notListed(s, w, c.abs(file)))
	return c.sayLimits(file, scope)
}

// sayLimits reports what was written.
func (c *command) sayLimits(file string, scope *accesspolicy.Scope) error {
	return c.printf("wrote %s: it limits %s to %s and %s; read it before you apply it\n", file,
		number(len(scope.Subjects), "subject"), number(len(scope.Extensions), "extension"), number(len(scope.Catalogs), "catalog"))
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
	if err := c.checkDestination(file); err != nil {
		return "", fmt.Errorf("--output %s: %w", file, err)
	}
	return file, nil
}

// notListed returns a warning if a kustomization in the folder of a file does not list it, so that the file is not applied.
func notListed(s *scene, w *loader.Repository, file string) []string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return nil
	}
	name := filepath.Base(file)
	target, err := filepath.Rel(s.repo.Root, filepath.Join(dir, name))
	if err != nil || !filepath.IsLocal(target) {
		return nil
	}
	target = filepath.ToSlash(target)
	for _, unit := range w.Units {
		for _, k := range unit.Kustomizations {
			if _, lists := k.Lists(target); !lists && k.Dir == path.Dir(target) {
				return []string{fmt.Sprintf("%s does not list %s, so it is not applied: add the line `- %s` to the resources", s.rel(k.Path), name, name)}
			}
		}
	}
	return nil
}

// maxLeftOut is the maximum number of listed subjects that a policy does not limit.
const maxLeftOut = 10

// leftOut returns warnings about subjects that can write extensions through bindings outside the paths, and how to limit
// them.
func leftOut(s *scene, writers []accesspolicy.Writer) (texts []string) {
	for _, w := range writers[:min(len(writers), maxLeftOut)] {
		name := w.Name
		if w.Namespace != "" {
			name = w.Namespace + "/" + name
		}
		texts = append(texts, safetext.Text(fmt.Sprintf("%s %s can write ClusterExtensions through a binding outside these paths (%s:%d), and is not limited. "+
			"If it is for the same cluster, also pass that file, or --subject %s:%s",
			w.Kind, name, s.rel(w.Position.File), w.Position.Line, w.Kind, name)))
	}
	if more := len(writers) - maxLeftOut; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more subjects can write ClusterExtensions through bindings outside these paths: salint lint reports them (olm/extension-write-access)", more))
	}
	return texts
}

// accessPolicyWarnings returns warnings about what the policy does not contain and what was not read.
func accessPolicyWarnings(s *scene, w *loader.Repository, units []*objects.Unit, scope *accesspolicy.Scope) []string {
	var warnings []string
	for _, note := range scope.Notes {
		warnings = append(warnings, safetext.Text(fmt.Sprintf("%s:%d: %s", s.rel(note.Position.File), note.Position.Line, note.Message)))
	}
	questions := access.Scene{Repository: w, Selected: s.repo.Selected}
	printer := access.Printer{Rel: s.rel}
	for _, doubt := range questions.NotRead(units) {
		warnings = append(warnings, "the policy may be incomplete: "+printer.Doubt(doubt))
	}
	return warnings
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// readSubjects parses KIND:NAME, with the kinds of RBAC.
func readSubjects(given []string) ([]rbac.Subject, error) {
	var subjects []rbac.Subject
	for _, text := range given {
		kind, name, _ := strings.Cut(text, ":")
		s := rbac.Subject{Kind: kind, Name: name}
		if kind == rbac.KindServiceAccount {
			s.Namespace, s.Name, _ = strings.Cut(name, "/")
		}
		known := kind == rbac.KindServiceAccount && s.Namespace != "" || kind == rbac.KindUser || kind == rbac.KindGroup
		if !known || s.Name == "" {
			return nil, fmt.Errorf("--subject %s: use User:NAME, Group:NAME or ServiceAccount:NAMESPACE/NAME", text)
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}
