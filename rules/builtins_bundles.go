package rules

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/rules/policy"
)

// bundleBuiltins are about the content of an extension's bundle. Without a bundle they are undefined. If the bundle cannot
// be read they are undefined, too, and the scene records the reason, so that no rule needs to report it.
func bundleBuiltins() []*policy.Builtin {
	extension := arg("extension", anyMapType)
	subject := record("kind", textType, "namespace", textType, "name", textType)
	scoped := listOf(record("namespace", textType, "rules", listOf(ruleType), "texts", textsType))
	place := record("file", textType, "line", numberType)
	bundle := record("dir", textType, "kind", textType, "package", textType, "name", textType, "version", textType,
		"file", textType, "line", numberType, "places", listOf(place))
	preflight := record("identity", subject, "missing", scoped, "unneeded", scoped, "unknown", listOf(roleType), "partial", listOf(roleType))
	growth := listOf(record("title", textType, "dangers", textsType, "texts", textsType))
	return []*policy.Builtin{
		{
			Name:        "salint.bundle",
			Description: "The bundle of an extension, which `bundles:` of the configuration or `--bundle` names; undefined without a bundle.",
			Decl:        function(bundle, extension), Eval: aboutBundle("bundle", bundleOf),
		},
		{
			Name:        "salint.preflight",
			Description: "The permissions that installing the bundle of an extension needs, compared with those of its identity; undefined without a bundle, and if OLM acts as its own account.",
			Decl:        function(preflight, extension), Eval: asking(oneOfEach(bindingKinds, roleKinds), aboutBundle("preflight", preflightOf)),
		},
		{
			Name:        "salint.bundle_growth",
			Description: "The permissions that the bundle of an extension requires, and did not require at the revision of `--changed-since`; undefined without a bundle at either revision, and without a revision.",
			Decl:        function(growth, extension), Eval: aboutBundle("bundle_growth", growthOf),
		},
	}
}

// bundleQuestion is a question about the bundle of an extension; a nil answer makes the call undefined.
type bundleQuestion func(context.Context, *scene, *objects.Object, *installer.Installer) (ast.Value, error)

// aboutBundle returns a function for a question. The answer is kept with the extension, however many rules and bindings ask
// for it.
func aboutBundle(name string, ask bundleQuestion) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
			o := s.objectWith(args[0].Value)
			if o == nil || s.Bundles == nil || s.Unit.Object(o.Ref()) != o {
				return nil, nil
			}
			if _, known := s.Bundles.Sources[o.Name]; !known {
				return nil, nil
			}
			// The identity that OLM acts as, and the objects that it installs, depend on the target, of which a plan checks
			// several.
			return s.remember(answerKey{function: name, args: s.Target.Name, object: o}, func() (ast.Value, error) {
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
func noteBundle(s *scene, o *objects.Object, err error) {
	if s.NotChecked != nil {
		reason := err.Error()
		if unknown := new(installer.UnknownError); errors.As(err, &unknown) {
			reason = unknown.Reason
		}
		reason = strings.ReplaceAll(strings.TrimSpace(reason), "\n", "; ")
		s.NotChecked(o, "the permissions that its bundle requires were not checked: "+reason, causes(s, o))
	}
}

// causes returns the folder of a bundle, and the line of the configuration that names it.
func causes(s *scene, o *objects.Object) []finding.Place {
	source := s.Bundles.Sources[o.Name]
	places := []finding.Place{{File: path.Clean(source.Dir)}}
	if source.File != "" {
		places = append(places, finding.Place{File: source.File, Line: source.Line})
	}
	return places
}

func bundleOf(ctx context.Context, s *scene, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	loaded, err := s.Bundles.Load(ctx, i)
	if err != nil {
		return nil, err
	}
	begins := finding.Place{File: loaded.Origin.File, Line: loaded.Origin.Line}
	return ast.NewObject(
		field("dir", ast.String(path.Clean(s.Bundles.Sources[o.Name].Dir))), field("kind", ast.String(loaded.Kind)),
		field("package", ast.String(loaded.Package)), field("name", ast.String(loaded.Name)), field("version", ast.String(loaded.Version)),
		field("file", ast.String(begins.File)), field("line", number(begins.Line)),
		field("places", arrayOf(slices.Concat([]finding.Place{begins}, causes(s, o)), func(p finding.Place) ast.Value {
			return ast.NewObject(field("file", ast.String(p.File)), field("line", number(p.Line)))
		})),
	), nil
}

func preflightOf(ctx context.Context, s *scene, o *objects.Object, i *installer.Installer) (ast.Value, error) {
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
		field("identity", subjectValue(preflight.SubjectOf(i.Identity))),
		field("missing", arrayOf(preflight.Grant(result.Missing), scopedValue)),
		field("unneeded", arrayOf(preflight.Grant(result.Unneeded), scopedValue)),
		field("unknown", arrayOf(result.Effective.Unknown, roleValue)),
		field("partial", arrayOf(result.Effective.Partial, roleValue)),
	), nil
}

// shownItems is how many items of each list in a rule its text shows.
const shownItems = 5

func scopedValue(s preflight.Scoped) ast.Value {
	return ast.NewObject(
		field("namespace", ast.String(s.Namespace)), field("rules", arrayOf(s.Rules, ruleValue)),
		field("texts", arrayOf(permission.RuleTexts(s.Rules, shownItems), textValue)),
	)
}

func growthOf(ctx context.Context, s *scene, o *objects.Object, i *installer.Installer) (ast.Value, error) {
	growth, err := s.Bundles.Growth(ctx, i)
	if growth == nil || err != nil {
		return nil, err
	}
	if len(growth.NotCompared) > 0 {
		noteBundle(s, o, fmt.Errorf("they allow too many combinations of verbs and resources to compare them with the base revision: %s",
			strings.Join(growth.NotCompared, "; ")))
	}
	return arrayOf(growth.Changes, func(c bundlediff.Change) ast.Value {
		return ast.NewObject(
			field("title", ast.String(c.Title())), field("dangers", arrayOf(c.Dangers, textValue)),
			field("texts", arrayOf(c.Lines(shownItems), textValue)),
		)
	}), nil
}
