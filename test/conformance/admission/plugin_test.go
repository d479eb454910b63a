package admission_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	install "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
	"sigs.k8s.io/yaml"
)

// plugin is the API server's plugin, with the policies and bindings in some manifests.
type plugin struct{ *validating.Plugin }

// start reads manifests as strictly as the API server does. The authorizer allows everything to administrators only.
func start(t *testing.T, manifests string) plugin {
	t.Helper()
	client := fake.NewSimpleClientset(read(t, manifests)...)
	validator, err := validating.NewPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := plugin{validator}
	factory := informers.NewSharedInformerFactory(client, 0)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	p.SetExternalKubeClientSet(client)
	p.SetExternalKubeInformerFactory(factory)
	p.SetDynamicClient(dynamicfake.NewSimpleDynamicClient(runtime.NewScheme()))
	p.SetRESTMapper(meta.NewDefaultRESTMapper(nil))
	p.SetDrainedNotification(ctx.Done())
	p.SetExcludedAdmissionResources(nil)
	p.SetUnconditionalAuthorizer(authorizer.AuthorizerFunc(func(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
		for _, group := range a.GetUser().GetGroups() {
			if group == administrators {
				return authorizer.DecisionAllow, "", nil
			}
		}
		return authorizer.DecisionNoOpinion, "", nil
	}))
	if err := p.ValidateInitialization(); err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return p
}

const administrators = "ops"

func read(t *testing.T, manifests string) []runtime.Object {
	t.Helper()
	var objects []runtime.Object
	for _, text := range strings.Split(manifests, "\n---\n") {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(text), &kind); err != nil {
			t.Fatal(err)
		}
		switch kind.Kind {
		case "ValidatingAdmissionPolicy":
			objects = append(objects, readPolicy(t, text))
		case "ValidatingAdmissionPolicyBinding":
			objects = append(objects, readBinding(t, text))
		}
	}
	return objects
}

// readPolicy sets defaults and validates, including expressions, as the API server does.
func readPolicy(t *testing.T, text string) *admissionv1.ValidatingAdmissionPolicy {
	t.Helper()
	policy, internal := &admissionv1.ValidatingAdmissionPolicy{}, &admissionregistration.ValidatingAdmissionPolicy{}
	if err := yaml.UnmarshalStrict([]byte(text), policy); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	install.SetObjectDefaults_ValidatingAdmissionPolicy(policy)
	if err := install.Convert_v1_ValidatingAdmissionPolicy_To_admissionregistration_ValidatingAdmissionPolicy(policy, internal, nil); err != nil {
		t.Fatal(err)
	}
	if faults := validation.ValidateValidatingAdmissionPolicy(internal); len(faults) > 0 {
		t.Fatalf("the API server refuses it: %.2000v", faults.ToAggregate())
	}
	return policy
}

func readBinding(t *testing.T, text string) *admissionv1.ValidatingAdmissionPolicyBinding {
	t.Helper()
	binding, internal := &admissionv1.ValidatingAdmissionPolicyBinding{}, &admissionregistration.ValidatingAdmissionPolicyBinding{}
	if err := yaml.UnmarshalStrict([]byte(text), binding); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	install.SetObjectDefaults_ValidatingAdmissionPolicyBinding(binding)
	if err := install.Convert_v1_ValidatingAdmissionPolicyBinding_To_admissionregistration_ValidatingAdmissionPolicyBinding(binding, internal, nil); err != nil {
		t.Fatal(err)
	}
	if faults := validation.ValidateValidatingAdmissionPolicyBinding(internal); len(faults) > 0 {
		t.Fatalf("the API server refuses it: %.2000v", faults.ToAggregate())
	}
	return binding
}

// write attempts a write; the error is the refusal.
func (p plugin) write(who user.Info, operation k8sadmission.Operation, resource string, object map[string]any) error {
	kind := map[string]string{"clusterextensions": "ClusterExtension", "clustercatalogs": "ClusterCatalog", "clusterobjectsets": "ClusterObjectSet"}[resource]
	gvk := schema.GroupVersionKind{Group: "olm.operatorframework.io", Version: "v1", Kind: kind}
	written := &unstructured.Unstructured{Object: object}
	written.SetGroupVersionKind(gvk)
	var old runtime.Object
	if operation == k8sadmission.Update {
		old = written.DeepCopy()
	}
	attributes := k8sadmission.NewAttributesRecord(written, old, gvk, "", written.GetName(), gvk.GroupVersion().WithResource(resource), "",
		operation, nil, false, who)
	interfaces := k8sadmission.NewObjectInterfacesFromScheme(runtime.NewScheme())
	for range readyTries {
		if err := p.Validate(context.Background(), attributes, interfaces); err == nil || !strings.Contains(err.Error(), notReady) {
			return err
		}
	}
	return errors.New("the plugin does not become ready")
}

// notReady is the plugin's error while it compiles policies. It waits for them for 10 seconds, which large ones exceed on a busy machine.
const notReady = "not yet ready to handle request"

const readyTries = 30
