package bundles

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	needs "github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/controller"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/rules/builtins/extensions"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/values"
)

// controllerGap returns what OLM's own account lacks to install an extension. Other places that can bind the account, such as
// scripts, make that unknown.
func controllerGap(ctx context.Context, s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	o := s.ObjectWith(args[0].Value)
	if o == nil || s.Installer == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	return s.Remember(evalcontext.Question{Function: "controller_gap", Args: s.Target.Name, Object: o}, func() (ast.Value, error) {
		i, err := s.Installer(s.Unit, o)
		if i == nil || err != nil {
			return nil, nil // which identity installs it is unknown
		}
		gap, err := controller.Of(extensions.OwnAccounts(s), i, func(own *installer.Installer) (*needs.Needs, error) {
			return ofBundle(ctx, s, o, own)
		})
		if err != nil || gap.Lack == controller.Nothing || boundElsewhere(ctx, s, gap.Own.Account) {
			return nil, ctx.Err()
		}
		return gapValue(s.Unit, gap), nil
	})
}

// ofBundle returns what the bundle of an extension needs; nil if it is not named, or cannot be read.
func ofBundle(ctx context.Context, s *evalcontext.Evaluation, o *objects.Object, own *installer.Installer) (*needs.Needs, error) {
	if s.Bundles == nil {
		return nil, nil
	}
	if _, known := s.Bundles.Sources[o.Name]; !known {
		return nil, nil
	}
	found, err := s.Bundles.Preflight(ctx, own)
	if err != nil {
		noteBundle(s, o, err)
		return nil, ctx.Err()
	}
	return found, nil
}

func boundElsewhere(ctx context.Context, s *evalcontext.Evaluation, account objects.Account) bool {
	if s.GrantedElsewhere == nil {
		return false
	}
	places, err := s.GrantedElsewhere(ctx, account)
	return len(places) > 0 || err != nil
}

// gapValue is a gap in the form of policies. Its place is the subject of the first binding; here is whether the unit has it.
func gapValue(unit *objects.Unit, gap controller.Gap) ast.Value {
	first := gap.Own.Bindings[0]
	return ast.NewObject(
		values.Field("lack", ast.String(gap.Lack)), values.Field("here", ast.Boolean(gap.Own.Unit == unit)),
		values.Field("ref", ast.String(first.Object.Ref())), values.Field("subject_index", values.Number(first.SubjectIndex)),
		values.Field("account", values.Subject(rbac.Account(gap.Own.Account))),
		values.Field("missing", values.Array(preflight.Grant(gap.Missing), Scoped)),
	)
}
