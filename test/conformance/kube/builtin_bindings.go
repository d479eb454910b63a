package kube

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// BuiltinBindingsJSON writes the ClusterRoleBindings of the bootstrap policy that have subjects as a List of manifests, a
// line for each.
func BuiltinBindingsJSON() ([]byte, error) {
	bindings := slices.DeleteFunc(bootstrappolicy.ClusterRoleBindings(), func(b rbacv1.ClusterRoleBinding) bool {
		return len(b.Subjects) == 0
	})
	slices.SortFunc(bindings, func(a, b rbacv1.ClusterRoleBinding) int { return strings.Compare(a.Name, b.Name) })
	var texts [][]byte
	for _, b := range bindings {
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
