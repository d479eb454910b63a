package olm

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/conformance/server"
)

// applied are the kinds of a release that matter without a kubelet. What is left out needs pods: Deployments, Services, and
// certificates; the webhook of catalogd only sets the label of a catalog, which [Cluster.Publish] does.
var applied = []string{
	"Namespace", "ServiceAccount", "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
}

// release are the manifests of a version.
type release struct {
	objects map[string]string // by kind, namespace, and name
	gates   []string          // arguments of operator-controller that set feature gates
}

// object is what of a manifest of a release is read.
type object struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		Template struct {
			Spec struct {
				Containers []struct{ Args []string }
			}
		}
	}
}

// readRelease reads the objects of a file of manifests that are applied, and the feature gates that the release sets, which
// differ from the program's own defaults.
func readRelease(text []byte) (release, error) {
	r := release{objects: map[string]string{}}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var o object
		if err := yaml.Unmarshal(document, &o); err != nil {
			return r, err
		}
		if slices.Contains(applied, o.Kind) {
			r.objects[strings.Join([]string{o.Kind, o.Metadata.Namespace, o.Metadata.Name}, "/")] = string(document)
		}
		if o.Kind == "Deployment" && o.Metadata.Name == account {
			r.gates = slices.DeleteFunc(o.Spec.Template.Spec.Containers[0].Args, func(argument string) bool {
				return !strings.HasPrefix(argument, "--feature-gates=")
			})
		}
	}
	if len(r.gates) == 0 {
		return r, fmt.Errorf("the release has no Deployment %s with feature gates", account)
	}
	return r, nil
}

// install applies the objects of a release, and deletes those of the release before it that are no longer part of it.
func (c *Cluster) install(ctx context.Context, r release) error {
	// Namespaces and definitions come first: the other objects need them.
	names := slices.SortedFunc(maps.Keys(r.objects), func(a, b string) int {
		return slices.Index(applied, kindOf(a)) - slices.Index(applied, kindOf(b))
	})
	var texts, definitions, gone []string
	for _, name := range names {
		texts = append(texts, r.objects[name])
		if kindOf(name) == "CustomResourceDefinition" {
			definitions = append(definitions, "crd/"+name[strings.LastIndex(name, "/")+1:])
		}
	}
	if _, err := c.Kubectl(ctx, server.Admin, strings.Join(texts, "\n---\n"), "apply", "--server-side", "--force-conflicts", "--filename=-"); err != nil {
		return err
	}
	for name, text := range c.release.objects {
		if _, ok := r.objects[name]; !ok {
			gone = append(gone, text)
		}
	}
	if len(gone) > 0 {
		if err := c.Delete(ctx, strings.Join(gone, "\n---\n")); err != nil {
			return err
		}
	}
	c.release = r
	if _, err := c.Kubectl(ctx, server.Admin, "", append([]string{"wait", "--for=condition=Established"}, definitions...)...); err != nil {
		return err
	}
	return c.Settle(ctx)
}

// Definition returns the manifest of a definition of the release that runs.
func (c *Cluster) Definition(name string) string {
	return c.release.objects["CustomResourceDefinition//"+name]
}

func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, "/")
	return kind
}
