package rules

import (
	"context"
	"errors"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/policy"
)

// lookupBuiltins find objects.
func lookupBuiltins() []*policy.Builtin { return slices.Concat(objectBuiltins(), nearestBuiltins()) }

func objectBuiltins() []*policy.Builtin {
	query := arg("query", anyMapType)
	mention := record("file", textType, "line", types.N, "ref", textType, "what", textType, "template", types.B, "use", textType, "units", listOf(textType))
	return []*policy.Builtin{
		{
			Name:        "salint.ref",
			Description: "The ref of `input.resource`, or of a `resource` that another function returned; undefined for any other value.",
			Decl:        function(textType, arg("resource", types.A)), Eval: inside(refOf),
		},
		{
			Name:        "salint.find",
			Description: "All objects of the deployment unit that match a query, sorted by file and position.",
			Decl:        function(foundType, query), Eval: asking(kindOfQuery, remembered("find", find)),
		},
		{
			Name:        "salint.lookup",
			Description: "Like `salint.find`, but only the objects that belong to `input.resource`: the nearest of each name.",
			Decl:        function(foundType, query), Eval: asking(kindOfQuery, rememberedFor("lookup", lookup)),
		},
		{
			Name:        "salint.lookup_refs",
			Description: "The refs of `salint.lookup`.",
			Decl:        function(textsType, query), Eval: asking(kindOfQuery, rememberedFor("lookup_refs", lookupRefs)),
		},
		{
			Name:        "salint.installed_as",
			Description: "The ClusterExtensions of `salint.lookup` that can be installed as one of the subjects, by the names in their manifests.",
			Decl:        function(foundType, arg("subjects", listOf(anyMapType))), Eval: asking(oneOfEach([]string{olm.ClusterExtensionKind}), inside(installedAs)),
		},
		{
			Name:        "salint.ties",
			Description: "The refs of the objects of `salint.lookup` that are equally near, so that it is unknown which one is meant.",
			Decl:        function(textsType, query), Eval: asking(kindOfQuery, rememberedFor("ties", ties)),
		},
		{
			Name:        "salint.anywhere",
			Description: "Like `salint.find`, in all units of the repository.",
			Decl:        function(foundType, query), Eval: asking(kindOfQuery, rememberedEverywhere("anywhere", anywhere)),
		},
		{
			Name:        "salint.refs_anywhere",
			Description: "The refs of `salint.anywhere`.",
			Decl:        function(types.NewSet(textType), query), Eval: asking(kindOfQuery, rememberedEverywhere("refs_anywhere", refsAnywhere)),
		},
		{
			Name:        "salint.placeholders",
			Description: "The refs of those objects of `salint.find` whose names are placeholders that some tool replaces, as names of roles.",
			Decl:        function(textsType, query), Eval: asking(kindOfQuery, remembered("placeholders", placeholders)),
		},
		{
			Name:        "salint.renamed",
			Description: "The objects of the deployment unit whose manifests match a query, and which are applied under another name or in another namespace.",
			Decl:        function(foundType, query), Eval: asking(kindOfQuery, remembered("renamed", renamed)),
		},
		{
			Name:        "salint.mentions",
			Description: "Every place in the repository that names a service account, in any file; for `input.resource`, only places that can mean it and are applied.",
			Decl:        function(listOf(mention), arg("account", anyMapType)), Eval: mentions,
		},
		{
			Name:        "salint.created_in_texts",
			Description: "The places where a script or a string of a manifest creates a service account, with a manifest or a command. What it applies is not checked.",
			Decl:        function(listOf(record("file", textType, "line", types.N)), arg("account", anyMapType)), Eval: createdInTexts,
		},
		{
			Name:        "salint.former",
			Description: "The manifest of an object, and how it was at the revision of `--changed-since`; undefined without a revision, and if it did not change.",
			Decl:        function(record("now", types.A, "before", types.A), arg("resource", types.A)), Eval: inside(formerOf),
		},
	}
}

func refOf(s *scene, args []*ast.Term) (ast.Value, error) {
	if o := s.objectWith(args[0].Value); o != nil {
		return ast.String(o.Ref()), nil
	}
	if s.object != nil && s.values.of(s.object).Compare(args[0].Value) == 0 {
		return ast.String(s.object.Ref()), nil
	}
	return nil, nil
}

func find(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readFieldQuery(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return s.found(query.in(s.Unit)), nil
}

// anywhere lists an object that several units share once.
func anywhere(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readFieldQuery(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return s.found(query.inAll(s.Units)), nil
}

func refsAnywhere(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readFieldQuery(args[0])
	if !ok || err != nil {
		return nil, err
	}
	refs := ast.NewSet()
	for _, o := range query.inAll(s.Units) {
		refs.Add(ast.StringTerm(o.Ref()))
	}
	return refs, nil
}

// placeholders finds the names for which role_placeholder of rego/lib/text.rego is true.
func placeholders(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readFieldQuery(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return refsValue(slices.DeleteFunc(query.in(s.Unit), func(o *objects.Object) bool {
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
func renamed(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readQuery(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return s.found(slices.DeleteFunc(slices.Clone(writtenDifferently(s.Unit, query.Kind)[query.Name]), func(o *objects.Object) bool {
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

func lookup(s *scene, args []*ast.Term) (ast.Value, error) {
	owned, _, ok, err := near(s, args)
	if !ok || err != nil {
		return nil, err
	}
	return s.found(owned), nil
}

func lookupRefs(s *scene, args []*ast.Term) (ast.Value, error) {
	owned, _, ok, err := near(s, args)
	if !ok || err != nil {
		return nil, err
	}
	return refsValue(owned), nil
}

func ties(s *scene, args []*ast.Term) (ast.Value, error) {
	_, tie, ok, err := near(s, args)
	if !ok || err != nil {
		return nil, err
	}
	return arrayOf(tie, func(o *objects.Object) ast.Value { return ast.String(o.Ref()) }), nil
}

func near(s *scene, args []*ast.Term) (owned, tie []*objects.Object, ok bool, err error) {
	query, ok, err := readQuery(args[0])
	if !ok || err != nil {
		return nil, nil, ok, err
	}
	if s.object == nil {
		return nil, nil, false, errors.New("needs input.resource, which a rule about a unit does not have: use salint.find")
	}
	owned, tie = s.Unit.Near(s.object, s.Unit.Find(query))
	return owned, tie, true, nil
}

// mentions asks the caller of the evaluator, which has the files.
func mentions(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	return rememberedFor("mentions", func(s *scene, args []*ast.Term) (ast.Value, error) {
		account, ok, err := readTexts(args[0], "namespace", "name")
		if !ok || err != nil || account["name"] == "" {
			return nil, err
		}
		if s.Mentions == nil {
			return nil, errors.New("the files of the repository were not read")
		}
		asked := objects.Account{Namespace: account["namespace"], Name: account["name"]}
		list, err := s.Mentions(ctx, asked, s.object)
		if err != nil {
			return nil, err
		}
		return arrayOf(list, mentionValue), nil
	})(ctx, args)
}

// createdInTexts asks the caller of the evaluator, which has the files. A test without a repository has no texts.
func createdInTexts(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	if s := sceneOf(ctx); s == nil || s.CreatedInTexts == nil {
		return ast.NewArray(), nil
	}
	return remembered("created_in_texts", func(s *scene, args []*ast.Term) (ast.Value, error) {
		account, ok, err := readTexts(args[0], "namespace", "name")
		if !ok || err != nil {
			return nil, err
		}
		places, err := s.CreatedInTexts(ctx, objects.Account{Namespace: account["namespace"], Name: account["name"]})
		return arrayOf(places, func(p objects.Position) ast.Value {
			return ast.NewObject(field("file", ast.String(p.File)), field("line", number(p.Line)))
		}), err
	})(ctx, args)
}

func mentionValue(m uses.Place) ast.Value {
	what := m.Kind
	if len(m.Path) > 0 {
		what += " " + m.Path.String()
	}
	return ast.NewObject(
		field("file", ast.String(m.File)), field("line", number(m.Line)),
		field("ref", ast.String(m.Ref)), field("what", ast.String(what)),
		field("template", ast.Boolean(m.Certainty == uses.Possible)), field("use", ast.String(string(m.Use))),
		field("units", arrayOf(m.OtherUnits, func(name string) ast.Value { return ast.String(name) })),
	)
}

func formerOf(s *scene, args []*ast.Term) (ast.Value, error) {
	o := s.objectWith(args[0].Value)
	if o == nil || s.Former == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	now, before := s.Former(s.Unit, o)
	if before == nil {
		return nil, nil
	}
	return ast.NewObject(field("now", valueOf(now.JSON())), field("before", valueOf(before.JSON()))), nil
}
