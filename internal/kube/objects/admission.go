package objects

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

const pullSecretsField = "imagePullSecrets"

// Admission is the result of the API server's ServiceAccount admission for a pod: see
// https://github.com/kubernetes/kubernetes/blob/v1.34.4/plugin/pkg/admission/serviceaccount/admission.go.
type Admission struct {
	// Account is the account that the pod runs as, and Field the field that sets it, as in [PodSpec.Account]. A static pod
	// has none.
	Account Account
	Field   string
	// Objects are the manifests of the account, the nearest of namesakes; Tie are those that are equally near. Without a
	// manifest, the account can be one that exists in every cluster, or one that the repository does not contain.
	Objects, Tie []*Object
	// Static is true if a kubelet creates the pod without admission: it has no account, no token, and only its own pull
	// secrets.
	Static bool
	// Token reports whether the token is mounted.
	Token TokenMount
	// PullSecrets are the names of the Secrets for pulling images, and PullSecretsBy is the source of the list.
	PullSecrets   []string
	PullSecretsBy Decider
}

// Decider is the source of a setting that both a pod and its account can set.
type Decider string

// The deciders. DecidedByDefault is Kubernetes' default. Undecided is the result if the account has no manifest, or several
// that can be meant.
const (
	DecidedByPod     Decider = "pod"
	DecidedByAccount Decider = "account"
	DecidedByDefault Decider = "default"
	Undecided        Decider = "unknown"
)

// TokenMount reports whether the account's token is mounted into a pod, and what decides it.
type TokenMount struct {
	Mounted bool
	By      Decider
}

const automountField = "automountServiceAccountToken"

// Admit returns the result of admission for a pod of an object in the unit.
func (u *Unit) Admit(o *Object, pod PodSpec) Admission {
	if IsStatic(o) {
		own := secretNames(pod.Node.Get(pullSecretsField))
		return Admission{Static: true, Token: TokenMount{By: DecidedByPod}, PullSecrets: own, PullSecretsBy: DecidedByPod}
	}
	a := Admission{}
	name, field := pod.Account()
	a.Account, a.Field = Account{o.Namespace, name}, field
	core := ""
	a.Objects, a.Tie = u.Near(o, u.Find(Query{Group: &core, Kind: accountKind, Namespace: o.Namespace, Name: name}))
	if a.Token = a.token(pod); a.Token.By != DecidedByPod && operatorDropsToken(o) {
		a.Token = TokenMount{By: DecidedByPod}
	}
	a.PullSecrets, a.PullSecretsBy = a.pullSecrets(pod)
	return a
}

// manifest returns the account's manifest, or nil if there is none or several can be meant.
func (a Admission) manifest() *Object {
	if len(a.Objects) != 1 {
		return nil
	}
	return a.Objects[0]
}

// token decides about the mount: the pod's setting takes precedence over the account's, and without either the token is
// mounted.
func (a Admission) token(pod PodSpec) TokenMount {
	if mount, set := boolean(pod.Node.Get(automountField)); set {
		return TokenMount{mount && !isMountPathTaken(pod), DecidedByPod}
	}
	if isMountPathTaken(pod) {
		return TokenMount{false, DecidedByPod}
	}
	account := a.manifest()
	if account == nil {
		return TokenMount{true, Undecided}
	}
	if mount, set := boolean(account.Node.Get(automountField)); set {
		return TokenMount{mount, DecidedByAccount}
	}
	return TokenMount{true, DecidedByDefault}
}

// APITokenPath is where admission mounts the token, and where clients look for it.
const APITokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// isMountPathTaken reports whether every container mounts something else where the token would be: admission leaves such a container as it is,
// and adds a volume only if a container needs it.
func isMountPathTaken(pod PodSpec) bool {
	containers := append(slices.Clone(Items(pod.Node.Get("initContainers"))), Items(pod.Node.Get("containers"))...)
	for _, container := range containers {
		if !slices.ContainsFunc(Items(container.Get("volumeMounts")), func(m *manifest.Node) bool { return m.Get("mountPath").String() == APITokenPath }) {
			return false
		}
	}
	return len(containers) > 0
}

// pullSecrets returns the pod's own pull secrets, otherwise the account's.
func (a Admission) pullSecrets(pod PodSpec) ([]string, Decider) {
	if own := Items(pod.Node.Get(pullSecretsField)); len(own) > 0 {
		return secretNames(pod.Node.Get(pullSecretsField)), DecidedByPod
	}
	account := a.manifest()
	if account == nil {
		return nil, Undecided
	}
	if names := secretNames(account.Node.Get(pullSecretsField)); len(names) > 0 {
		return names, DecidedByAccount
	}
	return nil, DecidedByDefault
}

// boolean reads a boolean field; set is false if the field is missing or not a boolean.
func boolean(n *manifest.Node) (value, set bool) {
	switch decoded := n.Decode().(type) {
	case bool:
		return decoded, true
	}
	return false, false
}

func secretNames(list *manifest.Node) []string {
	var names []string
	for _, item := range Items(list) {
		if name := item.Get("name").String(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// staticFolders are folders in which a kubelet looks for pods, or in which their manifests are usually kept before they are
// copied there; k3s and RKE2 have agent/pod-manifests below their folders.
var staticFolders = []string{"etc/kubernetes/manifests", "agent/pod-manifests", "bootstrap-manifests", "static-pods", "static-pod", "staticpods"}

// IsStatic reports whether the manifest is for a pod of a kubelet, which no API server admits. It is recognized by its
// annotation, its folder, the labels that kubeadm sets on the control plane, or the files of the node that OpenShift mounts
// into its static pods.
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
	for _, volume := range Items(spec.Get("volumes")) {
		if strings.HasPrefix(volume.Lookup(manifest.Path{"hostPath", "path"}).String(), staticResources) {
			return true
		}
	}
	for _, container := range Items(spec.Get("containers")) {
		for _, mount := range Items(container.Get("volumeMounts")) {
			if mount.Get("mountPath").String() == staticResources {
				return true
			}
		}
	}
	return false
}
