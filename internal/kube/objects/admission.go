package objects

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Admission is what the API server's ServiceAccount admission makes of a pod: see
// https://github.com/kubernetes/kubernetes/blob/v1.34.4/plugin/pkg/admission/serviceaccount/admission.go.
type Admission struct {
	// Account is the one the pod runs as, and Field the field that says so, as in [PodSpec.Account]. A static pod has none.
	Account Account
	Field   string
	// Objects are the manifests of the account, of namesakes the nearest; Tie those of them that are equally near. Without
	// one it may be an account that nobody has to create, or that the repository does not hold.
	Objects, Tie []*Object
	// Static tells that the pod is made by a kubelet and not admitted: it has no account, no token and no pull secrets but
	// its own.
	Static bool
	// Token reports whether the token is mounted.
	Token TokenMount
	// PullSecrets are the names of the Secrets that images are pulled with, and PullSecretsBy says whose they are.
	PullSecrets   []string
	PullSecretsBy Decider
}

// Decider says what decides about something that both a pod and its account may say.
type Decider string

// The deciders. NobodyDecides is Kubernetes' default; NotKnown means that the account has no manifest, or that there are
// several of which any may be meant.
const (
	PodDecides     Decider = "pod"
	AccountDecides Decider = "account"
	NobodyDecides  Decider = "default"
	NotKnown       Decider = "unknown"
)

// TokenMount reports whether the token of the account is mounted into a pod, and who decides that.
type TokenMount struct {
	Mounted bool
	By      Decider
}

const automountField = "automountServiceAccountToken"

// Admit works out what admission makes of a pod of an object in the unit.
func (u *Unit) Admit(o *Object, pod PodSpec) Admission {
	if IsStatic(o) {
		own := secretNames(pod.Node.Get(pullSecretsField))
		return Admission{Static: true, Token: TokenMount{By: PodDecides}, PullSecrets: own, PullSecretsBy: PodDecides}
	}
	a := Admission{}
	name, field := pod.Account()
	a.Account, a.Field = Account{o.Namespace, name}, field
	core := ""
	a.Objects, a.Tie = u.Near(o, u.Find(Query{Group: &core, Kind: accountKind, Namespace: o.Namespace, Name: name}))
	a.Token = a.token(pod)
	a.PullSecrets, a.PullSecretsBy = a.pullSecrets(pod)
	return a
}

// manifest is the account's manifest, nil where there is none or several may be meant.
func (a Admission) manifest() *Object {
	if len(a.Objects) != 1 {
		return nil
	}
	return a.Objects[0]
}

// token decides about the mount: what the pod says wins over what the account says, and without either it is made.
func (a Admission) token(pod PodSpec) TokenMount {
	if mount, said := boolean(pod.Node.Get(automountField)); said {
		return TokenMount{mount, PodDecides}
	}
	account := a.manifest()
	if account == nil {
		return TokenMount{true, NotKnown}
	}
	if mount, said := boolean(account.Node.Get(automountField)); said {
		return TokenMount{mount, AccountDecides}
	}
	return TokenMount{true, NobodyDecides}
}

// pullSecrets are the pod's own, or else the account's.
func (a Admission) pullSecrets(pod PodSpec) ([]string, Decider) {
	if own := items(pod.Node.Get(pullSecretsField)); len(own) > 0 {
		return secretNames(pod.Node.Get(pullSecretsField)), PodDecides
	}
	account := a.manifest()
	if account == nil {
		return nil, NotKnown
	}
	if names := secretNames(account.Node.Get(pullSecretsField)); len(names) > 0 {
		return names, AccountDecides
	}
	return nil, NobodyDecides
}

// boolean reads a field that is a boolean; said is false for one that is not there, or something else.
func boolean(n *manifest.Node) (value, said bool) {
	switch decoded := n.Decode().(type) {
	case bool:
		return decoded, true
	}
	return false, false
}

func secretNames(list *manifest.Node) []string {
	var names []string
	for _, item := range items(list) {
		if name := item.Get("name").String(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// staticFolders are those in which a kubelet looks for pods, or in which their manifests usually lie before they are
// copied there.
var staticFolders = []string{"etc/kubernetes/manifests", "bootstrap-manifests", "static-pods", "static-pod", "staticpods"}

// IsStatic tells of the manifest of a pod that it is for a kubelet, and no API server admits it: by its annotation, by the
// folder it lies in, by the labels that kubeadm gives to the control plane, or by the files of the node that OpenShift
// mounts into its own.
func IsStatic(o *Object) bool {
	if o.Group != "" || o.Kind != "Pod" {
		return false
	}
	metadata := o.Node.Get("metadata")
	annotations, labels := metadata.Get("annotations"), metadata.Get("labels")
	switch source := annotations.Get("kubernetes.io/config.source").String(); {
	case source == "file" || source == "http" || annotations.Get("kubernetes.io/config.mirror") != nil:
		return true
	case labels.Get("tier").String() == "control-plane" && labels.Get("component") != nil:
		return true
	}
	for _, folder := range staticFolders {
		if strings.Contains("/"+o.File, "/"+folder+"/") {
			return true
		}
	}
	return mountsStaticResources(o)
}

// staticResources is where OpenShift keeps the files of its static pods, on the node and in the pod.
const staticResources = "/etc/kubernetes/static-pod-resources"

func mountsStaticResources(o *Object) bool {
	spec := o.Node.Get("spec")
	for _, volume := range items(spec.Get("volumes")) {
		if strings.HasPrefix(volume.Lookup(manifest.Path{"hostPath", "path"}).String(), staticResources) {
			return true
		}
	}
	for _, container := range items(spec.Get("containers")) {
		for _, mount := range items(container.Get("volumeMounts")) {
			if mount.Get("mountPath").String() == staticResources {
				return true
			}
		}
	}
	return false
}
