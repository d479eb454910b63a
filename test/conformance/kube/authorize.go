package kube

import (
	"context"
	"errors"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	rbacauthorizer "k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/salint/salint/test/conformance/world"
)

// Authorizer answers as the API server of a cluster does.
type Authorizer struct {
	resolver   validation.AuthorizationRuleResolver
	authorizer *rbacauthorizer.RBACAuthorizer
}

// Authorizer makes the authorizer of a cluster as it is now.
func (c *Cluster) Authorizer() *Authorizer {
	resolver, static := validation.NewTestRuleResolver(c.Roles, c.RoleBindings, c.ClusterRoles, c.ClusterRoleBindings)
	return &Authorizer{resolver, rbacauthorizer.New(static, static, static, static)}
}

// Authorize reports whether a request is allowed, and why, in the words of the API server. If it is not allowed, the reason
// lists the roles that were granted and do not exist.
func (a *Authorizer) Authorize(who world.Identity, r world.Request) (allowed bool, reason string, err error) {
	decision, reason, err := a.authorizer.Authorize(context.Background(), attributes(who, r))
	return decision == authorizer.DecisionAllow, reason, err
}

func attributes(who world.Identity, r world.Request) authorizer.Attributes {
	return authorizer.AttributesRecord{
		User: info(who), Verb: r.Verb, Namespace: r.Namespace, APIGroup: r.Group, Resource: r.Resource,
		Subresource: r.Subresource, Name: r.Name, ResourceRequest: r.Path == "", Path: r.Path,
	}
}

func info(who world.Identity) user.Info {
	return &user.DefaultInfo{Name: who.User, Groups: who.Groups}
}

// RulesFor returns the rules that an identity holds in a namespace, or with "" in the whole cluster, and how many of the
// roles that were granted do not exist.
func (a *Authorizer) RulesFor(who world.Identity, namespace string) (rules []rbacv1.PolicyRule, missing int) {
	rules, err := a.resolver.RulesFor(context.Background(), info(who), namespace)
	var aggregate utilerrors.Aggregate
	if errors.As(err, &aggregate) {
		missing = len(aggregate.Errors())
	}
	return rules, missing
}

// MayGrant is the check against escalation: nil if the identity holds all the rules in a namespace, or with "" in the
// whole cluster, and the API server's message otherwise.
func (a *Authorizer) MayGrant(who world.Identity, namespace string, rules []rbacv1.PolicyRule) error {
	ctx := request.WithNamespace(request.WithUser(context.Background(), info(who)), namespace)
	if err := validation.ConfirmNoEscalation(ctx, a.resolver, rules); err != nil {
		return fmt.Errorf("escalation: %w", err)
	}
	return nil
}
