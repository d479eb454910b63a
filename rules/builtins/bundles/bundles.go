package bundles

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins are about the content of an extension's bundle. Without a bundle they are undefined. If the bundle cannot
// be read they are undefined, too, and the evaluation records the reason, so that no rule needs to report it.
func Builtins() []*policy.Builtin {
	extension := define.Arg("extension", define.AnyMap)
	scoped := define.List(define.Record("namespace", define.String, "rules", define.List(define.Rule), "texts", define.Strings))
	place := define.Record("file", define.String, "line", define.Number)
	bundleRecord := define.Record("dir", define.String, "kind", define.String, "package", define.String, "name", define.String, "version", define.String,
		"file", define.String, "line", define.Number, "places", define.List(place))
	preflight := define.Record("identity", define.Subject, "missing", scoped, "unneeded", scoped, "unknown", define.List(define.Role), "partial", define.List(define.Role))
	growth := define.List(define.Record("title", define.String, "dangers", define.Strings, "texts", define.Strings))
	return []*policy.Builtin{
		{
			Name:        "salint.bundle",
			Description: "The bundle of an extension, which `bundles:` of the configuration or `--bundle` names; undefined without a bundle.",
			Decl:        define.Function(bundleRecord, extension), Eval: aboutBundle("bundle", bundleOf),
		}, {
			Name:        "salint.preflight",
			Description: "The permissions that installing the bundle of an extension needs, compared with those of its identity; undefined without a bundle, and if OLM acts as its own account.",
			Decl:        define.Function(preflight, extension), Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), aboutBundle("preflight", preflightOf)),
		}, {
			Name: "salint.bundle_refusals",
			Description: "Why the release of the target does not install the bundle of an extension, or not without a feature gate (`gate`, otherwise `\"\"`), with what to do, and what it installs " +
				"in another way than requested (`installs`); undefined without a bundle.",
			Decl: define.Function(define.List(define.Record("reason", define.String, "gate", define.String, "remedy", define.String, "installs", types.B)), extension),
			Eval: aboutBundle("bundle_refusals", refusalsOf),
		}, {
			Name:        "salint.controller_gap",
			Description: "What OLM's own account lacks to install an extension, if the repository installs OLM with bindings that do not make it a cluster-admin; undefined if nothing is known to be lacking.",
			Decl: define.Function(define.Record("lack", define.String, "here", types.B, "ref", define.String, "subject_index", define.Number, "account", define.Subject,
				"missing", scoped), extension),
			Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
				return define.Inside(func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
					return controllerGap(ctx, s, args)
				})(ctx, args)
			}),
		}, {
			Name:        "salint.bundle_growth",
			Description: "The permissions that the bundle of an extension requires, and did not require at the revision of `--changed-since`; undefined without a bundle at either revision, and without a revision.",
			Decl:        define.Function(growth, extension), Eval: aboutBundle("bundle_growth", growthOf),
		},
	}
}

// bundleQuestion is a question about the bundle of an extension; a nil answer makes the call undefined.
type bundleQuestion func(context.Context, *evalcontext.Evaluation, *objects.Object, *installer.Installer) (ast.Value, error)

// aboutBundle returns a function for a question. The answer is kept with the extension, however many rules and bindings ask
// for it.
func aboutBundle(name string, ask bundleQuestion) define.Func {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		return define.Inside(func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
			o := s.ObjectWith(args[0].Value)
			if o == nil || s.Bundles == nil || s.Unit.Object(o.Ref()) != o {
				return nil, nil
			}
			if _, known := s.Bundles.Sources[o.Name]; !known {
				return nil, nil
			}
			// The identity that OLM acts as, and the objects that it installs, depend on the target, of which a plan checks
			// several.
			return s.Remember(evalcontext.Question{Function: name, Args: s.Target.Name, Object: o}, func() (ast.Value, error) {
				i, err := s.Installer(s.Unit, o)
				if err == nil || i != nil && name != "preflight" {
					var value ast.Value
					if value, err = ask(ctx, s, o, i); err == nil {
						return value, nil
					}
				}
				noteBundle(s, o, err)
				return nil, ctx.Err()
			})
		})(ctx, args)
	}
}

// noteBundle records why the bundle of an extension was not checked.
func noteBundle(s *evalcontext.Evaluation, o *objects.Object, err error) {
	if s.NotChecked != nil {
		reason := err.Error()
		if unknown := new(installer.UnknownError); errors.As(err, &unknown) {
			reason = unknown.Reason
		}
		if refused := new(bundle.UnsupportedError); errors.As(err, &refused) && refused.Hint != "" {
			reason = strings.TrimSuffix(reason, "; "+refused.Hint) // the rule olm/bundle-refused reports it
		}
		reason = strings.ReplaceAll(strings.TrimSpace(reason), "\n", "; ")
		s.NotChecked(o, "the permissions that its bundle requires were not checked: "+reason, causes(s, o))
	}
}

// causes returns the folder of a bundle, and the line of the configuration that names it.
func causes(s *evalcontext.Evaluation, o *objects.Object) []finding.Place {
	source := s.Bundles.Sources[o.Name]
	places := []finding.Place{{File: path.Clean(source.Dir)}}
	if source.File != "" {
		places = append(places, finding.Place{File: source.File, Line: source.Line})
	}
	return places
}

func bundleOf(ctx context.Context, s *evalcontext.Evaluation, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	loaded, err := s.Bundles.LoadAnyway(ctx, i)
	if err != nil {
		return nil, err
	}
	begins := finding.Place{File: loaded.Origin.File, Line: loaded.Origin.Line}
	return ast.NewObject(
		values.Field("dir", ast.String(path.Clean(s.Bundles.Sources[o.Name].Dir))), values.Field("kind", ast.String(loaded.Kind)),
		values.Field("package", ast.String(loaded.Package)), values.Field("name", ast.String(loaded.Name)), values.Field("version", ast.String(loaded.Version)),
		values.Field("file", ast.String(begins.File)), values.Field("line", values.Number(begins.Line)),
		values.Field("places", values.Array(slices.Concat([]finding.Place{begins}, causes(s, o)), func(p finding.Place) ast.Value {
			return ast.NewObject(values.Field("file", ast.String(p.File)), values.Field("line", values.Number(p.Line)))
		})),
	), nil
}

func refusalsOf(ctx context.Context, s *evalcontext.Evaluation, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	refusals, open, err := s.Bundles.Refusals(ctx, i)
	if err != nil {
		return nil, err
	}
	if s.NotChecked != nil {
		for _, note := range open {
			s.NotChecked(o, note, causes(s, o))
		}
	}
	return values.Array(refusals, func(o bundlesupport.Obstacle) ast.Value {
		return ast.NewObject(
			values.Field("reason", ast.String(o.Reason)), values.Field("gate", ast.String(o.Gate)), values.Field("remedy", ast.String(o.Remedy)),
			values.Field("installs", ast.Boolean(o.Installs)),
		)
	}), nil
}

func preflightOf(ctx context.Context, s *evalcontext.Evaluation, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	result, err := s.Bundles.Preflight(ctx, i)
	if result == nil || err != nil {
		return nil, err
	}
	if s.NotChecked != nil {
		for _, note := range result.Notes {
			s.NotChecked(o, note, causes(s, o))
		}
	}
	return ast.NewObject(
		values.Field("identity", values.Subject(preflight.SubjectOf(i.Identity))),
		values.Field("missing", values.Array(preflight.Grant(result.Missing), Scoped)),
		values.Field("unneeded", values.Array(preflight.Grant(result.Unneeded), Scoped)),
		values.Field("unknown", values.Array(result.Effective.Unknown, values.Role)),
		values.Field("partial", values.Array(result.Effective.Partial, values.Role)),
	), nil
}

// shownItems is how many items of each list in a rule its text shows.
const shownItems = 5

// Scoped returns the rules of a namespace, and their texts, in the form of policies.
func Scoped(s preflight.Scoped) ast.Value {
	return ast.NewObject(
		values.Field("namespace", ast.String(s.Namespace)), values.Field("rules", values.Array(s.Rules, values.Rule)),
		values.Field("texts", values.Array(permission.RuleTexts(s.Rules, shownItems), values.String)),
	)
}

func growthOf(ctx context.Context, s *evalcontext.Evaluation, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	growth, err := s.Bundles.Growth(ctx, i)
	if growth == nil || err != nil {
		return nil, err
	}
	if len(growth.NotCompared) > 0 {
		noteBundle(s, o, fmt.Errorf("they allow too many combinations of verbs and resources to compare them with the base revision: %s",
			strings.Join(growth.NotCompared, "; ")))
	}
	return values.Array(growth.Changes, func(c bundlediff.Change) ast.Value {
		return ast.NewObject(
			values.Field("title", ast.String(c.Title())), values.Field("dangers", values.Array(c.Dangers, values.String)),
			values.Field("texts", values.Array(c.Lines(shownItems), values.String)),
		)
	}), nil
}
