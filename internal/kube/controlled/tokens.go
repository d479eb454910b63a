package controlled

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// secretMaker is a kind from which a controller writes a Secret, with the paths of the type and of the annotations of the Secret. Of a list, these are
// paths in each item.
type secretMaker struct {
	group, kind       string
	kindOf, annotated manifest.Path
	source            string
	list              manifest.Path
}

// secretMakers are the kinds that can set the type and the annotations of the Secret.
var secretMakers = []secretMaker{
	{"external-secrets.io", "ExternalSecret", manifest.Path{"spec", "target", "template", "type"}, manifest.Path{"spec", "target", "template", "metadata", "annotations"},
		"external-secrets/external-secrets, apis/externalsecrets/v1 (ExternalSecretTemplate)", nil},
	{"external-secrets.io", "ClusterExternalSecret", manifest.Path{"spec", "externalSecretSpec", "target", "template", "type"},
		manifest.Path{"spec", "externalSecretSpec", "target", "template", "metadata", "annotations"}, "external-secrets/external-secrets, apis/externalsecrets/v1", nil},
	{"bitnami.com", "SealedSecret", manifest.Path{"spec", "template", "type"}, manifest.Path{"spec", "template", "metadata", "annotations"},
		"bitnami-labs/sealed-secrets, pkg/apis/sealedsecrets/v1alpha1 (SecretTemplateSpec)", nil},
	{"secrets.hashicorp.com", "VaultStaticSecret", manifest.Path{"spec", "destination", "type"}, manifest.Path{"spec", "destination", "annotations"},
		"hashicorp/vault-secrets-operator, api/v1beta1 (Destination)", nil},
	{"secrets.hashicorp.com", "VaultDynamicSecret", manifest.Path{"spec", "destination", "type"}, manifest.Path{"spec", "destination", "annotations"},
		"hashicorp/vault-secrets-operator, api/v1beta1 (Destination)", nil},
	{"onepassword.com", "OnePasswordItem", manifest.Path{"type"}, manifest.Path{"metadata", "annotations"}, "1Password/onepassword-operator, api/v1 (OnePasswordItem)", nil},
	{"ricoberger.de", "VaultSecret", manifest.Path{"spec", "type"}, manifest.Path{"metadata", "annotations"}, "ricoberger/vault-secrets-operator, api/v1alpha1", nil},
	{"isindir.github.com", "SopsSecret", manifest.Path{"type"}, manifest.Path{"annotations"}, "isindir/sops-secrets-operator, api/v1alpha3 (SopsSecretTemplate)",
		manifest.Path{"spec", "secretTemplates"}},
	{"secrets-store.csi.x-k8s.io", "SecretProviderClass", manifest.Path{"type"}, manifest.Path{"annotations"}, "kubernetes-sigs/secrets-store-csi-driver, apis/v1 (SecretObject)",
		manifest.Path{"spec", "secretObjects"}},
}

const (
	tokenType       = "kubernetes.io/service-account-token"
	tokenAnnotation = "kubernetes.io/service-account.name"
)

// Token returns the account whose token the Secret of an object requests. ok is false if the object makes no such Secret.
func Token(o *objects.Object) (account objects.Account, ok bool) {
	for _, m := range secretMakers {
		if m.group != o.Group || m.kind != o.Kind {
			continue
		}
		for _, secret := range m.secretsOf(o) {
			if secret.Lookup(m.kindOf).String() != tokenType {
				continue
			}
			account = objects.Account{Namespace: o.Namespace, Name: secret.Lookup(m.annotated).Get(tokenAnnotation).String()}
			return account, account.Name != ""
		}
	}
	return account, false
}

// secretsOf returns the nodes in which the paths are.
func (m secretMaker) secretsOf(o *objects.Object) []*manifest.Node {
	if m.list == nil {
		return []*manifest.Node{o.Node}
	}
	return o.Node.Lookup(m.list).Items()
}
