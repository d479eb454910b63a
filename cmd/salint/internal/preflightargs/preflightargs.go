package preflightargs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/assess"
)

// The values of --runtime and --certificates.
var (
	Runtimes     = []string{"auto", "helm", "boxcutter"}
	Certificates = []string{"auto", "cert-manager", "service-ca"}
)

// Check rejects invalid combinations of flags before the run.
func Check(ctx *cli.Context) error {
	if err := answer.CheckFormat(ctx.String("format")); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if _, err := preflight.ParseEscalation(ctx.String("escalation")); err != nil {
		return fmt.Errorf("--escalation: %w", err)
	}
	if !slices.Contains(Runtimes, ctx.String("runtime")) {
		return fmt.Errorf("--runtime: unknown runtime %q: use auto, helm, or boxcutter", ctx.String("runtime"))
	}
	if !slices.Contains(Certificates, ctx.String("certificates")) {
		return fmt.Errorf("--certificates: unknown issuer %q: use auto, cert-manager or service-ca", ctx.String("certificates"))
	}
	if ctx.String("service-account") != "" && (ctx.String("as") != "" || len(ctx.StringSlice("as-group")) > 0) {
		return errors.New("--service-account and --as both set the installing identity: give only one")
	}
	if err := checkVerbs(ctx.String("collection-verbs")); err != nil {
		return err
	}
	if err := checkCatalog(ctx); err != nil {
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
	for _, verb := range assess.SplitVerbs(text) {
		if !slices.Contains(collectionVerbs, verb) {
			return fmt.Errorf("--collection-verbs: %q is not a verb of a type%s: use auto, none, or some of %s",
				verb, arguments.Suggestion(verb, collectionVerbs), strings.Join(collectionVerbs, ", "))
		}
	}
	return nil
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

// CommandLine returns the command line without the format.
func CommandLine(ctx *cli.Context) string {
	words := []string{"salint", "preflight"}
	for _, flag := range ctx.Command.Flags {
		name := flag.Names()[0]
		if !ctx.IsSet(name) || name == "format" || name == "verbose" {
			continue
		}
		switch flag.(type) {
		case *cli.BoolFlag:
			words = append(words, "--"+name)
		case *cli.StringSliceFlag:
			for _, value := range ctx.StringSlice(name) {
				words = append(words, "--"+name, value)
			}
		default:
			value := ctx.String(name)
			if name == "errors" && value == "-" {
				value = answer.SavedErrors
			}
			words = append(words, "--"+name, value)
		}
	}
	for _, path := range ctx.Args().Slice() {
		words = append(words, shell.Path(path))
	}
	return shell.Join(words)
}
