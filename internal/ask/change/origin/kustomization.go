package origin

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// ofResources are the fields of a kustomization that list or make other objects, or change images and replicas.
var ofResources = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "resources": true, "bases": true, "components": true, "crds": true, "openapi": true,
	"sortOptions": true, "buildMetadata": true, "images": true, "replicas": true, "generatorOptions": true, "configMapGenerator": true,
	"secretGenerator": true, "commonAnnotations": true,
}

// labelThatDecides is a part of the labels that select roles for aggregation, and that set the level of pod security.
var labelThatDecides = lazyregexp.New(`rbac|pod-security`)

// Kustomization returns what a kustomization sets for the content of others that it builds. Read returns the content of a file that it
// names, nil if there is none.
func Kustomization(root any, read func(file string) []byte) (all []Setting) {
	fields, _ := root.(map[string]any)
	for key, value := range fields {
		switch key {
		case "patches", "patchesStrategicMerge", "patchesJson6902":
			all = append(all, Patches(key, value, read)...)
		case "commonLabels", "labels":
			if text := TextOf(value); labelThatDecides().MatchString(text) {
				all = append(all, Setting{Name: key, Text: text, Decides: true})
			}
		case "helmCharts":
			all = append(all, helmCharts(value, read)...)
		case "transformers", "generators", "configurations", "replacements":
			all = append(all, Setting{Name: key, Text: TextOf(value) + contents(value, read), Decides: true})
		default:
			if !ofResources[key] {
				all = append(all, Setting{Name: key, Text: TextOf(value), Decides: true})
			}
		}
	}
	return all
}

// contents returns the contents of the files that a field names.
func contents(value any, read func(file string) []byte) string {
	var b strings.Builder
	leaves("", value, func(_ string, leaf any) {
		if name, is := leaf.(string); is && !strings.Contains(name, "\n") && read != nil {
			fmt.Fprintf(&b, "%s", read(name))
		}
	})
	return b.String()
}

// helmCharts returns the settings of charts. Their addresses, names, and versions are those of the sources.
func helmCharts(value any, read func(file string) []byte) (all []Setting) {
	items, _ := value.([]any)
	for _, item := range items {
		fields, _ := item.(map[string]any)
		for key, value := range fields {
			switch key {
			case "name", "repo", "version":
			case "valuesInline":
				all = append(all, valuesIn("valuesInline", value)...)
			case "valuesFile", "additionalValuesFiles":
				all = append(all, Values(key, []byte(contents(value, read)))...)
			default:
				all = append(all, Setting{Name: "helmCharts." + key, Text: TextOf(value), Decides: true})
			}
		}
	}
	return all
}

// Patches returns the patches of a field.
func Patches(field string, value any, read func(file string) []byte) (all []Setting) {
	items, isList := value.([]any)
	if !isList {
		return []Setting{{Name: field, Text: TextOf(value), Decides: true}}
	}
	for _, item := range items {
		var target, options map[string]any
		text := ""
		switch item := item.(type) {
		case string:
			text = item
		case map[string]any:
			target, _ = item["target"].(map[string]any)
			options, _ = item["options"].(map[string]any)
			if item["target"] == nil && item["patch"] == nil && item["path"] == nil { // an older form of Flux
				text = TextOf(item)
			} else if text = TextOf(item["patch"]); item["patch"] == nil {
				text, _ = item["path"].(string)
			}
		}
		if read != nil && !strings.Contains(text, "\n") {
			if data := read(text); data != nil {
				text = string(data)
			}
		}
		isHarmless := describes(target["kind"], text) || (target == nil || changesNoGrant(target["kind"])) && isHarmless(text, target != nil)
		decides := len(options) > 0 || !isHarmless
		all = append(all, Setting{Name: field, Text: TextOf(target) + TextOf(options) + text, Decides: decides})
	}
	return all
}

// grantsNothing are the kinds of which patches grant nothing, unless they set an account.
var grantsNothing = map[string]bool{
	"Deployment": true, "StatefulSet": true, "DaemonSet": true, "ReplicaSet": true, "Job": true, "CronJob": true, "Pod": true, "Service": true,
	"Ingress": true, "IngressClass": true, "HorizontalPodAutoscaler": true, "PodDisruptionBudget": true, "NetworkPolicy": true,
	"PersistentVolumeClaim": true, "StorageClass": true, "PriorityClass": true, "ServiceMonitor": true, "PodMonitor": true, "PrometheusRule": true,
	"HTTPRoute": true, "Gateway": true, "Certificate": true,
}

func changesNoGrant(kind any) bool {
	name, _ := kind.(string)
	return GrantsNothing(name)
}

// GrantsNothing reports whether objects of a kind grant nothing, except for the accounts of workloads.
func GrantsNothing(kind string) bool { return grantsNothing[kind] }

// accountOrKind finds what changes the account of a workload, or makes another object of it.
var accountOrKind = lazyregexp.New(`(?i)serviceaccount|['"]?path['"]?:\s*['"]?/?(?:kind|apiVersion|spec(?:/template(?:/spec)?)?)?['"]?\s*(?:[,}\n]|$)`)

// oneKind matches the kind of a target that is no pattern of several.
var oneKind = lazyregexp.New(`^[A-Za-z]+$`)

// describes reports whether a patch in the form of JSON changes nothing but labels and annotations that decide nothing. Labels of ClusterRoles can aggregate
// them, and those of namespaces decide about admission.
func describes(kind any, text string) bool {
	name, _ := kind.(string)
	if !oneKind().MatchString(name) || name == "ClusterRole" || name == "Namespace" {
		return false
	}
	var operations []struct{ Op, Path string }
	if decidingWord().MatchString(text) || labelThatDecides().MatchString(text) || yaml.Unmarshal([]byte(text), &operations) != nil {
		return false
	}
	for _, o := range operations {
		isLabel := strings.HasPrefix(o.Path+"/", "/metadata/labels/") || strings.HasPrefix(o.Path+"/", "/metadata/annotations/")
		if !isLabel || o.Op == "move" || o.Op == "copy" {
			return false
		}
	}
	return len(operations) > 0
}

// isHarmless reports whether a patch changes only objects that grant nothing. That of a target can be a list of operations.
func isHarmless(text string, hasTarget bool) bool {
	if accountOrKind().MatchString(text) {
		return false
	}
	for _, doc := range bytes.Split([]byte("\n"+text), []byte("\n---")) {
		var value any
		if err := yaml.Unmarshal(doc, &value); err != nil {
			return false
		}
		switch value := value.(type) {
		case nil:
		case map[string]any:
			if !hasTarget && !changesNoGrant(value["kind"]) {
				return false
			}
		case []any:
			if !hasTarget {
				return false
			}
		default:
			return false
		}
	}
	return true
}
