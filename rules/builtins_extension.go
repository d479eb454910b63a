package rules

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/policy"
)

// extensionBuiltins are about extensions, the identities that act for them, and OLM's releases.
func extensionBuiltins() []*policy.Builtin {
	account := record("state", textType, "name", textType, "path", pathType)
	extension := record("kind", textType, "name", textType, "name_templated", types.B, "namespace", textType, "namespace_path", pathType,
		"layout", textType, "releases", textType, "mixed", types.B, "misplaced", listOf(record("path", pathType, "releases", textType)),
		"package", textType, "package_path", pathType, "version", textType, "version_path", pathType, "pinned", types.B,
		"account", account, "others", listOf(account))
	signal := record("ref", textType, "path", pathType, "kind", textType, "target", textType, "model", textType, "weight", types.N,
		"gates", mapOf(types.B), "description", textType)
	runtime := record("name", textType, "account", types.B, "placeholder", types.B, "finalizers", textType, "collections", types.B)
	return []*policy.Builtin{
		{
			Name:        "salint.extension",
			Description: "The fields of a ClusterExtension, in any layout; undefined for other objects.",
			Decl:        function(extension, arg("resource", types.A)), Eval: readExtension,
		},
		{
			Name:        "salint.identity",
			Description: "The synthetic identity of an extension.",
			Decl:        function(record("user", textType, "groups", textsType), arg("extension_name", textType)), Eval: identity,
		},
		{
			Name:        "salint.mistyped",
			Description: "The corrected form of a subject that was meant for a synthetic identity and matches none (`kind` and `name` are empty if it is unknown); undefined for other subjects.",
			Decl:        function(record("kind", textType, "name", textType, "why", textType), arg("subject", anyMapType)), Eval: mistyped,
		},
		{
			Name:        "salint.deprecation",
			Description: "The warning that OLM of a target reports for an extension that sets its account.",
			Decl:        function(textType, arg("target_name", textType), arg("extension_name", textType)), Eval: deprecation,
		},
		{
			Name:        "salint.signs",
			Description: "The signals in the unit from which its release is detected; of those that say the same, the first.",
			Decl:        function(listOf(signal)), Eval: inside(signalsOfUnit),
		},
		{
			Name:        "salint.own_signs",
			Description: "The signals in `input.resource` from which the release of its unit is detected.",
			Decl:        function(listOf(signal)), Eval: inside(ownSignals),
		},
		{
			Name:        "salint.own_account_restricted",
			Description: "Whether the repository installs OLM with bindings of the account of OLM that do not make it a cluster-admin; false in a test.",
			Decl:        function(types.B), Eval: ownAccountRestricted,
		},
		{
			Name:        "salint.runtime",
			Description: "How operator-controller of a target applies objects with the given feature gates; undefined if that is unknown.",
			Decl:        function(runtime, arg("target_name", textType), arg("gates", mapOf(types.A))), Eval: runtimeOf,
		},
		{
			Name:        "salint.unknown_gates",
			Description: "The feature gates that operator-controller of a target does not support, so that it does not start.",
			Decl:        function(listOf(textType), arg("target_name", textType), arg("gates", mapOf(types.A))), Eval: unknownGates,
		},
	}
}

// ownAccountRestricted looks in all units, because OLM is often installed by another one than its extensions. A test has none.
func ownAccountRestricted(ctx context.Context, _ []*ast.Term) (ast.Value, error) {
	s := sceneOf(ctx)
	if s == nil {
		return ast.Boolean(false), nil
	}
	return s.remember(answerKey{function: "own_account_restricted", args: s.Target.Name}, func() (ast.Value, error) {
		return ast.Boolean(rbac.NearestOwnAccount(ownAccounts(s), s.Unit).Restricted()), nil
	})
}

// ownAccounts returns what all units show of the accounts of operator-controller.
func ownAccounts(s *scene) []rbac.OwnAccount {
	return s.cached(ownAccountsKey{s.Target.Name}, func() any {
		return rbac.FindOwnAccounts(objects.Answering(s.Units), rbac.ControllerAccounts(s.Target))
	}).([]rbac.OwnAccount)
}

// ownAccountsKey is the key of cached results, by the name of the target.
type ownAccountsKey struct{ target string }

// readExtension caches the extension of an object of the repository: every rule about extensions needs it first. It is cached for all
// units, because some rules ask about the extensions of all units in each of them.
func readExtension(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	s := sceneOf(ctx)
	read := func() (ast.Value, error) {
		node, err := s.nodeOf(args[0])
		if node == nil || err != nil {
			return nil, err
		}
		return extensionValue(node), nil
	}
	if o := s.objectWith(args[0].Value); o != nil {
		return s.rememberEverywhere(answerKey{function: "extension", object: o}, read)
	}
	return read()
}

// extensionValue is an extension in the form of policies, nil for another object.
func extensionValue(node *manifest.Node) ast.Value {
	e, ok := olm.ReadExtension(node)
	if !ok {
		return nil
	}
	account := func(a olm.Account) ast.Value {
		return ast.NewObject(
			field("state", ast.String(a.State)), field("name", ast.String(a.Name)), field("path", pathValue(node, a.Path)))
	}
	misplaced := func(m olm.Misplaced) ast.Value {
		return ast.NewObject(field("path", pathValue(node, m.Path)), field("releases", ast.String(m.Releases)))
	}
	_, pinned := e.Pinned()
	return ast.NewObject(
		field("kind", ast.String(e.Kind)),
		field("name", ast.String(e.Name)), field("name_templated", ast.Boolean(e.NameTemplated)),
		field("namespace", ast.String(e.Namespace)), field("namespace_path", pathValue(node, e.NamespacePath)),
		field("layout", ast.String(e.Layout)), field("releases", ast.String(e.Releases)),
		field("mixed", ast.Boolean(len(e.Mixed) > 0)), field("misplaced", arrayOf(e.Mixed, misplaced)),
		field("package", ast.String(e.Package)), field("package_path", pathValue(node, e.PackagePath)),
		field("version", ast.String(e.Version)), field("version_path", pathValue(node, e.VersionPath)), field("pinned", ast.Boolean(pinned)),
		field("account", account(e.Account)), field("others", arrayOf(e.Others, account)),
	)
}

func identity(_ context.Context, args []*ast.Term) (ast.Value, error) {
	name, ok := args[0].Value.(ast.String)
	if !ok || name == "" {
		return nil, nil
	}
	return ast.NewObject(
		field("user", ast.String(olm.User(string(name)))), field("groups", arrayOf(olm.Groups(), textValue)),
	), nil
}

func mistyped(_ context.Context, args []*ast.Term) (ast.Value, error) {
	// Subjects come directly from bindings, and can have any content.
	subject, ok := args[0].Value.(ast.Object)
	if !ok {
		return nil, nil
	}
	kind, name, why, ok := olm.Mistyped(textField(subject, "kind"), textField(subject, "name"))
	if !ok {
		return nil, nil
	}
	return ast.NewObject(
		field("kind", ast.String(kind)), field("name", ast.String(name)), field("why", ast.String(why)),
	), nil
}

func deprecation(_ context.Context, args []*ast.Term) (ast.Value, error) {
	target, isText := args[0].Value.(ast.String)
	name, ok := args[1].Value.(ast.String)
	if !isText || !ok {
		return nil, nil
	}
	return ast.String(olm.Deprecation(string(target), string(name))), nil
}

// signalsKey identifies a list of signals, which objects share. The pointer keeps the list, so no other has its address.
type signalsKey struct {
	first  *olm.Signal
	length int
}

// signalsOfUnit leaves out signals that say the same as an earlier one: the folders of many clusters can all contain the same flags,
// and rules compare signals with each other.
func signalsOfUnit(s *scene, _ []*ast.Term) (ast.Value, error) {
	if len(s.Signals) == 0 {
		return ast.NewArray(), nil
	}
	type answer struct {
		value ast.Value
		err   error
	}
	found := s.Unit.Cached(signalsKey{&s.Signals[0], len(s.Signals)}, func() any {
		said := map[string]bool{}
		value, err := signalValues(s, func(signal olm.Signal) bool {
			content := fmt.Sprint(signal.Kind, signal.Target.Name, signal.Target.Model, signal.Weight, signal.Gates, signal.Description)
			known := said[content]
			said[content] = true
			return !known
		})
		return answer{value, err}
	}).(answer)
	return found.value, found.err
}

func ownSignals(s *scene, _ []*ast.Term) (ast.Value, error) {
	if s.object == nil {
		return ast.NewArray(), nil
	}
	own := s.object.Ref()
	return signalValues(s, func(signal olm.Signal) bool { return signal.Ref == own })
}

// signalValues returns the signals that are wanted.
func signalValues(s *scene, wanted func(olm.Signal) bool) (ast.Value, error) {
	var terms []*ast.Term
	for _, signal := range s.Signals {
		if !wanted(signal) {
			continue
		}
		object, err := s.objectOf(signal.Ref)
		if err != nil {
			return nil, err
		}
		terms = append(terms, ast.NewTerm(signalValue(object.Node, signal)))
	}
	return ast.NewArray(terms...), nil
}

func signalValue(node *manifest.Node, signal olm.Signal) ast.Value {
	gates := ast.NewObject()
	for gate, on := range signal.Gates {
		gates.Insert(ast.StringTerm(gate), ast.InternedTerm(on))
	}
	return ast.NewObject(
		field("ref", ast.String(signal.Ref)), field("path", pathValue(node, signal.Path)), field("kind", ast.String(signal.Kind)),
		field("target", ast.String(signal.Target.Name)), field("model", ast.String(signal.Target.Model)),
		field("weight", number(signal.Weight)), field("gates", gates), field("description", ast.String(signal.Description)),
	)
}

func runtimeOf(_ context.Context, args []*ast.Term) (ast.Value, error) {
	target, err := targetNamed(args[0])
	if err != nil {
		return nil, err
	}
	r, ok := olm.RuntimeOf(target, gatesOf(args[1].Value))
	if !ok {
		return nil, nil
	}
	return ast.NewObject(
		field("name", ast.String(r.Name)), field("account", ast.Boolean(r.Account)),
		field("placeholder", ast.Boolean(r.Placeholder)), field("finalizers", ast.String(r.Finalizers)),
		field("collections", ast.Boolean(r.Collections)),
	), nil
}

// targetNamed returns the target of a name in input.target, which is auto if the target is unknown.
func targetNamed(term *ast.Term) (olm.Target, error) {
	name, _ := term.Value.(ast.String)
	if name == olm.AutoTarget {
		return olm.UnknownTarget(), nil
	}
	return olm.ParseTarget(string(name))
}

func unknownGates(_ context.Context, args []*ast.Term) (ast.Value, error) {
	target, err := targetNamed(args[0])
	if err != nil {
		return nil, err
	}
	unknown := olm.UnknownGates(target, gatesOf(args[1].Value))
	terms := make([]*ast.Term, len(unknown))
	for i, gate := range unknown {
		terms[i] = ast.StringTerm(gate)
	}
	return ast.NewArray(terms...), nil
}

// gatesOf reads an object of gates; values that are not boolean are left out.
func gatesOf(value ast.Value) map[string]bool {
	gates := map[string]bool{}
	if given, ok := value.(ast.Object); ok {
		given.Foreach(func(gate, on *ast.Term) {
			name, isText := gate.Value.(ast.String)
			if on, isBool := on.Value.(ast.Boolean); isText && isBool {
				gates[string(name)] = bool(on)
			}
		})
	}
	return gates
}
