package controlled

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// ofJenkins reads the roles that the operator of Jenkins binds to the account of its pod in its namespace.
func ofJenkins(o *objects.Object) []Grant {
	var spec struct{ Roles []rbacv1.RoleRef }
	if !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	var all []Grant
	for _, r := range spec.Roles {
		role := rbac.RoleRef{Kind: r.Kind, Name: r.Name}
		if r.Kind == "Role" {
			role.Namespace = o.Namespace
		}
		account := objects.Account{Namespace: o.Namespace, Name: "jenkins-operator-" + o.Name}
		all = append(all, Grant{Subject: rbac.Account(account), Scope: o.Namespace, Role: role})
	}
	return all
}

// ofAuthorizationRule reads a rule of Deckhouse: further roles, and the level SuperAdmin, which is everything. The roles of other levels are unknown.
func ofAuthorizationRule(o *objects.Object) []Grant {
	var spec struct {
		Subjects          []rbacv1.Subject
		AccessLevel       string
		AdditionalRoles   []rbacv1.RoleRef
		LimitNamespaces   []string
		NamespaceSelector map[string]any
	}
	if !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	scope := ""
	if len(spec.LimitNamespaces) > 0 || len(spec.NamespaceSelector) > 0 {
		scope = rbac.AnyNamespace
	}
	var all []Grant
	for _, s := range spec.Subjects {
		if spec.AccessLevel == "SuperAdmin" {
			all = append(all, Grant{Subject: subjectOf(s, ""), Scope: scope, Role: clusterRole("cluster-admin")})
		}
		for _, r := range spec.AdditionalRoles {
			all = append(all, Grant{Subject: subjectOf(s, ""), Role: rbac.RoleRef{Kind: r.Kind, Name: r.Name}})
		}
	}
	return all
}

// ofClusterAccess reads the roles that a ClusterAccess of vCluster Platform grants on the clusters that it names.
func ofClusterAccess(o *objects.Object) []Grant {
	var spec struct {
		LocalClusterAccessTemplate struct {
			Spec struct {
				Users        []struct{ User, Team string }
				ClusterRoles []struct{ Name string }
			}
		}
	}
	if !decode(o.JSON()["spec"], &spec) {
		return nil
	}
	template := spec.LocalClusterAccessTemplate.Spec
	var all []Grant
	for _, who := range template.Users {
		subject := rbac.Subject{Kind: rbac.KindUser, Name: who.User}
		if who.User == "" {
			subject = rbac.Subject{Kind: rbac.KindGroup, Name: who.Team}
		}
		for _, role := range template.ClusterRoles {
			all = append(all, Grant{Subject: subject, Role: clusterRole(role.Name)})
		}
	}
	return all
}

const (
	iamGroup  = "iamauthenticator.k8s.aws"
	eksGroup  = "eks.services.k8s.aws"
	adminARN  = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
	wholeEKS  = "cluster"
	iamKind   = "IAMIdentityMapping"
	entryKind = "AccessEntry"
)

// MapsAWS reports whether an object maps an identity of AWS to groups, or to a policy of EKS.
func MapsAWS(o *objects.Object) bool {
	return o.Group == iamGroup && o.Kind == iamKind || o.Group == eksGroup && o.Kind == entryKind
}

// MakesAWSAdministrator reports whether an object that MapsAWS makes an identity of AWS a cluster-admin.
//
// Sources: kubernetes-sigs/aws-iam-authenticator, pkg/mapper/crd/apis/iamauthenticator/v1alpha1; aws-controllers-k8s/eks-controller,
// apis/v1alpha1/access_entry.go; https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html.
func MakesAWSAdministrator(o *objects.Object) bool {
	var spec struct {
		Groups         []string
		AccessPolicies []struct {
			PolicyARN   string
			AccessScope struct{ Type string }
		}
	}
	if !MapsAWS(o) || !decode(o.JSON()["spec"], &spec) {
		return false
	}
	if o.Group == iamGroup {
		return slices.Contains(spec.Groups, "system:masters")
	}
	for _, policy := range spec.AccessPolicies {
		if policy.PolicyARN == adminARN && policy.AccessScope.Type == wholeEKS {
			return true
		}
	}
	return false
}
