package main

import (
	"fmt"
	"iter"
	"strings"
)

// catalog is a repository of kustomizations without an extension, as platform teams share them: for each operator a namespace, an
// OperatorGroup, a Subscription, and an account with a binding in a base, with overlays that patch the channel.
type catalog struct {
	// Operators is the number of bases; each has two overlays and a component.
	Operators int
	// Definitions is the number of large CustomResourceDefinitions, which one kustomization applies with an operator.
	Definitions int
}

// all yields the files of the operators, then the operator with definitions.
func (c catalog) all() iter.Seq[file] {
	var files []file
	for i := range c.Operators {
		files = append(files, catalogEntry(fmt.Sprintf("entry-%03d", i))...)
	}
	if c.Definitions > 0 {
		files = append(files, operatorSource(c.Definitions)...)
	}
	return counted(files)
}

// counted yields files with the number of their documents.
func counted(files []file) iter.Seq[file] {
	return func(yield func(file) bool) {
		for _, f := range files {
			f.Documents = strings.Count(f.Text, "---\n") + 1
			if !yield(f) {
				return
			}
		}
	}
}

func catalogEntry(name string) []file {
	channel := func(channel string) string {
		return fmt.Sprintf("resources:\n  - ../../base\npatches:\n  - target: {kind: Subscription}\n    patch: |\n"+
			"      - op: replace\n        path: /spec/channel\n        value: %s\n", channel)
	}
	files := []file{
		{Path: "base/kustomization.yaml", Text: "resources:\n  - namespace.yaml\n  - group.yaml\n  - subscription.yaml\n  - account.yaml\n"},
		{Path: "base/namespace.yaml", Text: fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: %s\n", name)},
		{Path: "base/group.yaml", Text: fmt.Sprintf("apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata:\n"+
			"  name: %[1]s\n  namespace: %[1]s\nspec:\n  targetNamespaces: [%[1]s]\n", name)},
		{Path: "base/subscription.yaml", Text: fmt.Sprintf("apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata:\n"+
			"  name: %[1]s\n  namespace: %[1]s\nspec:\n  channel: stable\n  name: %[1]s\n  source: catalog\n  sourceNamespace: olm\n", name)},
		{Path: "base/account.yaml", Text: fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: %[1]s\n  namespace: %[1]s\n---\n"+
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: %[1]s\n  namespace: %[1]s\n"+
			"roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: view\nsubjects:\n"+
			"  - kind: ServiceAccount\n    name: %[1]s\n    namespace: %[1]s\n", name)},
		{Path: "overlays/stable/kustomization.yaml", Text: channel("stable-v1")},
		{Path: "overlays/fast/kustomization.yaml", Text: channel("fast")},
		{Path: "components/monitoring/kustomization.yaml", Text: "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" +
			"commonLabels:\n  monitored: \"true\"\n"},
		{Path: "aggregate/kustomization.yaml", Text: "resources:\n  - ../overlays/stable\ncomponents:\n  - ../components/monitoring\n"},
	}
	for i := range files {
		files[i].Path = name + "/" + files[i].Path
	}
	return files
}

// propertiesOfDefinition is the number of fields that a CustomResourceDefinition describes: some 100 kB.
const propertiesOfDefinition = 1000

// operatorSource is the repository of an operator: its definitions, and its account with a role and a binding, in one
// kustomization that sets the namespace.
func operatorSource(definitions int) []file {
	resources := "namespace: operator-system\nresources:\n  - rbac.yaml\n"
	files := []file{{Path: "config/rbac.yaml", Text: fmt.Sprintf(extensionParts[1].text, "operator") + "---\n" +
		fmt.Sprintf(extensionParts[2].text, "operator") + "---\n" + fmt.Sprintf(extensionParts[3].text, "operator")}}
	for i := range definitions {
		name := fmt.Sprintf("crd/thing-%03d.yaml", i)
		resources += "  - " + name + "\n"
		files = append(files, file{Path: "config/" + name, Text: definition(i)})
	}
	return append(files, file{Path: "config/kustomization.yaml", Text: resources})
}

func definition(i int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: thing%[1]ds.example.com\n"+
		"spec:\n  group: example.com\n  names: {kind: Thing%[1]d, plural: thing%[1]ds}\n  scope: Namespaced\n  versions:\n"+
		"    - name: v1\n      served: true\n      storage: true\n      schema:\n        openAPIV3Schema:\n          type: object\n"+
		"          properties:\n", i)
	for p := range propertiesOfDefinition {
		fmt.Fprintf(&text, "            field%04d:\n              description: What the field with the number %[1]d sets.\n              type: string\n", p)
	}
	return text.String()
}
