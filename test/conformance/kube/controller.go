package kube

import (
	"context"
	"fmt"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
)

// RunAggregation runs Kubernetes' own controller of aggregated ClusterRoles against a cluster until the context ends. It
// returns once the controller has read the existing roles.
func RunAggregation(ctx context.Context, client kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactory(client, 0)
	roles := factory.Rbac().V1().ClusterRoles()
	controller := clusterroleaggregation.NewClusterRoleAggregation(roles, client.RbacV1())
	factory.Start(ctx.Done())
	go controller.Run(ctx, 2)
	for informer, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			return fmt.Errorf("the informer of %v did not get to see what is there: %w", informer, ctx.Err())
		}
	}
	return nil
}

// WaitForRoles waits until done accepts the ClusterRoles of a cluster, at most a minute, and returns them.
func WaitForRoles(ctx context.Context, client kubernetes.Interface, done func([]rbacv1.ClusterRole) bool) ([]rbacv1.ClusterRole, error) {
	var roles []rbacv1.ClusterRole
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		list, err := client.RbacV1().ClusterRoles().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		roles = list.Items
		return done(roles), nil
	})
	return roles, err
}
