package states

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/kube/objects"
)

// ofTheFetcher are fields that do not decide what is applied, only when and how often.
var ofTheFetcher = map[string]bool{
	"interval": true, "pollingInterval": true, "timeout": true, "timewindow": true, "backOffLimit": true, "correctDrift": true, "syncInterval": true,
	"maxHistory": true, "retryInterval": true, "revisionHistoryLimit": true, "packagePullPolicy": true, "rolloutStrategy": true, "clientSecretName": true,
	"timeoutSeconds": true, "atomic": true, "wait": true, "waitForJobs": true, "force": true,
}

// valuesFields are fields with the values of charts.
var valuesFields = []string{"valuesContent", "values", "valuesYaml", "valuesTemplate", "set"}

// isRevisionField reports whether a field chooses a release of the same source. The channel of Open Cluster Management is a source.
func isRevisionField(name, group string) bool {
	switch name {
	case "channel", "startingCSV":
		return group == "operators.coreos.com"
	}
	return name == "version"
}

// take takes the settings from a specification, or from a part of it.
func (f *fetcher) take(prefix string, fields map[string]any, group string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, at := fields[name], prefix+name
		text, isText := value.(string)
		nested, isNested := value.(map[string]any)
		switch {
		case ofTheFetcher[name]:
		case slices.Contains(valuesFields, name):
			f.settings = append(f.settings, origin.Values(at, []byte(origin.TextOf(value)))...)
		case isText && isRevisionField(name, group):
			f.choose(text)
		case isText && name == "revision":
			f.chooseCommit(at, text)
		case isText:
			source, revision := text, ""
			if isAddress(text) {
				source, revision = origin.Split(text)
			}
			f.settings = append(f.settings, origin.Setting{Name: at, Text: source, Decides: true})
			f.chooseCommit(at, revision)
		case isNested:
			f.take(at+".", nested, group)
		default:
			f.settings = append(f.settings, origin.Setting{Name: at, Text: origin.TextOf(value), Decides: true})
		}
	}
}

// isAddress reports whether a text begins with a host, and is no path in a repository.
func isAddress(text string) bool {
	host, _, found := strings.Cut(text, "/")
	return strings.Contains(text, "://") || found && strings.Trim(host, ".") != "" && strings.Contains(host, ".")
}

// The annotations of Subscriptions of Open Cluster Management that say which folder and which revision of a repository is applied.
//
// Source: open-cluster-management-io/multicloud-operators-subscription, pkg/apis/apps/v1 (subscription_types.go).
const subscriptionPrefix = "apps.open-cluster-management.io/"

func (f *fetcher) takeAnnotations(o *objects.Object) {
	metadata, _ := o.JSON()["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		text, _ := annotations[name].(string)
		switch key, is := strings.CutPrefix(name, subscriptionPrefix); {
		case !is:
		case key == "git-path" || key == "github-path":
			f.settings = append(f.settings, origin.Setting{Name: name, Text: text, Decides: true})
		case strings.HasPrefix(key, "git"):
			f.chooseCommit(name, text)
		}
	}
}

// chooseCommit is for what can be any revision of a repository, also one that no release process makes.
func (f *fetcher) chooseCommit(name, revision string) {
	if revision != "" {
		f.settings = append(f.settings, origin.Setting{Name: name, Text: revision, IsRevision: true})
		f.choose(revision)
	}
}

func (f *fetcher) choose(revision string) {
	if revision != "" {
		f.revision = strings.TrimPrefix(f.revision+", "+revision, ", ")
	}
}

// sort sorts the settings of values, which come in no order.
func (f *fetcher) sort() {
	slices.SortFunc(f.settings, func(a, b origin.Setting) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Text, b.Text))
	})
}
