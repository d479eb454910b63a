package extensions

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins are about extensions, the identities that act for them, and OLM's releases.
func Builtins() []*policy.Builtin {
	account := define.Record("state", define.String, "name", define.String, "path", define.Path)
	extension := define.Record("kind", define.String, "name", define.String, "name_templated", types.B, "namespace", define.String, "namespace_path", define.Path,
		"layout", define.String, "releases", define.String, "mixed", types.B, "misplaced", define.List(define.Record("path", define.Path, "releases", define.String)),
		"package", define.String, "package_path", define.Path, "version", define.String, "version_path", define.Path, "pinned", types.B, "version_problem", define.String,
		"account", account, "others", define.List(account))
	signal := define.Record("ref", define.String, "path", define.Path, "kind", define.String, "target", define.String, "model", define.String, "weight", types.N,
		"gates", define.Map(types.B), "start", define.Record("invalid", define.List(define.String), "flags", define.Map(define.String)), "description", define.String)
	runtime := define.Record("name", define.String, "account", types.B, "placeholder", types.B, "finalizers", define.String, "collections", types.B)
	return []*policy.Builtin{
		{
			Name:        "salint.extension",
			Description: "The fields of a ClusterExtension, in any layout; undefined for other objects.",
			Decl:        define.Function(extension, define.Arg("resource", types.A)), Eval: readExtension,
		}, {
			Name:        "salint.identity",
			Description: "The synthetic identity of an extension.",
			Decl:        define.Function(define.Record("user", define.String, "groups", define.Strings), define.Arg("extension_name", define.String)), Eval: identity,
		}, {
			Name:        "salint.mistyped",
			Description: "The corrected form of a subject that was meant for a synthetic identity and matches none (`kind` and `name` are empty if it is unknown); undefined for other subjects.",
			Decl:        define.Function(define.Record("kind", define.String, "name", define.String, "why", define.String), define.Arg("subject", define.AnyMap)), Eval: mistyped,
		}, {
			Name:        "salint.mistyped_account",
			Description: "The corrected form of a user or group that was meant for an account, or all accounts of a namespace, and matches none (`kind` and `name` are empty if it is unknown); undefined for other subjects.",
			Decl:        define.Function(define.Record("kind", define.String, "name", define.String, "why", define.String), define.Arg("subject", define.AnyMap)), Eval: mistypedAccount,
		}, {
			Name:        "salint.older_kubernetes",
			Description: "The version of Kubernetes of the target, if it is older than the given one; undefined if it is not, or unknown. Both are written as in `1.31`.",
			Decl:        define.Function(define.String, define.Arg("version", define.String)), Eval: olderKubernetes,
		}, {
			Name:        "salint.deprecation",
			Description: "The warning that OLM of a target reports for an extension that sets its account.",
			Decl:        define.Function(define.String, define.Arg("target_name", define.String), define.Arg("extension_name", define.String)), Eval: deprecation,
		}, {
			Name:        "salint.signs",
			Description: "The signals in the unit from which its release is detected; of those that say the same, the first.",
			Decl:        define.Function(define.List(signal)), Eval: define.Inside(signalsOfUnit),
		}, {
			Name:        "salint.own_signs",
			Description: "The signals in `input.resource` from which the release of its unit is detected.",
			Decl:        define.Function(define.List(signal)), Eval: define.Inside(ownSignals),
		}, {
			Name:        "salint.own_account_restricted",
			Description: "Whether the repository installs OLM with bindings of the account of OLM that do not make it a cluster-admin; false in a test.",
			Decl:        define.Function(types.B), Eval: ownAccountRestricted,
		}, {
			Name:        "salint.runtime",
			Description: "How operator-controller of a target applies objects with the given feature gates; undefined if that is unknown.",
			Decl:        define.Function(runtime, define.Arg("target_name", define.String), define.Arg("gates", define.Map(types.A))), Eval: runtimeOf,
		}, {
			Name:        "salint.unknown_gates",
			Description: "The feature gates that operator-controller of a target does not support, so that it does not start.",
			Decl:        define.Function(define.List(define.String), define.Arg("target_name", define.String), define.Arg("gates", define.Map(types.A))), Eval: unknownGates,
		}, {
			Name:        "salint.start_fault",
			Description: "Why operator-controller of a target does not start with the command line of a signal, as a clause; undefined if nothing shows that.",
			Decl:        define.Function(define.String, define.Arg("target_name", define.String), define.Arg("signal", define.AnyMap)), Eval: startFault,
		},
	}
}

// ownAccountRestricted looks in all units, because OLM is often installed by another one than its extensions. A test has none.
func ownAccountRestricted(ctx context.Context, _ []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	if s == nil {
		return ast.Boolean(false), nil
	}
	return s.Remember(evalcontext.Question{Function: "own_account_restricted", Args: s.Target.Name}, func() (ast.Value, error) {
		return ast.Boolean(rbac.NearestOwnAccount(OwnAccounts(s), s.Unit).Restricted()), nil
	})
}

// OwnAccounts returns what all units show of the accounts of operator-controller.
func OwnAccounts(s *evalcontext.Evaluation) []rbac.OwnAccount {
	return s.Cached(ownAccountsKey{s.Target.Name}, func() any {
		return rbac.FindOwnAccounts(objects.Answering(s.Units), rbac.ControllerAccounts(s.Target))
	}).([]rbac.OwnAccount)
}

// ownAccountsKey is the key of cached results, by the name of the target.
type ownAccountsKey struct{ target string }

// readExtension caches the extension of an object of the repository: every rule about extensions needs it first. It is cached for all
// units, because some rules ask about the extensions of all units in each of them.
func readExtension(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	read := func() (ast.Value, error) {
		node, err := s.NodeOf(args[0])
		if node == nil || err != nil {
			return nil, err
		}
		return ExtensionValue(node), nil
	}
	if o := s.ObjectWith(args[0].Value); o != nil {
		return s.RememberEverywhere(evalcontext.Question{Function: "extension", Object: o}, read)
	}
	return read()
}

// ExtensionValue is an extension in the form of policies, nil for another object.
func ExtensionValue(node *manifest.Node) ast.Value {
	e, ok := olm.ReadExtension(node)
	if !ok {
		return nil
	}
	account := func(a olm.Account) ast.Value {
		return ast.NewObject(
			values.Field("state", ast.String(a.State)), values.Field("name", ast.String(a.Name)), values.Field("path", values.Path(node, a.Path)))
	}
	misplaced := func(m olm.Misplaced) ast.Value {
		return ast.NewObject(values.Field("path", values.Path(node, m.Path)), values.Field("releases", ast.String(m.Releases)))
	}
	_, pinned := e.Pinned()
	return ast.NewObject(
		values.Field("kind", ast.String(e.Kind)),
		values.Field("name", ast.String(e.Name)), values.Field("name_templated", ast.Boolean(e.NameTemplated)),
		values.Field("namespace", ast.String(e.Namespace)), values.Field("namespace_path", values.Path(node, e.NamespacePath)),
		values.Field("layout", ast.String(e.Layout)), values.Field("releases", ast.String(e.Releases)),
		values.Field("mixed", ast.Boolean(len(e.Mixed) > 0)), values.Field("misplaced", values.Array(e.Mixed, misplaced)),
		values.Field("package", ast.String(e.Package)), values.Field("package_path", values.Path(node, e.PackagePath)),
		values.Field("version", ast.String(e.Version)), values.Field("version_path", values.Path(node, e.VersionPath)), values.Field("pinned", ast.Boolean(pinned)),
		values.Field("version_problem", ast.String(e.VersionProblem)),
		values.Field("account", account(e.Account)), values.Field("others", values.Array(e.Others, account)),
	)
}

func identity(_ context.Context, args []*ast.Term) (ast.Value, error) {
	name, ok := args[0].Value.(ast.String)
	if !ok || name == "" {
		return nil, nil
	}
	return ast.NewObject(
		values.Field("user", ast.String(olm.User(string(name)))), values.Field("groups", values.Array(olm.Groups(), values.String)),
	), nil
}

// mistyped completes what the name alone does not show with the extensions of the unit.
func mistyped(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	return corrected(args, func(kind, name string) (correctKind, correctName, why string, ok bool) {
		correctKind, correctName, why, ok = olm.Mistyped(kind, name)
		if s := evalcontext.Of(ctx); s != nil && ok && correctName == "" && s.Target.Model == olm.Synthetic {
			if user := rbac.MeantIdentity(s.Unit, kind, name); user != "" {
				correctKind, correctName = rbac.KindUser, user
			}
		} else if s != nil && correctKind == rbac.KindUser {
			correctName = rbac.AppliedUser(s.Unit, correctName)
		}
		return correctKind, correctName, why, ok
	})
}

func mistypedAccount(_ context.Context, args []*ast.Term) (ast.Value, error) {
	return corrected(args, rbac.MistypedAccount)
}

// olderKubernetes answers for the target: the units of a cluster have the same.
func olderKubernetes(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	text, ok := args[0].Value.(ast.String)
	s := evalcontext.Of(ctx)
	if !ok || s == nil {
		return nil, nil
	}
	version, err := kubeversion.Parse(string(text))
	if err != nil || !s.Target.Kubernetes.Before(version) {
		return nil, nil
	}
	return ast.String(s.Target.Kubernetes.String()), nil
}

// corrected returns the subject that was meant, as a function knows it.
func corrected(args []*ast.Term, meant func(kind, name string) (correctKind, correctName, why string, ok bool)) (ast.Value, error) {
	// Subjects come directly from bindings, and can have any content.
	subject, ok := args[0].Value.(ast.Object)
	if !ok {
		return nil, nil
	}
	kind, name, why, ok := meant(values.StringField(subject, "kind"), values.StringField(subject, "name"))
	if !ok {
		return nil, nil
	}
	return ast.NewObject(
		values.Field("kind", ast.String(kind)), values.Field("name", ast.String(name)), values.Field("why", ast.String(why)),
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
func signalsOfUnit(s *evalcontext.Evaluation, _ []*ast.Term) (ast.Value, error) {
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

func ownSignals(s *evalcontext.Evaluation, _ []*ast.Term) (ast.Value, error) {
	if s.Object == nil {
		return ast.NewArray(), nil
	}
	own := s.Object.Ref()
	return signalValues(s, func(signal olm.Signal) bool { return signal.Ref == own })
}

// signalValues returns the signals that are wanted.
func signalValues(s *evalcontext.Evaluation, wanted func(olm.Signal) bool) (ast.Value, error) {
	var terms []*ast.Term
	for _, signal := range s.Signals {
		if !wanted(signal) || signal.Ref == "" {
			continue
		}
		object, err := s.Lookup(signal.Ref)
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
	flags := ast.NewObject()
	for name, value := range signal.Start.Flags {
		flags.Insert(ast.StringTerm(name), ast.StringTerm(value))
	}
	return ast.NewObject(
		values.Field("ref", ast.String(signal.Ref)), values.Field("path", values.Path(node, signal.Path)), values.Field("kind", ast.String(signal.Kind)),
		values.Field("target", ast.String(signal.Target.Name)), values.Field("model", ast.String(signal.Target.Model)),
		values.Field("weight", values.Number(signal.Weight)), values.Field("gates", gates),
		values.Field("start", ast.NewObject(values.Field("invalid", values.Array(signal.Start.Invalid, values.String)), values.Field("flags", flags))), values.Field("description", ast.String(signal.Description)),
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
		values.Field("name", ast.String(r.Name)), values.Field("account", ast.Boolean(r.Account)),
		values.Field("placeholder", ast.Boolean(r.Placeholder)), values.Field("finalizers", ast.String(r.Finalizers)),
		values.Field("collections", ast.Boolean(r.Collections)),
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
	return values.Array(unknown, values.String), nil
}

func startFault(_ context.Context, args []*ast.Term) (ast.Value, error) {
	target, err := targetNamed(args[0])
	if err != nil {
		return nil, err
	}
	var signal struct {
		Gates map[string]any `json:"gates"`
		Start struct {
			Invalid []string          `json:"invalid"`
			Flags   map[string]string `json:"flags"`
		} `json:"start"`
	}
	if ast.As(args[1].Value, &signal) != nil {
		return nil, nil
	}
	gates := map[string]bool{}
	for name, on := range signal.Gates {
		gates[name] = on == true
	}
	fault := olm.StartFault(target, olm.Start{Gates: gates, Invalid: signal.Start.Invalid, Flags: signal.Start.Flags})
	if fault == "" {
		return nil, nil
	}
	return ast.String(fault), nil
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
