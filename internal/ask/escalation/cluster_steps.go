package escalation

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// clusterSteps use cluster-scoped resources.
func (w *World) clusterSteps(n *node) {
	w.extensions(n)
	w.controls(n)
	w.writeSources(n)
	w.webhooks(n)
	w.certificates(n)
	w.identityMaps(n)
	for _, h := range n.held(configureNodes) {
		w.link(n, w.admin, &Step{Kind: Node, Text: "runs as root on control plane nodes, with a MachineConfig", Grants: []access.Grant{h.grant}, Known: "assumes that the machine config operator of OpenShift runs"})
	}
	// The kubelet runs commands in every container of its node without asking for more permissions:
	// https://kubernetes.io/docs/concepts/security/rbac-good-practices/#access-to-proxy-subresource-of-nodes
	for _, h := range n.held(reachKubelets) {
		w.link(n, w.place(running, ""), &Step{Kind: Node, Text: "runs a command through the kubelet in a pod that runs as", As: true, InPod: true, Grants: []access.Grant{h.grant}})
	}
}

// identityMaps change ConfigMaps that say who is a member of which group, or who is an administrator of Argo CD.
//
// Sources: those of the table of powers.
func (w *World) identityMaps(n *node) {
	for _, h := range n.held(changeAWSAuth) {
		w.link(n, w.identity(rbac.Subject{Kind: rbac.KindGroup, Name: masters}), &Step{Kind: Impersonate, Text: "maps its identity of AWS, in ConfigMap aws-auth, to", As: true,
			Grants: []access.Grant{h.grant}, Known: "assumes that the cluster is one of EKS, and reads the ConfigMap"})
	}
	for _, h := range n.held(changeArgoRoles) {
		for _, c := range danger.Controllers() {
			if c.Tool == argoCD {
				w.installed(n, h, c, Step{Kind: Install, Text: "makes itself an administrator of Argo CD, in ConfigMap argocd-rbac-cm, which installs", Grants: []access.Grant{h.grant}})
				break
			}
		}
	}
}

// extensions let OLM install something, as its own account or as the one that the extension names. Source: the rule
// olm/extension-write-access and its references.
func (w *World) extensions(n *node) {
	for _, h := range n.held(writeExtensions) {
		if w.changesNothing(h) {
			continue
		}
		does := w.olmOf(h)
		w.olm[does] = w.olm[does] || n.listed
		if does == OLMAdmin {
			w.link(n, w.admin, &Step{Kind: Extension, Text: "writes " + h.resource + ", which OLM installs as its own cluster-admin account", Grants: []access.Grant{h.grant}})
		}
	}
	for _, h := range n.held(nameAccounts) {
		if h.verb != "create" { // the account of an extension cannot be changed, see the rule olm/fields-immutable
			w.installedAs(n, h)
			continue
		}
		if does := w.olmOf(h); does == OLMNamed || does == OLMUnknown {
			w.link(n, w.place(accounts, ""), &Step{Kind: Extension, Text: "writes a ClusterExtension that OLM installs as", As: true, Grants: []access.Grant{h.grant}})
		}
	}
}

// changesNothing reports whether a permission only allows to change extensions, of which the repository contains none.
func (w *World) changesNothing(h held) bool {
	if h.verb == "create" || h.resource != extensionResource || len(w.changeable(h)) > 0 {
		return false
	}
	return !slices.ContainsFunc(h.grant.Rule.Resources, func(r string) bool { return r != extensionResource && isExtensionResource(r) })
}

const extensionResource = "clusterextensions"

// isExtensionResource reports whether a resource of a rule is one that OLM installs from.
func isExtensionResource(resource string) bool {
	return resource == rbacv1.ResourceAll || slices.Contains(writeExtensions.Resources, resource)
}

// changeable returns the extensions of the repository that a permission allows to change.
func (w *World) changeable(h held) []*objects.Object {
	found := w.unit.Find(objects.Query{Kind: olm.ClusterExtensionKind})
	w.unseenExtensions = w.unseenExtensions || len(found) == 0
	return slices.DeleteFunc(slices.Clone(found), func(o *objects.Object) bool { return h.name != "" && o.Name != h.name })
}

// installedAs lets OLM install another package as the account that an extension of the repository names.
func (w *World) installedAs(n *node, h held) {
	if does := w.olmOf(h); does != OLMNamed && does != OLMUnknown {
		return
	}
	for _, o := range w.changeable(h) {
		for _, ref := range objects.AccountReferences(o) {
			if ref.What == objects.Installer && ref.Account.Namespace != "" {
				w.link(n, w.identity(rbac.Account(ref.Account)), &Step{Kind: Extension, Text: "changes ClusterExtension " + o.Name + ", which OLM installs as", As: true, Grants: []access.Grant{h.grant}})
			}
		}
	}
}

// olmOf returns what OLM does for what a permission allows. The default bindings of every cluster are in no file.
func (w *World) olmOf(h held) OLM {
	if h.grant.Binding.Default {
		return w.options.OLM(nil)
	}
	return w.options.OLM(h.grant.Binding.Object)
}

// webhooks decide about what the API server admits: mutating ones change what administrators write, and both kinds read it, also
// the token that is written into a token Secret.
//
// Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#control-admission-webhooks.
func (w *World) webhooks(n *node) {
	for _, h := range n.held(writeMutating) {
		w.link(n, w.admin, &Step{Kind: Webhook, Text: "changes what administrators write, with a mutating webhook", Grants: []access.Grant{h.grant}})
	}
	if writing, binding := n.all(writeMutations), n.all(bindMutations); n.has(writeMutations, bindMutations) && len(writing) > 0 && len(binding) > 0 {
		w.link(n, w.admin, &Step{Kind: Webhook, Text: "changes what administrators write, with a MutatingAdmissionPolicy",
			Grants: distinct([]access.Grant{writing[0].grant, binding[0].grant}), Known: "assumes that the API server serves MutatingAdmissionPolicies"})
	}
	for _, h := range n.held(writeValidating) {
		w.link(n, w.place(tokens, ""), &Step{Kind: Webhook, Text: "reads, with a validating webhook, the token Secret of", As: true, Grants: []access.Grant{h.grant}})
	}
}

// clientSigner signs certificates with which the API server authenticates users.
const clientSigner = "kubernetes.io/kube-apiserver-client"

// certificates issue client certificates for any user and groups, except system:masters, which the admission plugin
// CertificateSubjectRestriction refuses.
//
// Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#csrs-and-certificate-issuing,
// https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/#authorization.
func (w *World) certificates(n *node) {
	if !n.has(createRequests, approveRequests, approveSigner) {
		return
	}
	creating, approving := n.all(createRequests), n.all(approveRequests)
	if len(creating) == 0 || len(approving) == 0 {
		return
	}
	domain, _, _ := strings.Cut(clientSigner, "/")
	for _, h := range n.all(approveSigner) {
		if h.name == "" || h.name == clientSigner || h.name == domain+"/*" {
			w.link(n, w.place(certified, ""), &Step{Kind: Certificate, Text: "requests and approves a client certificate of", As: true,
				Grants: distinct([]access.Grant{creating[0].grant, approving[0].grant, h.grant})})
			return
		}
	}
}
