package bundle

import (
	"cmp"
	"slices"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/rendered"
)

// defaultAccount exists in every namespace; permissions without an account belong to it.
const defaultAccount = "default"

// grant is a permission entry of the ClusterServiceVersion with its position.
type grant struct {
	v1alpha1.StrategyDeploymentPermissions
	at rendered.Origin
}

func (g grant) account() string { return cmp.Or(g.ServiceAccountName, defaultAccount) }

func (g *generator) permissionEntries() []grant {
	entries := g.CSV.Spec.InstallStrategy.StrategySpec.Permissions
	return g.grants(entries, g.lines.permissions)
}

func (g *generator) clusterPermissionEntries() []grant {
	entries := g.CSV.Spec.InstallStrategy.StrategySpec.ClusterPermissions
	return g.grants(entries, g.lines.clusterPermissions)
}

func (g *generator) grants(entries []v1alpha1.StrategyDeploymentPermissions, lines []int) []grant {
	out := make([]grant, len(entries))
	for i, entry := range entries {
		out[i] = grant{StrategyDeploymentPermissions: entry, at: g.origin(lines, i)}
	}
	return out
}

// accounts adds the accounts that permissions name, whether a deployment uses them or not, with the position of the first
// permission.
func (g *generator) accounts() error {
	entries := slices.Concat(g.permissionEntries(), g.clusterPermissionEntries())
	slices.SortStableFunc(entries, func(a, b grant) int { return cmp.Compare(a.account(), b.account()) })
	entries = slices.CompactFunc(entries, func(a, b grant) bool { return a.account() == b.account() })
	for _, entry := range entries {
		if entry.account() == defaultAccount {
			continue
		}
		if err := g.add(entry.at, &corev1.ServiceAccount{
			TypeMeta:   typeMeta(corev1.SchemeGroupVersion.String(), "ServiceAccount"),
			ObjectMeta: metav1.ObjectMeta{Namespace: g.namespace, Name: entry.account()},
		}); err != nil {
			return err
		}
	}
	return nil
}

// namespacedPermissions grants permissions in each namespace that the operator watches.
func (g *generator) namespacedPermissions() error {
	if g.watchesAll() {
		return nil
	}
	for _, namespace := range g.watched {
		for _, entry := range g.permissionEntries() {
			if err := g.grantIn(namespace, entry); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *generator) grantIn(namespace string, entry grant) error {
	name, err := g.roleName(entry)
	if err != nil {
		return err
	}
	meta := metav1.ObjectMeta{Namespace: namespace, Name: name}
	if err := g.add(entry.at, &rbacv1.Role{TypeMeta: rbacMeta("Role"), ObjectMeta: meta, Rules: entry.Rules}); err != nil {
		return err
	}
	return g.add(entry.at, &rbacv1.RoleBinding{
		TypeMeta: rbacMeta("RoleBinding"), ObjectMeta: meta, Subjects: g.subjects(entry),
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
	})
}

// clusterPermissions grants cluster permissions. An operator that watches all namespaces also gets the other permissions
// cluster-wide, and read access to namespaces, as OLM has always done.
func (g *generator) clusterPermissions() error {
	entries := g.clusterPermissionEntries()
	if g.watchesAll() {
		for _, entry := range g.permissionEntries() {
			entry.Rules = append(slices.Clone(entry.Rules), rbacv1.PolicyRule{
				Verbs:     []string{"get", "list", "watch"},
				APIGroups: []string{corev1.GroupName},
				Resources: []string{"namespaces"},
			})
			entries = append(entries, entry)
		}
	}
	for _, entry := range entries {
		if err := g.grantEverywhere(entry); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) grantEverywhere(entry grant) error {
	name, err := g.roleName(entry)
	if err != nil {
		return err
	}
	meta := metav1.ObjectMeta{Name: name}
	if err := g.add(entry.at, &rbacv1.ClusterRole{TypeMeta: rbacMeta("ClusterRole"), ObjectMeta: meta, Rules: entry.Rules}); err != nil {
		return err
	}
	return g.add(entry.at, &rbacv1.ClusterRoleBinding{
		TypeMeta: rbacMeta("ClusterRoleBinding"), ObjectMeta: meta, Subjects: g.subjects(entry),
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
	})
}

// roleName is <bundle>-<account>-<hash>, with the hash of the whole entry including the added rule.
func (g *generator) roleName(entry grant) (string, error) {
	hash, err := hashOf(entry.StrategyDeploymentPermissions)
	if err != nil {
		return "", errorAt(entry.at, "%w", err)
	}
	return nameOf(g.Name+"-"+entry.account(), hash), nil
}

func (g *generator) subjects(entry grant) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: g.namespace, Name: entry.account()}}
}

func rbacMeta(kind string) metav1.TypeMeta { return typeMeta(rbacv1.SchemeGroupVersion.String(), kind) }

func typeMeta(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}
