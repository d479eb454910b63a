package escalation

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/rbac"
)

// podSteps run something as an account: in a new pod, in that of a workload, or in one that is there.
//
// Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#workload-creation. The fields of pods that can be
// changed: https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement.
func (w *World) podSteps(n *node) {
	for _, p := range creatingPods {
		for _, h := range n.held(p) {
			text := fmt.Sprintf("creates %s %s whose containers run as", singular[h.resource], h.in())
			w.toAccounts(n, held{namespace: h.namespace}, accounts, &Step{Kind: Pod, Text: text, As: true, Grants: []access.Grant{h.grant}})
		}
	}
	for _, p := range changingPods {
		for _, h := range n.held(p) {
			text := fmt.Sprintf("changes %s %s to run as", named(h), h.in())
			w.toAccounts(n, held{namespace: h.namespace}, accounts, &Step{Kind: Pod, Text: text, As: true, Grants: []access.Grant{h.grant}})
		}
	}
	w.createsCustom(n)
	w.volumes(n)
	w.inPods(n, changePods, Pod, "changes the image of")
	w.inPods(n, execPods, Exec, "runs a command in")
	w.inPods(n, attachPods, Exec, "attaches to the process in")
	w.inPods(n, addContainers, Exec, "adds a container to")
}

var singular = map[string]string{
	"pods": "a pod", "replicationcontrollers": "a ReplicationController", "deployments": "a Deployment", "daemonsets": "a DaemonSet",
	"statefulsets": "a StatefulSet", "replicasets": "a ReplicaSet", "jobs": "a Job", "cronjobs": "a CronJob", "deploymentconfigs": "a DeploymentConfig",
	"builds": "a Build", "buildconfigs": "a BuildConfig",
}

func named(h held) string {
	if h.name == "" {
		return singular[h.resource]
	}
	return h.resource + "/" + h.name
}

// inPods uses a running pod. If the repository has the pod that a permission names, its account is known.
func (w *World) inPods(n *node, p *permission, kind Kind, verb string) {
	for _, h := range n.held(p) {
		step := &Step{Kind: kind, Text: fmt.Sprintf("%s %s %s that runs as", verb, named(h), h.in()), As: true, InPod: true, Grants: []access.Grant{h.grant}}
		if account, known := w.inventory.pods[objectName{h.namespace, h.name}]; known {
			w.link(n, w.identity(rbac.Account(account)), step)
			continue
		}
		w.link(n, w.place(running, h.namespace), step)
	}
}

// volumes mount folders of a node, which hold the tokens of its pods. A pod claims the volume with an ephemeral volume, for which
// a controller creates the claim. Pod Security does not limit what a PersistentVolume mounts.
//
// Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#persistent-volume-creation.
func (w *World) volumes(n *node) {
	makers := slices.Concat(creatingPods, changingPods)
	if !n.has(createVolumes) && !n.has(makers...) {
		return
	}
	create, creates := n.first(createVolumes)
	if !creates {
		return
	}
	for _, p := range makers {
		if list := n.all(p); len(list) > 0 {
			w.link(n, w.place(running, ""), &Step{Kind: Node, Text: "mounts a folder of a node with a PersistentVolume, and reads there the token of a pod that runs as", As: true, InPod: true,
				Grants: distinct([]access.Grant{create.grant, list[0].grant}), Known: "assumes that both pods run on one node"})
			return
		}
	}
}
