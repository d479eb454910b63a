package origin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Setting is something that the repository sets for content that is not read.
type Setting struct {
	// Name is its field, without the indexes of lists, and Text its content.
	Name, Text string
	// Decides is set if the content can grant more or something else with the setting.
	Decides bool
	// Adds is set if nothing is new without the setting, and IsRevision if it is the revision of a source, for which IsUnreleased decides.
	Adds, IsRevision bool
}

// Compare returns the names of the settings that can decide and differ, sorted, and whether any setting differs.
func Compare(before, after []Setting) (deciding []string, differ bool) {
	gone, added := missing(before, after), missing(after, before)
	add := func(name string) {
		if !slices.Contains(deciding, name) {
			deciding = append(deciding, name)
		}
	}
	for _, s := range added {
		if s.decides(gone) && !(s == applied && slices.Contains(before, applied)) {
			add(s.Name)
		}
	}
	for _, s := range gone {
		if s.Decides && !s.Adds && !(s == applied && slices.Contains(before, applied)) {
			add(s.Name)
		}
	}
	slices.Sort(deciding)
	return deciding, len(gone)+len(added) > 0
}

// decides reports whether a setting that is new can decide. The settings that are gone have the revision of which it takes the place.
func (s Setting) decides(gone []Setting) bool {
	if !s.IsRevision {
		return s.Decides
	}
	return !slices.ContainsFunc(gone, func(old Setting) bool { return old.IsRevision && old.Name == s.Name && !IsUnreleased(old.Text, s.Text) })
}

// missing returns the settings of a list that another one does not have as often.
func missing(list, from []Setting) []Setting {
	type content struct{ name, text string }
	there := map[content]int{}
	for _, s := range from {
		there[content{s.Name, s.Text}]++
	}
	var left []Setting
	for _, s := range list {
		key := content{s.Name, s.Text}
		if there[key]--; there[key] < 0 {
			left = append(left, s)
		}
	}
	return left
}

// TextOf returns a text as it is, and another value as JSON.
func TextOf(value any) string {
	if text, is := value.(string); is {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// harmlessFields are the parts of the names of values that charts use for workloads, networks, and storage: not for what they grant.
var harmlessFields = map[string]bool{
	"replicas": true, "replicacount": true, "minreplicas": true, "maxreplicas": true, "requests": true, "limits": true, "cpu": true, "memory": true,
	"image": true, "images": true, "tag": true, "digest": true, "repository": true, "registry": true, "pullpolicy": true, "imagepullpolicy": true,
	"imagepullsecrets": true, "ingress": true, "host": true, "hosts": true, "hostname": true, "tls": true, "nodeselector": true, "tolerations": true,
	"affinity": true, "topologyspreadconstraints": true, "livenessprobe": true, "readinessprobe": true, "startupprobe": true, "autoscaling": true,
	"poddisruptionbudget": true, "priorityclassname": true, "podannotations": true, "podlabels": true, "persistence": true, "storageclass": true,
	"storageclassname": true, "size": true, "storage": true, "loglevel": true, "logging": true, "port": true, "ports": true, "servicemonitor": true,
	"env": true, "configmap": true, "configmaps": true, "retention": true, "updatestrategy": true, "terminationgraceperiodseconds": true,
}

// decidingWord is a part of the names of values, or of texts in them, that is about what a chart grants.
var decidingWord = lazyregexp.New(`(?i)rbac|role|account|admin|permission|privileg|\brules?\b|verbs|binding|impersonat|apiversion|kind:`)

// Values returns the settings in the values of a chart. What charts make of a value is up to them, so all values decide, except those with
// usual names for something else.
func Values(name string, data []byte) []Setting {
	var values any
	if err := yaml.Unmarshal(data, &values); err != nil {
		return []Setting{{Name: name, Text: string(data), Decides: true}}
	}
	return valuesIn(name, values)
}

func valuesIn(name string, value any) (all []Setting) {
	leaves(name, value, func(field string, leaf any) {
		text := TextOf(leaf)
		parts := strings.Split(strings.TrimPrefix(field, name), ".")
		harmless := slices.ContainsFunc(parts, func(part string) bool { return harmlessFields[strings.ToLower(part)] })
		decides := !harmless || decidingWord().MatchString(strings.Join(parts, ".")) || decidingWord().MatchString(text)
		all = append(all, Setting{Name: field, Text: text, Decides: decides})
	})
	return all
}

// Leaves calls a function with the values in a value that are no mappings or lists, with their names, which have no indexes of lists.
func Leaves(value any, visit func(name string, leaf any)) { leaves("", value, visit) }

// leaves calls a function with the values that are no mappings or lists, and with empty ones.
func leaves(name string, value any, visit func(name string, leaf any)) {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			leaves(name+"."+key, child, visit)
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for _, child := range value {
			leaves(name, child, visit)
		}
		if len(value) > 0 {
			return
		}
	}
	visit(name, value)
}

// ofTheTool are the fields of applications that do not decide what their content grants, and those that are compared elsewhere: the address and
// revision, and as which identity it is applied.
var ofTheTool = map[string]bool{
	"interval": true, "timeout": true, "retryInterval": true, "install": true, "upgrade": true, "rollback": true, "uninstall": true, "test": true,
	"driftDetection": true, "maxHistory": true, "dependsOn": true, "wait": true, "prune": true, "force": true, "healthChecks": true,
	"healthCheckExprs": true, "syncPolicy": true, "ignoreDifferences": true, "info": true, "revisionHistoryLimit": true, "project": true,
	"serviceAccountName": true, "images": true, "sourceRef": true, "chartRef": true, "path": true, "repoURL": true, "targetRevision": true, "chart": true, "ref": true,
	"deletionPolicy": true, "persistentClient": true, "waitStrategy": true,
}

// Application returns what the specification of an application sets for its content. The values of its charts are added with Values.
func Application(spec map[string]any) []Setting {
	var all []Setting
	if spec["suspend"] != true {
		all = append(all, applied)
	}
	for key, value := range spec {
		switch {
		case key == "suspend", ofTheTool[key]:
		case key == "values":
			all = append(all, valuesIn("values", value)...)
		case key == "source", key == "sources", key == "helm", key == "template", key == "spec":
			all = append(all, nested(value)...)
		case key == "valuesObject":
			all = append(all, valuesIn("values", value)...)
		case key == "patches", key == "patchesStrategicMerge", key == "patchesJson6902":
			all = append(all, Patches(key, value, nil)...)
		case key == "kustomize":
			all = append(all, nested(value)...)
		case key == "parameters" && areValues(value):
			all = append(all, parameters(value)...)
		case key == "postRenderers":
			all = append(all, postRenderers(value)...)
		default:
			all = append(all, Setting{Name: key, Text: TextOf(value), Decides: true})
		}
	}
	return all
}

// applied is the setting of an application that is not suspended. One that is suspended by the change grants nothing that is new.
var applied = Setting{Name: "suspend", Text: "false", Decides: true}

// nested returns the settings in a field of an application, which can be a list.
func nested(value any) (all []Setting) {
	items, isList := value.([]any)
	if !isList {
		items = []any{value}
	}
	for _, item := range items {
		fields, _ := item.(map[string]any)
		if fields == nil {
			continue
		}
		if text, is := fields["values"].(string); is { // helm.values of Argo CD
			all = append(all, Values("values", []byte(text))...)
			fields = without(fields, "values")
		}
		for _, s := range Application(fields) {
			if s != applied {
				all = append(all, s)
			}
		}
	}
	return all
}

// areValues reports whether parameters are those of a chart, which have names and values, and not those of a plugin.
func areValues(value any) bool {
	items, isList := value.([]any)
	return isList && !slices.ContainsFunc(items, func(item any) bool {
		fields, _ := item.(map[string]any)
		return fields["name"] == nil || fields["value"] == nil
	})
}

// parameters are values of a chart, each with the path of its field.
func parameters(value any) (all []Setting) {
	items, _ := value.([]any)
	for _, item := range items {
		fields, _ := item.(map[string]any)
		all = append(all, valuesIn("values", map[string]any{TextOf(fields["name"]): fields["value"]})...)
	}
	return all
}

func without(fields map[string]any, key string) map[string]any {
	rest := map[string]any{}
	for name, value := range fields {
		if name != key {
			rest[name] = value
		}
	}
	return rest
}

func postRenderers(value any) (all []Setting) {
	items, _ := value.([]any)
	for _, item := range items {
		fields, _ := item.(map[string]any)
		all = append(all, nested(fields["kustomize"])...)
	}
	return all
}
