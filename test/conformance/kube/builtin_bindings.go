package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/kubeversion"
)

// BindingsFile is the file of Kubernetes' source with the ClusterRoleBindings of its bootstrap policy.
const BindingsFile = policyFolder + "cluster-role-bindings.yaml"

// BuiltinBindingsJSON writes the ClusterRoleBindings of the bootstrap policies that have subjects as a List of manifests, a
// line for each. It takes the content of BindingsFile for each version, like BuiltinJSON. The error reports a version that
// changes or removes a binding, because a list of manifests cannot express that. A binding that a version adds has no mark:
// rbac reads it as added together with its role.
func BuiltinBindingsJSON(files map[kubeversion.Version][]byte) ([]byte, error) {
	known := map[string]rbacv1.ClusterRoleBinding{}
	var all []rbacv1.ClusterRoleBinding
	for version := kubeversion.Oldest; version <= kubeversion.Newest; version++ {
		var list rbacv1.ClusterRoleBindingList
		if err := yaml.Unmarshal(files[version], &list); err != nil {
			return nil, fmt.Errorf("the bindings of Kubernetes %s: %w", version, err)
		}
		all = slices.DeleteFunc(list.Items, func(b rbacv1.ClusterRoleBinding) bool { return len(b.Subjects) == 0 })
		now := map[string]rbacv1.ClusterRoleBinding{}
		for _, b := range all {
			now[b.Name] = b
		}
		for name, b := range known {
			if !reflect.DeepEqual(b, now[name]) {
				return nil, fmt.Errorf("kubernetes %s changes or removes binding %s", version, name)
			}
		}
		known = now
	}
	slices.SortFunc(all, func(a, b rbacv1.ClusterRoleBinding) int { return strings.Compare(a.Name, b.Name) })
	var texts [][]byte
	for _, b := range all {
		text, err := json.Marshal(builtinBinding{
			TypeMeta: metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRoleBinding"},
			Metadata: metadata{Name: b.Name}, RoleRef: b.RoleRef, Subjects: b.Subjects,
		})
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return slices.Concat([]byte(`{"apiVersion":"v1","kind":"List","items":[`+"\n"), bytes.Join(texts, []byte(",\n")), []byte("\n]}\n")), nil
}

type builtinBinding struct {
	metav1.TypeMeta `json:",inline"`

	Metadata metadata         `json:"metadata"`
	RoleRef  rbacv1.RoleRef   `json:"roleRef"`
	Subjects []rbacv1.Subject `json:"subjects"`
}
