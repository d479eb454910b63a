package olm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/salint/salint/test/conformance/server"
)

// patience is how long an extension may take. The controller works on one extension after the other.
const patience = 3 * time.Minute

var extensions = schema.GroupVersionResource{Group: "olm.operatorframework.io", Version: "v1", Resource: "clusterextensions"}

// Extension is the state of a ClusterExtension.
type Extension struct {
	Metadata struct {
		Name       string
		UID        string
		Generation int64
	}
	Status struct {
		Conditions []metav1.Condition
		Install    struct {
			Bundle struct{ Name, Version string }
		}
	}
}

// Condition returns a condition, or an empty one.
func (e Extension) Condition(kind string) metav1.Condition {
	for _, condition := range e.Status.Conditions {
		if condition.Type == kind {
			return condition
		}
	}
	return metav1.Condition{}
}

// current reports whether the controller has seen the last change of the extension.
func (e Extension) current() bool {
	return e.Condition("Progressing").ObservedGeneration == e.Metadata.Generation
}

// Installed reports whether the extension is installed in a version, and nothing is left to be done.
func (e Extension) Installed(version string) bool {
	return e.current() && e.Condition("Installed").Status == metav1.ConditionTrue && e.Status.Install.Bundle.Version == version &&
		e.Condition("Progressing").Reason == "Succeeded"
}

// Failure returns the error with which the controller failed last, if any. It retries some errors, and waits for a change
// after others.
func (e Extension) Failure() string {
	progressing := e.Condition("Progressing")
	if !e.current() || slices.Contains([]string{"", "Succeeded", "RollingOut"}, progressing.Reason) {
		return ""
	}
	return progressing.Message
}

func (e Extension) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "ClusterExtension %s, generation %d, version %q", e.Metadata.Name, e.Metadata.Generation, e.Status.Install.Bundle.Version)
	for _, c := range e.Status.Conditions {
		fmt.Fprintf(&text, "\n  %s=%s %s (generation %d): %s", c.Type, c.Status, c.Reason, c.ObservedGeneration, c.Message)
	}
	return text.String()
}

// Extension returns the state of an extension.
func (c *Cluster) Extension(ctx context.Context, name string) (Extension, error) {
	object, err := c.objects.Resource(extensions).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return Extension{}, err
	}
	return decode(object)
}

func decode(object *unstructured.Unstructured) (Extension, error) {
	var e Extension
	text, err := json.Marshal(object)
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(text, &e)
}

// Await waits until an extension is in a state, and returns it. The error contains its conditions and the lines about it in
// the controller's log.
func (c *Cluster) Await(ctx context.Context, name, state string, reached func(Extension) bool) (Extension, error) {
	var last Extension
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		select {
		case <-c.controller.process.Exited:
			return false, c.controller.process.Failure()
		default:
		}
		e, err := c.Extension(ctx, name)
		if err != nil {
			if ctx.Err() != nil {
				err = ctx.Err() // a request that was interrupted reports something else
			}
			return false, err
		}
		last = e
		return reached(e), nil
	})
	if err != nil {
		err = fmt.Errorf("waiting until extension %s is %s: %w\n%v\n%s", name, state, err, last, c.Log(name))
	}
	return last, err
}

// AwaitInstalled waits until an extension is installed in a version.
func (c *Cluster) AwaitInstalled(ctx context.Context, name, version string) error {
	_, err := c.Await(ctx, name, "installed in version "+version, func(e Extension) bool { return e.Installed(version) })
	return err
}

// AwaitFailure waits until the controller fails to install or upgrade an extension, and returns the error in its condition.
func (c *Cluster) AwaitFailure(ctx context.Context, name string) (string, error) {
	e, err := c.Await(ctx, name, "failing", func(e Extension) bool { return e.Failure() != "" })
	return e.Failure(), err
}

// AwaitOutcome waits until an extension is installed in a version, or failing, and returns the error of the failure.
func (c *Cluster) AwaitOutcome(ctx context.Context, name, version string) (failure string, err error) {
	e, err := c.Await(ctx, name, "installed in version "+version+", or failing", func(e Extension) bool {
		return e.Installed(version) || e.Failure() != ""
	})
	return e.Failure(), err
}

// Remove deletes an extension and waits until it and the objects that OLM installed for it are gone.
func (c *Cluster) Remove(ctx context.Context, name string) error {
	err := c.objects.Resource(extensions).Delete(ctx, name, metav1.DeleteOptions{})
	if err != nil {
		return err
	}
	return c.AwaitRemoved(ctx, name)
}

// AwaitRemoved waits until an extension that was deleted, and the objects that OLM installed for it, are gone.
func (c *Cluster) AwaitRemoved(ctx context.Context, name string) error {
	var left map[string]Object
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		if _, err := c.Extension(ctx, name); !apierrors.IsNotFound(err) {
			return false, err
		}
		var err error
		left, err = c.Objects(ctx, name)
		return len(left) == 0, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("extension %s, or its objects, are not deleted: %w\n%v\n%s", name, err, left, c.Log(name))
	}
	return err
}

// installedKinds are the kinds of the bundles in testdata.
const installedKinds = "customresourcedefinitions,clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,services,configmaps," +
	"validatingwebhookconfigurations,mutatingwebhookconfigurations"

// Object identifies a state of an object: another UID means that it was created again, another generation that it was
// changed. Objects without generations have 0.
type Object struct {
	UID        string
	Generation int64
}

// Objects returns what OLM installed for an extension, by kind, namespace, and name.
func (c *Cluster) Objects(ctx context.Context, extension string) (map[string]Object, error) {
	text, err := c.Kubectl(ctx, server.Admin, "", "get", installedKinds, "--all-namespaces", "--output=json",
		"--selector=olm.operatorframework.io/owner-kind=ClusterExtension,olm.operatorframework.io/owner-name="+extension)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Kind     string
			Metadata struct {
				Namespace, Name, UID string
				Generation           int64
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	found := map[string]Object{}
	for _, item := range list.Items {
		found[item.Kind+" "+item.Metadata.Namespace+"/"+item.Metadata.Name] = Object{item.Metadata.UID, item.Metadata.Generation}
	}
	return found, nil
}
