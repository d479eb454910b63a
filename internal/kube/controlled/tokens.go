package controlled

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// secretMaker is a kind from which a controller writes a Secret, with the paths of the type and of the annotations of the Secret.
type secretMaker struct {
	group, kind       string
	kindOf, annotated manifest.Path
	source            string
}

// secretMakers are the kinds that can set the type and the annotations of the Secret.
var secretMakers = []secretMaker{
	{"external-secrets.io", "ExternalSecret", manifest.Path{"spec", "target", "template", "type"}, manifest.Path{"spec", "target", "template", "metadata", "annotations"},
		"external-secrets/external-secrets, apis/externalsecrets/v1 (ExternalSecretTemplate)"},
	{"external-secrets.io", "ClusterExternalSecret", manifest.Path{"spec", "externalSecretSpec", "target", "template", "type"},
		manifest.Path{"spec", "externalSecretSpec", "target", "template", "metadata", "annotations"}, "external-secrets/external-secrets, apis/externalsecrets/v1"},
	{"bitnami.com", "SealedSecret", manifest.Path{"spec", "template", "type"}, manifest.Path{"spec", "template", "metadata", "annotations"},
		"bitnami-labs/sealed-secrets, pkg/apis/sealedsecrets/v1alpha1 (SecretTemplateSpec)"},
	{"secrets.hashicorp.com", "VaultStaticSecret", manifest.Path{"spec", "destination", "type"}, manifest.Path{"spec", "destination", "annotations"},
		"hashicorp/vault-secrets-operator, api/v1beta1 (Destination)"},
	{"secrets.hashicorp.com", "VaultDynamicSecret", manifest.Path{"spec", "destination", "type"}, manifest.Path{"spec", "destination", "annotations"},
		"hashicorp/vault-secrets-operator, api/v1beta1 (Destination)"},
	{"onepassword.com", "OnePasswordItem", manifest.Path{"type"}, manifest.Path{"metadata", "annotations"}, "1Password/onepassword-operator, api/v1 (OnePasswordItem)"},
	{"ricoberger.de", "VaultSecret", manifest.Path{"spec", "type"}, manifest.Path{"metadata", "annotations"}, "ricoberger/vault-secrets-operator, api/v1alpha1"},
}

const (
	tokenType       = "kubernetes.io/service-account-token"
	tokenAnnotation = "kubernetes.io/service-account.name"
)

// Token returns the account whose token the Secret of an object requests. ok is false if the object makes no such Secret.
func Token(o *objects.Object) (account objects.Account, ok bool) {
	for _, m := range secretMakers {
		if m.group != o.Group || m.kind != o.Kind || o.Node.Lookup(m.kindOf).String() != tokenType {
			continue
		}
		account = objects.Account{Namespace: o.Namespace, Name: o.Node.Lookup(m.annotated).Get(tokenAnnotation).String()}
		return account, account.Name != ""
	}
	return account, false
}
