package pods

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/secrets"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins are about pods, in any object that embeds them, and their admission.
func Builtins() []*policy.Builtin {
	resource := define.Arg("resource", types.A)
	pod := define.Record("path", define.Path, "spec", types.A, "account", define.String, "account_path", define.Path, "alias", types.B, "static", types.B)
	admitted := define.Record("path", define.Path, "account", define.String, "accounts", define.Strings, "ties", define.Strings, "static", types.B,
		"mounted", types.B, "mounted_by", define.String, "pull_secrets", define.Strings, "pull_secrets_by", define.String)
	source := define.Record("ref", define.String, "path", define.Path, "namespace", define.String, "name", define.String, "type", define.String, "copied", types.B)
	secret := define.Arg("secret", define.AnyMap)
	user := define.Record("ref", define.String, "path", define.Path, "mount", types.B, "pulls", types.B)
	return append(tokenBuiltins(), []*policy.Builtin{
		{
			Name:        "salint.pods",
			Description: "The pod specifications in an object of a kind that embeds pods; none for other kinds.",
			Decl:        define.Function(define.List(pod), resource), Eval: podsOf,
		}, {
			Name:        "salint.admission",
			Description: "The result of the API server's ServiceAccount admission for each pod of `salint.pods`, in the same order.",
			Decl:        define.Function(define.List(admitted), resource), Eval: define.Asking(define.OneOfEach([]string{"ServiceAccount"}), define.Inside(admissionOf)),
		}, {
			Name:        "salint.bringers",
			Description: "The objects of the repository that can install further objects, which have no manifest, into a namespace: operators, and installers of charts.",
			Decl:        define.Function(define.Strings, define.Arg("namespace", define.String)), Eval: define.Asking(define.OneOfEach(OpaqueInstallerKinds), define.Remembered("bringers", define.Reading(values.ReadString, opaqueInstallers))),
		}, {
			Name:        "salint.secret_users",
			Description: "The references to a Secret in the unit: in pods by volumes, environment variables, and pull secrets, and in ServiceAccounts.",
			Decl:        define.Function(define.List(user), define.Arg("ref", define.String)), Eval: define.Asking(workloadKinds, define.Remembered("secret_users", secretUsers)),
		}, {
			Name:        "salint.secrets_like",
			Description: "The objects of the deployment unit that create a Secret of a name in any namespace, or of a name that differs by a typing error in the same one.",
			Decl:        define.Function(define.List(source), secret), Eval: define.Asking(define.OneOfEach([]string{"Secret"}), define.Remembered("secrets_like", define.Reading(readSecret, secretsLike))),
		}, {
			Name:        "salint.may_have_secret",
			Description: "Whether an object of the repository creates a Secret, or can create it.",
			Decl:        define.Function(types.B, secret), Eval: define.Asking(define.OneOfEach([]string{"Secret"}), define.RememberedEverywhere("may_have_secret", define.Reading(readSecret, mayHaveSecret))),
		},
	}...)
}

// podKinds are the kinds that the configuration adds.
func podKinds(s *evalcontext.Evaluation) []objects.PodSpecKind {
	if s == nil {
		return nil
	}
	return s.PodSpecs
}

func podsOf(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	o, err := s.ObjectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	pods := objects.AccountPods(o, podKinds(s)...)
	return values.Array(pods, func(pod objects.PodSpec) ast.Value { return podValue(o, pod) }), nil
}

func podValue(o *objects.Object, pod objects.PodSpec) ast.Value {
	account, named := pod.Account()
	path := pod.Path
	if named != "" {
		path = path.Join(named)
	}
	_, alias := pod.Alias()
	return ast.NewObject(
		values.Field("path", values.Path(o.Node, pod.Path)), values.Field("spec", values.Of(pod.Path.In(o.JSON()))),
		values.Field("account", ast.String(account)), values.Field("account_path", values.Path(o.Node, path)),
		values.Field("alias", ast.Boolean(alias)), values.Field("static", ast.Boolean(objects.IsStatic(o))),
		values.Field("agrees_in_file", ast.Boolean(agreesInFile(o, pod))),
	)
}

// agreesInFile reports whether both fields of the account name the same one in the manifest from which an object is built.
func agreesInFile(o *objects.Object, pod objects.PodSpec) bool {
	source := o.Source()
	if source == nil || source == o || source.Node == nil {
		return false
	}
	written := objects.PodSpec{Path: pod.Path, Node: source.Node.Lookup(pod.Path)}
	if !written.Node.IsMapping() {
		return false
	}
	alias, there := written.Alias()
	return there && alias.String() != "" && alias.String() == written.Node.Get("serviceAccountName").String()
}

func admissionOf(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	o, err := s.ObjectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	pods := objects.AccountPods(o, podKinds(s)...)
	return values.Array(pods, func(pod objects.PodSpec) ast.Value {
		return admissionValue(o.Node, pod.Path, s.Unit.Admit(o, pod))
	}), nil
}

func admissionValue(root *manifest.Node, path manifest.Path, a objects.Admission) ast.Value {
	return ast.NewObject(
		values.Field("path", values.Path(root, path)), values.Field("account", ast.String(a.Account.Name)),
		values.Field("accounts", values.Refs(a.Objects)), values.Field("ties", values.Refs(a.Tie)), values.Field("static", ast.Boolean(a.Static)),
		values.Field("mounted", ast.Boolean(a.Token.Mounted)), values.Field("mounted_by", ast.String(a.Token.By)),
		values.Field("pull_secrets", values.Array(a.PullSecrets, values.String)), values.Field("pull_secrets_by", ast.String(a.PullSecretsBy)),
	)
}

// OpaqueInstallerKinds are the kinds of which a rule must name one to ask about opaque installers.
var OpaqueInstallerKinds = metadata.BareKinds(metadata.KindGroups["opaque_installers"])

func opaqueInstallers(s *evalcontext.Evaluation, namespace string) (ast.Value, error) {
	var all []*objects.Object
	for _, unit := range s.Units {
		installers, _ := unit.WrittenInstallers(namespace)
		all = append(all, installers...)
	}
	return values.Refs(objects.SortedOnce(all)), nil
}

// workloadKinds are the kinds of which a rule must name one to ask for references.
func workloadKinds([]*ast.Term) [][]string {
	var kinds []string
	for _, kind := range objects.Workloads() {
		kinds = append(kinds, kind.Kind)
	}
	return [][]string{kinds}
}

func secretUsers(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	secret, err := s.Lookup(string(ref))
	if err != nil {
		return nil, err
	}
	return values.Array(secrets.Users(s.Unit, secret, s.PodSpecs...), func(user secrets.User) ast.Value {
		return ast.NewObject(
			values.Field("ref", ast.String(user.Object.Ref())), values.Field("path", values.Path(user.Object.Node, user.Path)),
			values.Field("mount", ast.Boolean(user.Mount)), values.Field("pulls", ast.Boolean(user.Pulls)),
		)
	}), nil
}

func readSecret(arg *ast.Term) (secret map[string]string, ok bool, err error) {
	return values.ReadStrings(arg, "namespace", "name")
}

func secretsLike(s *evalcontext.Evaluation, secret map[string]string) (ast.Value, error) {
	return values.Array(secrets.Like(s.Unit, secret["namespace"], secret["name"]), func(source secrets.Source) ast.Value {
		return ast.NewObject(
			values.Field("ref", ast.String(source.Object.Ref())), values.Field("path", values.Path(source.Object.Node, source.Path)),
			values.Field("namespace", ast.String(source.Namespace)), values.Field("name", ast.String(source.Name)),
			values.Field("type", ast.String(source.Type)), values.Field("copied", ast.Boolean(source.Copied)),
		)
	}), nil
}

func mayHaveSecret(s *evalcontext.Evaluation, secret map[string]string) (ast.Value, error) {
	return ast.Boolean(slices.ContainsFunc(s.Units, func(unit *objects.Unit) bool {
		return secrets.MayExist(unit, secret["namespace"], secret["name"])
	})), nil
}
