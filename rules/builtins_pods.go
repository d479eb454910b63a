package rules

import (
	"context"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/secrets"
	"github.com/salint/salint/rules/policy"
)

// podBuiltins are about pods, in any object that embeds them, and their admission.
func podBuiltins() []*policy.Builtin {
	resource := arg("resource", types.A)
	pod := record("path", pathType, "spec", types.A, "account", textType, "account_path", pathType, "alias", types.B, "static", types.B)
	admitted := record("path", pathType, "account", textType, "accounts", textsType, "ties", textsType, "static", types.B,
		"mounted", types.B, "mounted_by", textType, "pull_secrets", textsType, "pull_secrets_by", textType)
	source := record("ref", textType, "path", pathType, "namespace", textType, "name", textType, "type", textType, "copied", types.B)
	secret := arg("secret", anyMapType)
	user := record("ref", textType, "path", pathType, "mount", types.B, "pulls", types.B)
	return []*policy.Builtin{
		{
			Name:        "salint.pods",
			Description: "The pod specifications in an object of a kind that embeds pods; none for other kinds.",
			Decl:        function(listOf(pod), resource), Eval: podsOf,
		},
		{
			Name:        "salint.admission",
			Description: "The result of the API server's ServiceAccount admission for each pod of `salint.pods`, in the same order.",
			Decl:        function(listOf(admitted), resource), Eval: asking(oneOfEach([]string{"ServiceAccount"}), inside(admissionOf)),
		},
		{
			Name:        "salint.bringers",
			Description: "The objects of the repository that can install further objects, which have no manifest, into a namespace: operators, and installers of charts.",
			Decl:        function(textsType, arg("namespace", textType)), Eval: asking(oneOfEach(opaqueInstallerKinds), remembered("bringers", opaqueInstallers)),
		},
		{
			Name:        "salint.secret_users",
			Description: "The references to a Secret in the unit: in pods by volumes, environment variables, and pull secrets, and in ServiceAccounts.",
			Decl:        function(listOf(user), arg("ref", textType)), Eval: asking(workloadKinds, remembered("secret_users", secretUsers)),
		},
		{
			Name:        "salint.secrets_like",
			Description: "The objects of the deployment unit that create a Secret of a name in any namespace, or of a name that differs by a typing error in the same one.",
			Decl:        function(listOf(source), secret), Eval: asking(oneOfEach([]string{"Secret"}), remembered("secrets_like", secretsLike)),
		},
		{
			Name:        "salint.may_have_secret",
			Description: "Whether an object of the repository creates a Secret, or can create it.",
			Decl:        function(types.B, secret), Eval: asking(oneOfEach([]string{"Secret"}), rememberedEverywhere("may_have_secret", mayHaveSecret)),
		},
	}
}

// podKinds are the kinds that the configuration adds.
func podKinds(s *scene) []objects.PodSpecKind {
	if s == nil {
		return nil
	}
	return s.PodSpecs
}

func podsOf(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	s := sceneOf(ctx)
	o, err := s.objectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	pods := objects.AccountPods(o, podKinds(s)...)
	return arrayOf(pods, func(pod objects.PodSpec) ast.Value { return podValue(o, pod) }), nil
}

func podValue(o *objects.Object, pod objects.PodSpec) ast.Value {
	account, named := pod.Account()
	path := pod.Path
	if named != "" {
		path = path.Join(named)
	}
	_, alias := pod.Alias()
	return ast.NewObject(
		field("path", pathValue(o.Node, pod.Path)), field("spec", valueOf(partOf(o.JSON(), pod.Path))),
		field("account", ast.String(account)), field("account_path", pathValue(o.Node, path)),
		field("alias", ast.Boolean(alias)), field("static", ast.Boolean(objects.IsStatic(o))),
	)
}

// partOf returns the value at a path of a decoded object. The object was decoded within limits, so its parts are within
// them too.
func partOf(decoded any, path manifest.Path) any {
	for _, step := range path {
		switch around := decoded.(type) {
		case map[string]any:
			decoded = around[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(around) {
				return nil
			}
			decoded = around[index]
		default:
			return nil
		}
	}
	return decoded
}

func admissionOf(s *scene, args []*ast.Term) (ast.Value, error) {
	o, err := s.objectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	pods := objects.AccountPods(o, podKinds(s)...)
	return arrayOf(pods, func(pod objects.PodSpec) ast.Value {
		return admissionValue(o.Node, pod.Path, s.Unit.Admit(o, pod))
	}), nil
}

func admissionValue(root *manifest.Node, path manifest.Path, a objects.Admission) ast.Value {
	return ast.NewObject(
		field("path", pathValue(root, path)), field("account", ast.String(a.Account.Name)),
		field("accounts", refsValue(a.Objects)), field("ties", refsValue(a.Tie)), field("static", ast.Boolean(a.Static)),
		field("mounted", ast.Boolean(a.Token.Mounted)), field("mounted_by", ast.String(a.Token.By)),
		field("pull_secrets", arrayOf(a.PullSecrets, textValue)), field("pull_secrets_by", ast.String(a.PullSecretsBy)),
	)
}

// opaqueInstallerKinds are the kinds of which a rule must name one to ask about opaque installers.
var opaqueInstallerKinds = bareKinds(kindGroups["opaque_installers"])

func opaqueInstallers(s *scene, args []*ast.Term) (ast.Value, error) {
	namespace, ok := args[0].Value.(ast.String)
	if !ok {
		return nil, nil
	}
	var all []*objects.Object
	for _, unit := range s.Units {
		installers, _ := unit.WrittenInstallers(string(namespace))
		all = append(all, installers...)
	}
	return refsValue(sortedOnce(all)), nil
}

// workloadKinds are the kinds of which a rule must name one to ask for references.
func workloadKinds([]*ast.Term) [][]string {
	var kinds []string
	for _, kind := range objects.Workloads() {
		kinds = append(kinds, kind.Kind)
	}
	return [][]string{kinds}
}

func secretUsers(s *scene, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	secret, err := s.objectOf(string(ref))
	if err != nil {
		return nil, err
	}
	return arrayOf(secrets.Users(s.Unit, secret, s.PodSpecs...), func(user secrets.User) ast.Value {
		return ast.NewObject(
			field("ref", ast.String(user.Object.Ref())), field("path", pathValue(user.Object.Node, user.Path)),
			field("mount", ast.Boolean(user.Mount)), field("pulls", ast.Boolean(user.Pulls)),
		)
	}), nil
}

func secretsLike(s *scene, args []*ast.Term) (ast.Value, error) {
	secret, ok, err := readTexts(args[0], "namespace", "name")
	if !ok || err != nil {
		return nil, err
	}
	return arrayOf(secrets.Like(s.Unit, secret["namespace"], secret["name"]), func(source secrets.Source) ast.Value {
		return ast.NewObject(
			field("ref", ast.String(source.Object.Ref())), field("path", pathValue(source.Object.Node, source.Path)),
			field("namespace", ast.String(source.Namespace)), field("name", ast.String(source.Name)),
			field("type", ast.String(source.Type)), field("copied", ast.Boolean(source.Copied)),
		)
	}), nil
}

func mayHaveSecret(s *scene, args []*ast.Term) (ast.Value, error) {
	secret, ok, err := readTexts(args[0], "namespace", "name")
	if !ok || err != nil {
		return nil, err
	}
	return ast.Boolean(slices.ContainsFunc(s.Units, func(unit *objects.Unit) bool {
		return secrets.MayExist(unit, secret["namespace"], secret["name"])
	})), nil
}
