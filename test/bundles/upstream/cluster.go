//go:build olm_v1_3 || olm_v1_10

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operator-framework/operator-controller/internal/operator-controller/authorization"
)

// cluster is what the pre-authorizer reads: the default roles of Kubernetes, and a role and a binding for each scope of a grant.
type cluster struct {
	client.Client
	mapper          meta.RESTMapper
	clusterRoles    map[string]*rbacv1.ClusterRole
	clusterBindings []rbacv1.ClusterRoleBinding
	roles           map[client.ObjectKey]*rbacv1.Role
	bindings        map[string][]rbacv1.RoleBinding
}

var defaultClusterRoles = func() map[string]*rbacv1.ClusterRole {
	roles := map[string]*rbacv1.ClusterRole{}
	all := slices.Concat(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles())
	for i := range all {
		roles[all[i].Name] = &all[i]
	}
	for target, aggregated := range bootstrappolicy.ClusterRolesToAggregate() {
		roles[target] = &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: target}, Rules: roles[aggregated].Rules}
	}
	// edit contains view, and admin contains edit.
	roles["edit"].Rules = slices.Concat(roles["edit"].Rules, roles["view"].Rules)
	roles["admin"].Rules = slices.Concat(roles["admin"].Rules, roles["edit"].Rules)
	return roles
}()

const granted = "granted"

func newCluster(q Question, mapper meta.RESTMapper, grant []Scoped) *cluster {
	c := &cluster{
		mapper: mapper, clusterRoles: maps.Clone(defaultClusterRoles),
		roles: map[client.ObjectKey]*rbacv1.Role{}, bindings: map[string][]rbacv1.RoleBinding{},
	}
	for namespace, roles := range bootstrappolicy.NamespaceRoles() {
		for i := range roles {
			c.roles[client.ObjectKey{Namespace: namespace, Name: roles[i].Name}] = &roles[i]
		}
	}
	subjects := []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: q.Namespace, Name: q.Account}}
	for i, scope := range grant {
		meta := metav1.ObjectMeta{Namespace: scope.Namespace, Name: fmt.Sprint(granted, i)}
		ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name}
		if scope.Namespace != "" {
			c.roles[client.ObjectKey{Namespace: scope.Namespace, Name: meta.Name}] = &rbacv1.Role{ObjectMeta: meta, Rules: scope.Rules}
			c.bindings[scope.Namespace] = append(c.bindings[scope.Namespace], rbacv1.RoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref})
			continue
		}
		ref.Kind = "ClusterRole"
		c.clusterRoles[meta.Name] = &rbacv1.ClusterRole{ObjectMeta: meta, Rules: scope.Rules}
		c.clusterBindings = append(c.clusterBindings, rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref})
	}
	return c
}

func (c *cluster) RESTMapper() meta.RESTMapper { return c.mapper }

func (c *cluster) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(opts)
	switch list := list.(type) {
	case *rbacv1.ClusterRoleBindingList:
		list.Items = c.clusterBindings
	case *rbacv1.RoleBindingList:
		list.Items = c.bindings[o.Namespace]
	default:
		return fmt.Errorf("unexpected list %T", list)
	}
	return nil
}

func (c *cluster) Get(_ context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	switch o := o.(type) {
	case *rbacv1.ClusterRole:
		if found := c.clusterRoles[key.Name]; found != nil {
			*o = *found
			return nil
		}
	case *rbacv1.Role:
		if found := c.roles[key]; found != nil {
			*o = *found
			return nil
		}
	}
	return apierrors.NewNotFound(rbacv1.Resource("roles"), key.Name)
}

// scopedOf returns the rules that the pre-authorizer misses.
func scopedOf(rules []authorization.ScopedPolicyRules) []Scoped {
	var all []Scoped
	for _, r := range rules {
		if len(r.MissingRules) > 0 {
			all = append(all, Scoped{r.Namespace, r.MissingRules})
		}
	}
	return all
}

// definitions are the CustomResourceDefinitions of a cluster.
type definitions struct {
	apiextensionsclient.CustomResourceDefinitionInterface
	all map[string]*apiextensionsv1.CustomResourceDefinition
}

func (d definitions) Get(_ context.Context, name string, _ metav1.GetOptions) (*apiextensionsv1.CustomResourceDefinition, error) {
	if found := d.all[name]; found != nil {
		return found.DeepCopy(), nil
	}
	return nil, apierrors.NewNotFound(apiextensionsv1.Resource("customresourcedefinitions"), name)
}

// definitionsOf returns the definitions of a manifest as a cluster has them, where objects are stored in the storage version.
func definitionsOf(manifest string) (definitions, error) {
	d := definitions{all: map[string]*apiextensionsv1.CustomResourceDefinition{}}
	objects, err := objectsOf(manifest)
	if err != nil {
		return d, err
	}
	for _, o := range objects {
		if o.GetObjectKind().GroupVersionKind().Kind != "CustomResourceDefinition" {
			continue
		}
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			return d, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, crd); err != nil {
			return d, err
		}
		for _, version := range crd.Spec.Versions {
			if version.Storage {
				crd.Status.StoredVersions = []string{version.Name}
			}
		}
		d.all[crd.Name] = crd
	}
	return d, nil
}

// resourceOf is the resource of a kind.
type resourceOf struct {
	name       string
	namespaced bool
}

// clusterScoped are the built-in kinds without a namespace.
var clusterScoped = []string{
	"APIService", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "CSIDriver", "CSINode", "CustomResourceDefinition",
	"FlowSchema", "IngressClass", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node", "PersistentVolume", "PriorityClass",
	"PriorityLevelConfiguration", "RuntimeClass", "StorageClass", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
	"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass", "DeviceClass", "ResourceSlice", "ServiceCIDR", "IPAddress", "ClusterTrustBundle",
	"SecurityContextConstraints", "ConsoleCLIDownload", "ConsoleLink", "ConsolePlugin", "ConsoleQuickStart", "ConsoleYAMLSample",
}

// others are kinds of other projects that bundles can contain (operator-registry, pkg/lib/bundle/supported_resources.go).
var others = []schema.GroupVersionKind{
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
	{Group: "apiextensions.k8s.io", Version: "v1beta1", Kind: "CustomResourceDefinition"},
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "PrometheusRule"},
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor"},
	{Group: "monitoring.coreos.com", Version: "v1", Kind: "PodMonitor"},
	{Group: "autoscaling.k8s.io", Version: "v1", Kind: "VerticalPodAutoscaler"},
	{Group: "cert-manager.io", Version: "v1", Kind: "Certificate"},
	{Group: "cert-manager.io", Version: "v1", Kind: "Issuer"},
	{Group: "console.openshift.io", Version: "v1", Kind: "ConsoleCLIDownload"},
	{Group: "console.openshift.io", Version: "v1", Kind: "ConsoleLink"},
	{Group: "console.openshift.io", Version: "v1", Kind: "ConsolePlugin"},
	{Group: "console.openshift.io", Version: "v1alpha1", Kind: "ConsolePlugin"},
	{Group: "console.openshift.io", Version: "v1", Kind: "ConsoleQuickStart"},
	{Group: "console.openshift.io", Version: "v1", Kind: "ConsoleYAMLSample"},
	{Group: "security.openshift.io", Version: "v1", Kind: "SecurityContextConstraints"},
	{Group: "route.openshift.io", Version: "v1", Kind: "Route"},
	{Group: "operators.coreos.com", Version: "v1alpha1", Kind: "ClusterServiceVersion"},
}

// builtIn are the resources of those kinds.
var builtIn = func() *meta.DefaultRESTMapper {
	kinds := slices.Collect(maps.Keys(scheme.Scheme.AllKnownTypes()))
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range append(kinds, others...) {
		plural, _ := meta.UnsafeGuessKindToResource(kind)
		name := plural.Resource
		if kind.Kind == "Endpoints" || kind.Kind == "SecurityContextConstraints" {
			name = strings.ToLower(kind.Kind)
		}
		add(mapper, kind, resourceOf{name, !slices.Contains(clusterScoped, kind.Kind)})
	}
	return mapper
}()

func add(mapper *meta.DefaultRESTMapper, kind schema.GroupVersionKind, r resourceOf) {
	scope := meta.RESTScopeRoot
	if r.namespaced {
		scope = meta.RESTScopeNamespace
	}
	at := kind.GroupVersion()
	mapper.AddSpecific(kind, at.WithResource(r.name), at.WithResource(strings.ToLower(kind.Kind)), scope)
}

// mapperOf returns the resources of a cluster with those kinds, and with the given ones.
func mapperOf(more map[schema.GroupVersionKind]resourceOf) meta.RESTMapper {
	own := meta.NewDefaultRESTMapper(nil)
	for kind, r := range more {
		add(own, kind, r)
	}
	return meta.FirstHitRESTMapper{MultiRESTMapper: meta.MultiRESTMapper{builtIn, own}}
}
