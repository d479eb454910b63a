package lookup

import (
	"context"
	"errors"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins find objects.
func Builtins() []*policy.Builtin { return slices.Concat(objectBuiltins(), nearestBuiltins()) }

func objectBuiltins() []*policy.Builtin {
	query := define.Arg("query", define.AnyMap)
	mention := define.Record("file", define.String, "line", types.N, "ref", define.String, "what", define.String, "template", types.B, "use", define.String, "units", define.List(define.String))
	return []*policy.Builtin{
		{
			Name:        "salint.ref",
			Description: "The ref of `input.resource`, or of a `resource` that another function returned; undefined for any other value.",
			Decl:        define.Function(define.String, define.Arg("resource", types.A)), Eval: define.Inside(refOf),
		}, {
			Name:        "salint.find",
			Description: "All objects of the deployment unit that match a query, sorted by file and position.",
			Decl:        define.Function(define.Found, query), Eval: define.Asking(define.KindOfQuery, define.Remembered("find", define.Reading(fieldquery.Read, find))),
		}, {
			Name:        "salint.lookup",
			Description: "Like `salint.find`, but only the objects that belong to `input.resource`: the nearest of each name.",
			Decl:        define.Function(define.Found, query), Eval: define.Asking(define.KindOfQuery, define.RememberedFor("lookup", define.Reading(fieldquery.ReadPlain, lookup))),
		}, {
			Name:        "salint.lookup_refs",
			Description: "The refs of `salint.lookup`.",
			Decl:        define.Function(define.Strings, query), Eval: define.Asking(define.KindOfQuery, define.RememberedFor("lookup_refs", define.Reading(fieldquery.ReadPlain, lookupRefs))),
		}, {
			Name:        "salint.installed_as",
			Description: "The ClusterExtensions of `salint.lookup` that can be installed as one of the subjects, by the names in their manifests.",
			Decl:        define.Function(define.Found, define.Arg("subjects", define.List(define.AnyMap))), Eval: define.Asking(define.OneOfEach([]string{olm.ClusterExtensionKind}), define.Inside(installedAs)),
		}, {
			Name:        "salint.ties",
			Description: "The refs of the objects of `salint.lookup` that are equally near, so that it is unknown which one is meant.",
			Decl:        define.Function(define.Strings, query), Eval: define.Asking(define.KindOfQuery, define.RememberedFor("ties", define.Reading(fieldquery.ReadPlain, ties))),
		}, {
			Name:        "salint.anywhere",
			Description: "Like `salint.find`, in all units of the repository.",
			Decl:        define.Function(define.Found, query), Eval: define.Asking(define.KindOfQuery, define.RememberedEverywhere("anywhere", define.Reading(fieldquery.Read, anywhere))),
		}, {
			Name:        "salint.refs_anywhere",
			Description: "The refs of `salint.anywhere`.",
			Decl:        define.Function(types.NewSet(define.String), query), Eval: define.Asking(define.KindOfQuery, define.RememberedEverywhere("refs_anywhere", define.Reading(fieldquery.Read, refsAnywhere))),
		}, {
			Name:        "salint.placeholders",
			Description: "The refs of those objects of `salint.find` whose names are placeholders that some tool replaces, as names of roles.",
			Decl:        define.Function(define.Strings, query), Eval: define.Asking(define.KindOfQuery, define.Remembered("placeholders", define.Reading(fieldquery.Read, placeholders))),
		}, {
			Name:        "salint.renamed",
			Description: "The objects of the deployment unit whose manifests match a query, and which are applied under another name or in another namespace.",
			Decl:        define.Function(define.Found, query), Eval: define.Asking(define.KindOfQuery, define.Remembered("renamed", define.Reading(fieldquery.ReadPlain, renamed))),
		}, {
			Name:        "salint.mentions",
			Description: "Every place in the repository that names a service account, in any file; for `input.resource`, only places that can mean it and are applied.",
			Decl:        define.Function(define.List(mention), define.Arg("account", define.AnyMap)), Eval: mentions,
		}, {
			Name:        "salint.created_in_texts",
			Description: "The places where a script or a string of a manifest creates a service account, with a manifest or a command. What it applies is not checked.",
			Decl:        define.Function(define.List(define.Record("file", define.String, "line", types.N)), define.Arg("account", define.AnyMap)), Eval: createdInTexts,
		}, {
			Name:        "salint.granted_elsewhere",
			Description: "The places outside of the manifests that are read that bind a role to a service account, or can bind one: commands, texts, and objects of which a controller makes bindings.",
			Decl:        define.Function(define.List(define.Record("file", define.String, "line", types.N)), define.Arg("account", define.AnyMap)), Eval: grantedElsewhere,
		}, {
			Name:        "salint.unread",
			Description: "The first file of the repository of which nothing was read, with the reason; empty if every file was read.",
			Decl:        define.Function(define.List(define.Record("place", define.String, "reason", define.String))), Eval: unread,
		}, {
			Name:        "salint.configured_creators",
			Description: "The kinds of `creators` in .salint.yaml, for whose objects an operator creates accounts and roles; empty in a test.",
			Decl:        define.Function(define.List(creator)), Eval: configuredCreators,
		}, {
			Name:        "salint.former",
			Description: "The manifest of an object, and how it was at the revision of `--changed-since`; undefined without a revision, and if it did not change.",
			Decl:        define.Function(define.Record("now", types.A, "before", types.A), define.Arg("resource", types.A)), Eval: define.Inside(formerOf),
		}, {
			Name:        "salint.removed",
			Description: "The manifests of a kind that files had at the revision of `--changed-since` and that are in no file now; none without a revision.",
			Decl:        define.Function(define.List(types.A), query), Eval: define.RememberedEverywhere("removed", define.Reading(fieldquery.ReadPlain, removed)),
		},
	}
}

func refOf(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	if o := s.ObjectWith(args[0].Value); o != nil {
		return ast.String(o.Ref()), nil
	}
	if s.Object != nil && s.Values.Of(s.Object).Compare(args[0].Value) == 0 {
		return ast.String(s.Object.Ref()), nil
	}
	return nil, nil
}

func find(s *evalcontext.Evaluation, query fieldquery.Query) (ast.Value, error) {
	return s.Found(query.In(s.Unit)), nil
}

// anywhere lists an object that several units share once.
func anywhere(s *evalcontext.Evaluation, query fieldquery.Query) (ast.Value, error) {
	return s.Found(query.InAll(s.Units)), nil
}

func refsAnywhere(s *evalcontext.Evaluation, query fieldquery.Query) (ast.Value, error) {
	refs := ast.NewSet()
	for _, o := range query.InAll(s.Units) {
		refs.Add(ast.StringTerm(o.Ref()))
	}
	return refs, nil
}

// placeholders finds the names for which role_placeholder of rego/lib/text.rego is true.
func placeholders(s *evalcontext.Evaluation, query fieldquery.Query) (ast.Value, error) {
	return values.Refs(slices.DeleteFunc(query.In(s.Unit), func(o *objects.Object) bool {
		return !isPlaceholderOfRole(o.Name)
	})), nil
}

func isPlaceholderOfRole(name string) bool {
	return !validRoleName().MatchString(name) || onlyCapitals().MatchString(name)
}

var (
	validRoleName = lazyregexp.New(`^[-.:@_A-Za-z0-9]*$`)
	onlyCapitals  = lazyregexp.New(`^[-_A-Z0-9]*[A-Z][-_A-Z0-9]*$`)
)

// renamed compares names only: an object without a namespace in its manifest gets one, which does not rename it.
func renamed(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	return s.Found(slices.DeleteFunc(slices.Clone(writtenDifferently(s.Unit, query.Kind)[query.Name]), func(o *objects.Object) bool {
		return !query.Matches(written(o)) || query.Matches(o)
	})), nil
}

type writtenKey struct{ kind string }

// writtenDifferently returns the objects of a kind that a build has created or changed, in their order, by the names in their
// manifests, and all of them by "". Rules ask for one account after the other.
func writtenDifferently(unit *objects.Unit, kind string) map[string][]*objects.Object {
	return unit.Cached(writtenKey{kind}, func() any {
		byName := map[string][]*objects.Object{}
		for _, o := range unit.Find(objects.Query{Kind: kind}) {
			if source := written(o); source != nil && source != o {
				byName[""] = append(byName[""], o)
				if source.Name != "" {
					byName[source.Name] = append(byName[source.Name], o)
				}
			}
		}
		return byName
	}).(map[string][]*objects.Object)
}

// written returns an object with the names in its manifest, or those that a chart of a kustomization renders; nil if it has none.
func written(o *objects.Object) *objects.Object {
	if o.Applied != nil && o.Applied.Former != nil {
		return o.Applied.Former
	}
	return o.Source()
}

func lookup(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	owned, _, err := near(s, query)
	return s.Found(owned), err
}

func lookupRefs(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	owned, _, err := near(s, query)
	return values.Refs(owned), err
}

func ties(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	_, tie, err := near(s, query)
	return values.Refs(tie), err
}

func near(s *evalcontext.Evaluation, query objects.Query) (owned, tie []*objects.Object, err error) {
	if s.Object == nil {
		return nil, nil, errors.New("needs input.resource, which a rule about a unit does not have: use salint.find")
	}
	owned, tie = s.Unit.Near(s.Object, s.Unit.Find(query))
	return owned, tie, nil
}

// mentions asks the caller of the evaluator, which has the files.
func mentions(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	return define.RememberedFor("mentions", func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
		account, ok, err := values.ReadStrings(args[0], "namespace", "name")
		if !ok || err != nil || account["name"] == "" {
			return nil, err
		}
		if s.Mentions == nil {
			return nil, errors.New("the files of the repository were not read")
		}
		asked := objects.Account{Namespace: account["namespace"], Name: account["name"]}
		list, err := s.Mentions(ctx, asked, s.Object)
		if err != nil {
			return nil, err
		}
		return values.Array(list, mentionValue), nil
	})(ctx, args)
}

// createdInTexts and grantedElsewhere ask the caller of the evaluator, which has the files.
var (
	createdInTexts   = placesOfAccount("created_in_texts", func(s *evalcontext.Evaluation) accountPlaces { return s.CreatedInTexts })
	grantedElsewhere = placesOfAccount("granted_elsewhere", func(s *evalcontext.Evaluation) accountPlaces { return s.GrantedElsewhere })
)

type accountPlaces func(context.Context, objects.Account) ([]objects.Position, error)

// placesOfAccount returns a built-in function for the places of an account. A test without a repository has none.
func placesOfAccount(name string, places func(*evalcontext.Evaluation) accountPlaces) func(context.Context, []*ast.Term) (ast.Value, error) {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := evalcontext.Of(ctx); s == nil || places(s) == nil {
			return ast.NewArray(), nil
		}
		return define.Remembered(name, func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
			account, ok, err := values.ReadStrings(args[0], "namespace", "name")
			if !ok || err != nil {
				return nil, err
			}
			found, err := places(s)(ctx, objects.Account{Namespace: account["namespace"], Name: account["name"]})
			return values.Array(found, func(p objects.Position) ast.Value {
				return values.At(p)
			}), err
		})(ctx, args)
	}
}

// unread asks the caller of the evaluator. A test without a repository has read all.
func unread(ctx context.Context, _ []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	if s == nil || s.Unread == nil {
		return ast.NewArray(), nil
	}
	place, why := s.Unread()
	if place == "" {
		return ast.NewArray(), nil
	}
	return ast.NewArray(ast.NewTerm(ast.NewObject(values.Field("place", ast.String(place)), values.Field("reason", ast.String(why))))), nil
}

// creator is an entry of `creators` in the configuration.
var creator = define.Record("group", define.String, "kind", define.String, "accounts", define.Strings, "roles", define.Strings,
	"cluster_roles", define.Strings, "namespace", define.String)

func configuredCreators(ctx context.Context, _ []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	if s == nil || s.Shared == nil {
		return ast.NewArray(), nil
	}
	return values.Array(s.Shared.Creators, func(c settings.Creator) ast.Value {
		return ast.NewObject(
			values.Field("group", ast.String(c.Group)), values.Field("kind", ast.String(c.Kind)),
			values.Field("accounts", values.Array(c.Accounts, values.String)), values.Field("roles", values.Array(c.Roles, values.String)),
			values.Field("cluster_roles", values.Array(c.ClusterRoles, values.String)), values.Field("namespace", ast.String(c.Namespace)),
		)
	}), nil
}

func mentionValue(m uses.Place) ast.Value {
	what := m.Kind
	if len(m.Path) > 0 {
		what += " " + m.Path.String()
	}
	return ast.NewObject(
		values.Field("file", ast.String(m.File)), values.Field("line", values.Number(m.Line)),
		values.Field("ref", ast.String(m.Ref)), values.Field("what", ast.String(what)),
		values.Field("template", ast.Boolean(m.Certainty == uses.Possible)), values.Field("use", ast.String(string(m.Use))),
		values.Field("units", values.Array(m.OtherUnits, func(name string) ast.Value { return ast.String(name) })),
	)
}

func removed(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	if s.Former.Removed == nil {
		return ast.NewArray(), nil
	}
	group := ""
	if query.Group != nil {
		group = *query.Group
	}
	return values.Array(s.Former.Removed(s.Units, group, query.Kind, query.Namespace, query.Name), func(o *objects.Object) ast.Value {
		return values.Of(o.JSON())
	}), nil
}

func formerOf(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	o := s.ObjectWith(args[0].Value)
	if o == nil || s.Former.Of == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	now, before := s.Former.Of(s.Unit, o)
	if before == nil {
		return nil, nil
	}
	return ast.NewObject(values.Field("now", values.Of(now.JSON())), values.Field("before", values.Of(before.JSON()))), nil
}
