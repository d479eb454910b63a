package kube

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/kubernetes/pkg/apis/rbac"
	"k8s.io/kubernetes/pkg/apis/rbac/install"
	"k8s.io/kubernetes/pkg/apis/rbac/validation"
	"sigs.k8s.io/yaml"
)

var (
	scheme  = newScheme()
	decoder = serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
)

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}

// Cluster holds the RBAC objects that an API server would hold after all manifests were applied.
type Cluster struct {
	Roles               []*rbacv1.Role
	RoleBindings        []*rbacv1.RoleBinding
	ClusterRoles        []*rbacv1.ClusterRole
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding
	// Refused holds the errors of objects that were refused.
	Refused []error
}

// Read decodes, defaults, and validates manifests as an API server does. It returns an error if the text is not YAML.
func Read(text string) (*Cluster, error) {
	c := &Cluster{}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewBufferString(text)))
	for {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		if err := c.readDocument(doc); err != nil {
			return nil, err
		}
	}
}

func (c *Cluster) readDocument(doc []byte) error {
	data, err := yaml.YAMLToJSON(doc)
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, doc)
	}
	if string(data) == "null" {
		return nil
	}
	var list struct {
		Kind  string
		Items []json.RawMessage
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%w in\n%s", err, doc)
	}
	if list.Kind != "List" {
		list.Items = []json.RawMessage{data}
	}
	for _, item := range list.Items {
		if err := c.create(item); err != nil {
			c.Refused = append(c.Refused, err)
		}
	}
	return nil
}

// create adds an object, or returns why it is refused.
func (c *Cluster) create(data []byte) error {
	object, _, err := decoder.Decode(data, nil, nil)
	if err != nil {
		return err
	}
	scheme.Default(object)
	if err := validate(object).ToAggregate(); err != nil {
		return err
	}
	switch object := object.(type) {
	case *rbacv1.Role:
		c.Roles = append(c.Roles, object)
	case *rbacv1.RoleBinding:
		c.RoleBindings = append(c.RoleBindings, object)
	case *rbacv1.ClusterRole:
		c.ClusterRoles = append(c.ClusterRoles, object)
	case *rbacv1.ClusterRoleBinding:
		c.ClusterRoleBindings = append(c.ClusterRoleBindings, object)
	}
	return nil
}

func validate(object runtime.Object) field.ErrorList {
	internal, err := scheme.ConvertToVersion(object, rbac.SchemeGroupVersion)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	switch internal := internal.(type) {
	case *rbac.Role:
		return validation.ValidateRole(internal)
	case *rbac.RoleBinding:
		return validation.ValidateRoleBinding(internal)
	case *rbac.ClusterRole:
		return validation.ValidateClusterRole(internal, validation.ClusterRoleValidationOptions{})
	case *rbac.ClusterRoleBinding:
		return validation.ValidateClusterRoleBinding(internal)
	}
	return field.ErrorList{field.InternalError(nil, fmt.Errorf("no RBAC object: %T", internal))}
}
