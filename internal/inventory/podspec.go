package inventory

import (
	"github.com/salint/salint/internal/manifest"
)

// PodSpecKind says where objects of a kind embed the specification of a pod.
type PodSpecKind struct {
	Group, Kind string
	Path        manifest.Path
}

var (
	specPath     = manifest.Path{"spec"}
	templatePath = manifest.Path{"spec", "template", "spec"}
	cronJobPath  = manifest.Path{"spec", "jobTemplate", "spec", "template", "spec"}
)

// workloadKinds are the kinds that embed a real pod specification. Many others have fields that are spelled alike and
// mean something else, so no further kind is guessed.
var workloadKinds = []PodSpecKind{
	{"", "Pod", specPath},
	{"", "PodTemplate", manifest.Path{"template", "spec"}},
	{"", "ReplicationController", templatePath},
	{"apps", "Deployment", templatePath},
	{"apps", "StatefulSet", templatePath},
	{"apps", "DaemonSet", templatePath},
	{"apps", "ReplicaSet", templatePath},
	{"extensions", "Deployment", templatePath}, // before apps/v1
	{"extensions", "DaemonSet", templatePath},
	{"extensions", "ReplicaSet", templatePath},
	{"batch", "Job", templatePath},
	{"batch", "CronJob", cronJobPath},
	{"apps.openshift.io", "DeploymentConfig", templatePath},
	{"", "DeploymentConfig", templatePath}, // as v1, in OpenShift 3
	{"serving.knative.dev", "Service", templatePath},
	{"argoproj.io", "Rollout", templatePath},
}

// PodSpec is the specification of a pod inside an object.
type PodSpec struct {
	// Path leads to it inside the object.
	Path manifest.Path
	Node *manifest.Node
}

// PodSpecs finds the pod specifications of a workload; none for other objects. More are kinds that the configuration
// adds to those every cluster has.
func PodSpecs(o *Object, more ...PodSpecKind) []PodSpec {
	var specs []PodSpec
	for _, kinds := range [][]PodSpecKind{workloadKinds, more} {
		for _, kind := range kinds {
			if kind.Group != o.Group || kind.Kind != o.Kind {
				continue
			}
			if node := o.Node.Lookup(kind.Path); node.IsMapping() {
				specs = append(specs, PodSpec{kind.Path, node})
			}
		}
	}
	return specs
}

const (
	accountNameField  = "serviceAccountName"
	accountAliasField = "serviceAccount"
	defaultAccount    = "default"
)

// Account gives the name of the account the pod runs as, and the field that says so. As in the API server,
// serviceAccountName wins over its deprecated alias serviceAccount, and a pod that has neither, or only empty ones, gets
// `default`: then the field is "".
func (p PodSpec) Account() (name, field string) {
	for _, field := range []string{accountNameField, accountAliasField} {
		if name := p.Node.Get(field).String(); name != "" {
			return name, field
		}
	}
	return defaultAccount, ""
}
