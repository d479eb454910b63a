package server

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/world"
)

// markers counts the calls of Settle.
var markers atomic.Int64

const markerNamespace = "default"

// markerManifests grant a separate user one name in a namespace and another cluster-wide: one object of each kind that
// the authorizer watches.
const markerManifests = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: marker-N}
rules: [{apiGroups: [marker], resources: [marks], resourceNames: [everywhere], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: marker-N, namespace: default}
rules: [{apiGroups: [marker], resources: [marks], resourceNames: [here], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: marker-N}
roleRef: {kind: ClusterRole, name: marker-N}
subjects: [{kind: User, name: marker-N}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: marker-N, namespace: default}
roleRef: {kind: Role, name: marker-N}
subjects: [{kind: User, name: marker-N}]
`

// Settle waits until the authorizer knows all roles and bindings that were written before. It learns of them in the order
// in which they were written, for each kind, so it is enough to wait for one more of each.
func (s *Server) Settle(ctx context.Context) error {
	name := fmt.Sprintf("marker-%d", markers.Add(1))
	manifests := strings.ReplaceAll(markerManifests, "marker-N", name)
	if err := s.Apply(ctx, Admin, manifests); err != nil {
		return err
	}
	who := world.Identity{User: name}
	here := world.Request{Verb: "get", Group: "marker", Resource: "marks", Name: "here", Namespace: markerNamespace}
	everywhere := world.Request{Verb: "get", Group: "marker", Resource: "marks", Name: "everywhere"}
	err := wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		for _, request := range []world.Request{here, everywhere} {
			if allowed, _, err := s.Allowed(ctx, who, request); err != nil || !allowed {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	return s.Delete(ctx, manifests)
}

// DropDefaultBindings deletes what a new cluster grants to everybody, so that only what is applied counts. The server makes
// these bindings again only when it starts.
func (s *Server) DropDefaultBindings(ctx context.Context) error {
	bindings := s.Client.RbacV1().ClusterRoleBindings()
	return bindings.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
}
