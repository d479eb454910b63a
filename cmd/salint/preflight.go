package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

const preflightDescription = "Reads the extension, its namespace, its account, and its release from the manifests in the paths (default: the current\n" +
	"folder). For an extension that does not exist yet, set --extension, --namespace, and --service-account.\n" +
	"The bundle is a registry+v1 folder, a file-based catalog with one bundle, a Helm chart, a kustomization, or a folder\n" +
	"of manifests. The required permissions are those that operator-controller requires; they are checked as the API server\n" +
	"checks them, including groups."

const preflightExitCodes = `
EXIT CODES:
   0  nothing is missing; with --format yaml also if the printed manifests grant all that is missing
   1  something is missing, as far as known; with --errors also if the text reports permissions as missing that the repository grants
   2  usage error, unreadable input, or internal error
`

// The values of flags.
var (
	runtimes     = []string{"auto", "helm", "boxcutter"}
	certificates = []string{"auto", "cert-manager", "service-ca"}
)

func (c *command) preflightCommand() *cli.Command {
	return &cli.Command{
		Name:        "preflight",
		Usage:       "list the permissions that installing a bundle needs and the repository does not grant",
		ArgsUsage:   "[PATH…]",
		Description: preflightDescription,
		Flags:       preflightFlags(),
		CustomHelpTemplate: helpWith(preflightExitCodes,
			"salint preflight --bundle bundles/argocd-operator --format yaml > argocd-preflight-rbac.yaml",
			"kubectl get clusterextension argocd -o yaml | salint preflight --extension argocd --errors -"),
		Action: c.preflight,
	}
}

func preflightFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "bundle", Usage: "`DIR` of the bundle to install (default: the extension's under bundles: in .salint.yaml)"},
		&cli.StringFlag{Name: "from", Usage: "`DIR` of the installed version; an upgrade needs the permissions of both"},
		&cli.StringFlag{Name: "errors", Usage: "`FILE` with the error text of a failed installation, instead of a bundle (- is standard input)"},
		&cli.StringFlag{Name: "granted", Usage: "`FILE` with what the installer holds, instead of the repository: kubectl auth can-i --list, or a SelfSubjectRulesReview (- is standard input)"},
		&cli.StringFlag{Name: "extension", Usage: "`NAME` of the extension (default: the only one)"},
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` to install into (default: the extension's)"},
		&cli.StringSliceFlag{Name: "watch-namespace", Usage: "`NAMESPACE` that the operator watches (repeatable; default: the extension's, or as operator-controller decides)"},
		&cli.StringFlag{Name: "certificates", Value: "auto", Usage: "`ISSUER` of webhook certificates: cert-manager, service-ca (OpenShift), or auto, inferred from the target"},
		&cli.StringFlag{Name: "package", Usage: "`NAME` of the package, for a bundle without metadata/annotations.yaml"},
		&cli.StringSliceFlag{Name: "values", Usage: "`FILE` of values for a chart (repeatable; default: the first set under helm: in .salint.yaml)"},
		&cli.StringFlag{Name: "service-account", Usage: "`NAME` of the installing account (default: the identity that OLM uses)"},
		&cli.StringFlag{Name: "as", Usage: "installing `USER`, such as olm:clusterextension:NAME"},
		&cli.StringSliceFlag{Name: "as-group", Usage: "`GROUP` of the installing user (repeatable)"},
		&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model (required, synthetic, ignored, removed), or a release `NAME` such as olm-1.10 or ocp-4.20"},
		&cli.StringFlag{Name: "runtime", Value: "auto", Usage: "`RUNTIME` of operator-controller: auto, helm, boxcutter"},
		&cli.StringFlag{Name: "escalation", Value: string(preflight.Hold), Usage: "`HOW` the installer can create the bundle's roles: hold (hold every rule), verbs (escalate and bind)"},
		&cli.StringFlag{Name: "collection-verbs", Value: "auto", Usage: "comma-separated `VERBS` required cluster-wide on every type, none, or auto (list,watch for the Helm runtime and in v1.8)"},
		&cli.StringFlag{Name: "finalizers", Value: "auto", Usage: "`RESOURCE[/NAME]` whose finalizers are updated, none if owner references are not enforced, or auto (the extension or revision, by release)"},
		apiVersions(),
		&cli.BoolFlag{Name: "all", Usage: "list all permissions that the installer needs, not only the missing ones", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "print complete lists instead of about a dozen lines each", DisableDefaultText: true},
	}, sceneFlags(answer.Formats())...)
}

func (c *command) preflight(ctx *cli.Context) error {
	if err := checkPreflight(ctx); err != nil {
		return err
	}
	s, err := c.openScene(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	p := &preflighter{command: c, ctx: ctx, scene: s}
	if err := p.read(loader.Kinds(loader.RBAC(), loader.Installers())); err != nil {
		return err
	}
	answers, err := p.ask()
	if err != nil {
		return err
	}
	missing := slices.ContainsFunc(answers, answer.Answer.Missing)
	if missing && !generated(ctx.String("format"), answers) {
		c.exit = exitFindings
	}
	if err := answer.WriteAll(c.Stdout, ctx.String("format"), answers); err != nil {
		return err
	}
	if !missing {
		return undecided(answers[0])
	}
	var bindings []rbac.Binding
	for _, a := range answers {
		bindings = append(bindings, a.Bindings...)
	}
	return malformed(access.MalformedRoles(bindings), s.rel) // missing permissions could be granted by them
}

// malformed returns errors for invalid roles.
func malformed(doubts []access.Doubt, rel func(string) string) error {
	var all []error
	for _, d := range doubts {
		all = append(all, fmt.Errorf("%s:%d:%d: %s", rel(d.Position.File), d.Position.Line, d.Position.Column, d.Message))
	}
	return errors.Join(all...)
}

// ask returns the answers: one for a bundle, one for each user of an error text.
func (p *preflighter) ask() ([]answer.Answer, error) {
	if err := p.readGranted(); err != nil {
		return nil, err
	}
	if p.ctx.String("errors") != "" {
		return p.askErrors()
	}
	a, err := p.askBundle()
	return []answer.Answer{a}, err
}

// generated returns whether manifests are printed that grant what is missing, so that a script can apply them.
func generated(format string, answers []answer.Answer) bool {
	return format == "yaml" && !slices.ContainsFunc(answers, func(a answer.Answer) bool { return a.Missing() && len(a.Wanted()) == 0 })
}

// undecided returns an error if nothing is missing but not everything could be read, because the answer "nothing is
// missing" could be wrong.
func undecided(a answer.Answer) error {
	if a.Errors == nil || len(a.Errors.Unread) == 0 && !a.Errors.Truncated {
		return nil
	}
	unread := "it is truncated"
	if n := len(a.Errors.Unread); n > 0 {
		unread = a.Errors.Unread[0]
		if n > 1 {
			unread += fmt.Sprintf("; and %d more", n-1)
		}
	}
	return fmt.Errorf("--errors %s: no missing permission was found, but part of the text could not be read: %s", a.Errors.Source, unread)
}

// checkPreflight rejects invalid combinations of flags before the run.
func checkPreflight(ctx *cli.Context) error {
	if err := answer.CheckFormat(ctx.String("format")); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if _, err := preflight.ParseEscalation(ctx.String("escalation")); err != nil {
		return fmt.Errorf("--escalation: %w", err)
	}
	if !slices.Contains(runtimes, ctx.String("runtime")) {
		return fmt.Errorf("--runtime: unknown runtime %q: use auto, helm, or boxcutter", ctx.String("runtime"))
	}
	if !slices.Contains(certificates, ctx.String("certificates")) {
		return fmt.Errorf("--certificates: unknown issuer %q: use auto, cert-manager or service-ca", ctx.String("certificates"))
	}
	if ctx.String("service-account") != "" && (ctx.String("as") != "" || len(ctx.StringSlice("as-group")) > 0) {
		return errors.New("--service-account and --as both set the installing identity: give only one")
	}
	if err := checkVerbs(ctx.String("collection-verbs")); err != nil {
		return err
	}
	if ctx.String("errors") == "" {
		return nil
	}
	for _, flag := range []string{"bundle", "from", "granted", "watch-namespace", "package", "values", "certificates", "runtime", "collection-verbs", "finalizers", "all"} {
		if ctx.IsSet(flag) {
			return fmt.Errorf("--%s cannot be used with --errors, whose text contains the missing permissions", flag)
		}
	}
	if ctx.String("escalation") == string(preflight.Verbs) {
		return errors.New("--escalation verbs cannot be used with --errors, whose text does not contain the bound roles: use --bundle")
	}
	return nil
}

// collectionVerbs are the verbs that can be authorized on whole types.
var collectionVerbs = []string{"list", "watch", "deletecollection", "get", "create", "update", "patch", "delete"}

func checkVerbs(text string) error {
	if text == "auto" || text == "none" {
		return nil
	}
	for _, verb := range splitVerbs(text) {
		if !slices.Contains(collectionVerbs, verb) {
			return fmt.Errorf("--collection-verbs: %q is not a verb of a type%s: use auto, none, or some of %s",
				verb, suggestion(verb, collectionVerbs), strings.Join(collectionVerbs, ", "))
		}
	}
	return nil
}

func splitVerbs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// preflighter is one run of salint preflight.
type preflighter struct {
	*command
	ctx   *cli.Context
	scene *scene
	world *loader.Repository
	// granted is what a cluster says that the identity holds; nil if the repository counts.
	granted *preflight.Granted
}

// read reads the repository without its bundles, whose roles are not granted yet.
func (p *preflighter) read(kinds map[string][]string) (err error) {
	s := *p.scene
	config := *s.config
	s.config = &config
	config.Exclude = slices.Clone(config.Exclude)
	dirs := []string{p.ctx.String("bundle"), p.ctx.String("from")}
	for _, dir := range config.Bundles {
		dirs = append(dirs, p.bundlePath(dir))
	}
	for _, dir := range dirs {
		if inside, ok := p.inRepository(dir); ok && inside != "." {
			everything, err := glob.ParsePath("**")
			if err != nil {
				return err
			}
			config.Exclude = append(config.Exclude, everything.Below(inside))
		}
	}
	p.world, err = s.read(p.ctx, kinds)
	return err
}

// choice returns the installer that the flags select.
func (p *preflighter) choice() (installer.Choice, error) {
	ctx := p.ctx
	choice := installer.Choice{
		Extension: ctx.String("extension"), Namespace: ctx.String("namespace"), WatchNamespaces: ctx.StringSlice("watch-namespace"),
		Account: ctx.String("service-account"), Target: p.scene.requested.Common(), Selected: p.scene.repo.Selected,
		Rel: p.scene.rel,
	}
	switch ctx.String("runtime") {
	case "helm":
		choice.Runtime = olm.HelmRuntime
	case "boxcutter":
		choice.Runtime = olm.BoxcutterRuntime
	}
	// An account can be given with its namespace, as in its user name.
	if namespace, name, ok := strings.Cut(choice.Account, ":"); ok {
		choice.Account = ""
		who := rbac.Account(objects.Account{Namespace: namespace, Name: name}).Identity()
		choice.Identity = &who
	}
	if ctx.String("as") != "" || len(ctx.StringSlice("as-group")) > 0 {
		who, err := access.Identity(ctx.String("as"), ctx.StringSlice("as-group"))
		if err != nil {
			return choice, err
		}
		choice.Identity = &who
	}
	return choice, nil
}

// newAnswer returns what answers for bundles and for errors have in common.
func (p *preflighter) newAnswer(i *installer.Installer) answer.Answer {
	v := i.Resolved
	unit, from := i.Grants()
	a := answer.Answer{
		Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity, Unit: unit, From: from,
		Target: answer.Target{
			Name: v.Target.Name, Model: string(v.Target.Model), Runtime: i.Runtime.Name,
			DetectedFrom: v.DetectedFrom, Known: v.Known,
		},
		NotActing: i.NotActing, Condition: i.Condition, Notes: i.Notes, All: p.ctx.Bool("all"), Verbose: p.ctx.Bool("verbose"),
		Escalation: preflight.Escalation(p.ctx.String("escalation")), Command: p.again(), Rel: p.scene.rel,
	}
	if i.NotActing != "" {
		a.Target.Runtime = ""
	}
	if p.granted != nil {
		a.GrantedFrom, a.Notes = p.grantedName(), append(a.Notes, p.grantedNotes()...)
		return a
	}
	if unit != nil && i.NotActing == "" {
		a.Bindings = rbac.BindingsFor(unit, from, i.Identity)
		for _, problem := range p.world.Problems(unit) {
			problem.Position.File = p.scene.rel(problem.Position.File)
			a.Notes = append(a.Notes, problem.String())
		}
	}
	return a
}

// again returns the command line without the format.
func (p *preflighter) again() string {
	words := []string{"salint", "preflight"}
	for _, flag := range p.ctx.Command.Flags {
		name := flag.Names()[0]
		if !p.ctx.IsSet(name) || name == "format" || name == "verbose" {
			continue
		}
		switch flag.(type) {
		case *cli.BoolFlag:
			words = append(words, "--"+name)
		case *cli.StringSliceFlag:
			for _, value := range p.ctx.StringSlice(name) {
				words = append(words, "--"+name, value)
			}
		default:
			value := p.ctx.String(name)
			if name == "errors" && value == "-" {
				value = answer.SavedErrors
			}
			words = append(words, "--"+name, value)
		}
	}
	words = append(words, p.ctx.Args().Slice()...)
	for i, word := range words {
		words[i] = shellQuote(word)
	}
	return strings.Join(words, " ")
}
