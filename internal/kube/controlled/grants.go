package controlled

import (
	"encoding/json"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Grant is what a controller grants to a subject for an object.
type Grant struct {
	Subject rbac.Subject
	// Scope is the namespace, "" for the cluster, rbac.AnyNamespace for namespaces that labels select.
	Scope string
	// Role is a role by its name, and Rules are those of a role that the object contains. One of them is set.
	Role  rbac.RoleRef
	Rules []rbacv1.PolicyRule
}

// reader reads the grants of a kind of objects.
type reader struct {
	group, kind string
	read        func(*objects.Object) []Grant
	source      string
}

// readers are the kinds whose objects grant roles, with the sources of their form.
var readers = []reader{
	{"operators.coreos.com", "ClusterServiceVersion", ofOperator, "operator-framework/api, pkg/operators/v1alpha1 (NamedInstallStrategy)"},
	{"rbacmanager.reactiveops.io", "RBACDefinition", ofDefinition, "FairwindsOps/rbac-manager, pkg/apis/rbacmanager/v1beta1"},
	{"rbac.open-cluster-management.io", "ClusterPermission", ofClusterPermission, "stolostron/cluster-permission, api/v1alpha1"},
	{"capsule.clastix.io", "Tenant", ofTenant, "projectcapsule/capsule, api/v1beta2 (TenantSpec)"},
	{"management.cattle.io", "GlobalRoleBinding", ofGlobalRole, "https://ranchermanager.docs.rancher.com: Global Permissions"},
	{"management.cattle.io", "ClusterRoleTemplateBinding", ofClusterTemplate, "https://ranchermanager.docs.rancher.com: Cluster and Project Roles"},
	{"jenkins.io", "Jenkins", ofJenkins, "jenkinsci/kubernetes-operator, api/v1alpha2/jenkins_types.go, pkg/configuration/base (roles)"},
	{"deckhouse.io", "ClusterAuthorizationRule", ofAuthorizationRule, "https://deckhouse.io/modules/user-authz/cr.html"},
	{"storage.loft.sh", "ClusterAccess", ofClusterAccess, "loft-sh/api, pkg/apis/storage/v1/clusteraccess_types.go"},
	{"authorization.openshift.io", "ClusterRoleBinding", ofOpenShift, "openshift/api, authorization/v1"},
	{"authorization.openshift.io", "RoleBinding", ofOpenShift, "openshift/api, authorization/v1"},
}

// Kinds returns the kinds whose objects grant something, or make Secrets with tokens, with the words that their documents contain.
func Kinds() map[string][]string {
	kinds := map[string][]string{"Group": {"user.openshift.io"}, constraintsKind: nil, iamKind: {iamGroup}, entryKind: {eksGroup}}
	for _, r := range readers {
		kinds[r.kind] = append(kinds[r.kind], r.group)
	}
	for _, m := range secretMakers {
		kinds[m.kind] = append(kinds[m.kind], tokenType)
	}
	// The generator of External Secrets has the name of a kind of another tool.
	kinds["VaultDynamicSecret"] = append(kinds["VaultDynamicSecret"], "generators.external-secrets.io")
	return kinds
}

// Grants returns what the controller of an object grants for it.
func Grants(o *objects.Object) []Grant {
	for _, r := range readers {
		if r.group == o.Group && r.kind == o.Kind {
			return r.read(o)
		}
	}
	return nil
}

// decode reads a value. It fails for one with other types than the API has.
func decode(value, into any) bool {
	text, err := json.Marshal(value)
	return err == nil && json.Unmarshal(text, into) == nil
}

// subjectOf returns a subject with a namespace that is that of the object if it is not set.
func subjectOf(s rbacv1.Subject, namespace string) rbac.Subject {
	if s.Kind != rbac.KindServiceAccount {
		return rbac.Subject{Kind: s.Kind, Name: s.Name}
	}
	if s.Namespace != "" {
		namespace = s.Namespace
	}
	return rbac.Account(objects.Account{Namespace: namespace, Name: s.Name})
}

func clusterRole(name string) rbac.RoleRef { return rbac.RoleRef{Kind: "ClusterRole", Name: name} }

// ofOperator reads the permissions of an operator of OLM v0. A ClusterServiceVersion without a namespace is part of a bundle.
func ofOperator(o *objects.Object) []Grant {
	var spec struct {
		Install struct {
			Spec struct {
				Permissions, ClusterPermissions []struct {
					ServiceAccountName string
					Rules              []rbacv1.PolicyRule
				}
			}
		}
	}
	if o.Namespace == "" || o.Namespace == "placeholder" || !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	var all []Grant
	for i, list := range [...][]struct {
		ServiceAccountName string
		Rules              []rbacv1.PolicyRule
	}{spec.Install.Spec.Permissions, spec.Install.Spec.ClusterPermissions} {
		scope := []string{o.Namespace, ""}[i]
		for _, p := range list {
			all = append(all, Grant{Subject: rbac.Account(objects.Account{Namespace: o.Namespace, Name: p.ServiceAccountName}), Scope: scope, Rules: p.Rules})
		}
	}
	return all
}

// ofDefinition reads an RBACDefinition of RBAC Manager, which has no spec.
func ofDefinition(o *objects.Object) []Grant {
	var d struct {
		RBACBindings []struct {
			Subjects            []rbacv1.Subject
			ClusterRoleBindings []struct{ ClusterRole string }
			RoleBindings        []struct {
				ClusterRole, Role, Namespace string
				NamespaceSelector            map[string]any
			}
		} `json:"rbacBindings"`
	}
	if !decode(o.JSON(), &d) {
		return nil
	}
	var all []Grant
	for _, b := range d.RBACBindings {
		for _, s := range b.Subjects {
			for _, role := range b.ClusterRoleBindings {
				all = append(all, Grant{Subject: subjectOf(s, ""), Role: clusterRole(role.ClusterRole)})
			}
			for _, role := range b.RoleBindings {
				g := Grant{Subject: subjectOf(s, role.Namespace), Scope: role.Namespace, Role: clusterRole(role.ClusterRole)}
				if role.Namespace == "" {
					g.Scope = rbac.AnyNamespace
				}
				if role.ClusterRole == "" {
					g.Role = rbac.RoleRef{Kind: "Role", Namespace: role.Namespace, Name: role.Role}
				}
				all = append(all, g)
			}
		}
	}
	return all
}

// permissionBinding is a binding of a ClusterPermission. Without a role it is one of the role in the object.
type permissionBinding struct {
	Namespace string
	RoleRef   *rbacv1.RoleRef
	Subject   *rbacv1.Subject
	Subjects  []rbacv1.Subject
}

func (b permissionBinding) subjects() []rbacv1.Subject {
	if b.Subject == nil {
		return b.Subjects
	}
	return append(slices.Clone(b.Subjects), *b.Subject)
}

// ofClusterPermission reads a ClusterPermission, which grants something on a managed cluster.
func ofClusterPermission(o *objects.Object) []Grant {
	var spec struct {
		ClusterRole *struct{ Rules []rbacv1.PolicyRule }
		Roles       []struct {
			Namespace string
			Rules     []rbacv1.PolicyRule
		}
		ClusterRoleBinding                *permissionBinding
		ClusterRoleBindings, RoleBindings []permissionBinding
	}
	if !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	if spec.ClusterRoleBinding != nil {
		spec.ClusterRoleBindings = append(spec.ClusterRoleBindings, *spec.ClusterRoleBinding)
	}
	var all []Grant
	add := func(b permissionBinding, scope string, own []rbacv1.PolicyRule) {
		for _, s := range b.subjects() {
			g := Grant{Subject: subjectOf(s, scope), Scope: scope, Rules: own}
			if b.RoleRef != nil && b.RoleRef.Name != "" {
				g.Rules, g.Role = nil, rbac.RoleRef{Kind: b.RoleRef.Kind, Name: b.RoleRef.Name}
				if b.RoleRef.Kind == "Role" {
					g.Role.Namespace = scope
				}
			}
			all = append(all, g)
		}
	}
	for _, b := range spec.ClusterRoleBindings {
		var own []rbacv1.PolicyRule
		if spec.ClusterRole != nil {
			own = spec.ClusterRole.Rules
		}
		add(b, "", own)
	}
	for _, b := range spec.RoleBindings {
		scope, own := b.Namespace, []rbacv1.PolicyRule(nil)
		if scope == "" {
			scope = rbac.AnyNamespace
		}
		for _, role := range spec.Roles {
			if role.Namespace == b.Namespace {
				own = role.Rules
			}
		}
		add(b, scope, own)
	}
	return all
}

// ofTenant reads a Tenant of Capsule, whose owners have the role admin, unless it sets others, in namespaces that they create.
func ofTenant(o *objects.Object) []Grant {
	var spec struct {
		Owners []struct {
			Kind, Name   string
			ClusterRoles []string
		}
		AdditionalRoleBindings []struct {
			ClusterRoleName string
			Subjects        []rbacv1.Subject
		}
	}
	if !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	var all []Grant
	for _, owner := range spec.Owners {
		subject := rbac.Subject{Kind: owner.Kind, Name: owner.Name}
		if account, ok := objects.ParseUser(owner.Name); ok {
			subject = rbac.Account(account)
		}
		if len(owner.ClusterRoles) == 0 {
			owner.ClusterRoles = []string{"admin"}
		}
		for _, role := range owner.ClusterRoles {
			all = append(all, Grant{Subject: subject, Scope: rbac.AnyNamespace, Role: clusterRole(role)})
		}
	}
	for _, b := range spec.AdditionalRoleBindings {
		for _, s := range b.Subjects {
			all = append(all, Grant{Subject: subjectOf(s, ""), Scope: rbac.AnyNamespace, Role: clusterRole(b.ClusterRoleName)})
		}
	}
	return all
}

// ofGlobalRole reads a GlobalRoleBinding of Rancher, of which only the role admin is known.
func ofGlobalRole(o *objects.Object) []Grant { return ofRancher(o, "globalRoleName", "admin") }

// ofClusterTemplate reads a ClusterRoleTemplateBinding of Rancher, of which only the role cluster-owner is known.
func ofClusterTemplate(o *objects.Object) []Grant {
	return ofRancher(o, "roleTemplateName", "cluster-owner")
}

func ofRancher(o *objects.Object, field, powerful string) []Grant {
	if role, _ := o.JSON()[field].(string); role != powerful {
		return nil
	}
	var all []Grant
	for _, by := range []struct{ field, kind string }{
		{"userName", rbac.KindUser}, {"userPrincipalName", rbac.KindUser}, {"groupName", rbac.KindGroup}, {"groupPrincipalName", rbac.KindGroup},
	} {
		if name, _ := o.JSON()[by.field].(string); name != "" {
			all = append(all, Grant{Subject: rbac.Subject{Kind: by.kind, Name: name}, Role: clusterRole("cluster-admin")})
		}
	}
	return all
}

// ofOpenShift reads a binding of the API group that OpenShift had before Kubernetes, and still serves. It lists users and groups, and further
// subjects.
func ofOpenShift(o *objects.Object) []Grant {
	var b struct {
		UserNames, GroupNames []string
		Subjects              []rbacv1.Subject
		RoleRef               struct{ Name, Namespace string }
	}
	if !decode(o.JSON(), &b) || b.RoleRef.Name == "" {
		return nil
	}
	role := clusterRole(b.RoleRef.Name)
	if b.RoleRef.Namespace != "" {
		role = rbac.RoleRef{Kind: "Role", Namespace: b.RoleRef.Namespace, Name: b.RoleRef.Name}
	}
	scope := ""
	if o.Kind == "RoleBinding" {
		scope = o.Namespace
	}
	if scope == "" && o.Kind == "RoleBinding" {
		scope = rbac.AnyNamespace
	}
	var all []Grant
	add := func(s rbac.Subject) {
		if g := (Grant{Subject: s, Scope: scope, Role: role}); !slices.ContainsFunc(all, func(known Grant) bool { return known.Subject == s }) {
			all = append(all, g)
		}
	}
	for _, s := range b.Subjects {
		if s.Kind == "SystemUser" || s.Kind == "SystemGroup" {
			s.Kind = s.Kind[len("System"):]
		}
		add(subjectOf(s, o.Namespace))
	}
	for _, name := range b.UserNames {
		if account, ok := objects.ParseUser(name); ok {
			add(rbac.Account(account))
			continue
		}
		add(rbac.Subject{Kind: rbac.KindUser, Name: name})
	}
	for _, name := range b.GroupNames {
		add(rbac.Subject{Kind: rbac.KindGroup, Name: name})
	}
	return all
}
