package server

import (
	"context"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/salint/salint/test/conformance/world"
)

// As returns the configuration of clients that impersonate an identity.
func (s *Server) As(who world.Identity) *rest.Config {
	config := rest.CopyConfig(s.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: who.User, Groups: who.Groups}
	return config
}

// Allowed asks a SubjectAccessReview. The reason is in the words of the server.
func (s *Server) Allowed(ctx context.Context, who world.Identity, r world.Request) (allowed bool, reason string, err error) {
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: who.User, Groups: who.Groups}}
	if r.Path != "" {
		review.Spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Path: r.Path, Verb: r.Verb}
	} else {
		review.Spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
			Namespace: r.Namespace, Verb: r.Verb, Group: r.Group, Resource: r.Resource, Subresource: r.Subresource, Name: r.Name,
		}
	}
	answer, err := s.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, "", fmt.Errorf("may %+v %+v: %w", who, r, err)
	}
	if answer.Status.EvaluationError != "" {
		return answer.Status.Allowed, answer.Status.EvaluationError, nil
	}
	return answer.Status.Allowed, answer.Status.Reason, nil
}
