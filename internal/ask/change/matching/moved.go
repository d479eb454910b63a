package matching

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Moved is a deployment unit that is compared with one of another name, because they have most of their objects in common.
type Moved struct {
	From, To string
	// Severity is a warning if the two can be of different clusters, otherwise a note.
	Severity finding.Severity
	Place    objects.Position
	// IsCluster is set if the units are clusters, which their names say.
	IsCluster bool
}

// Sentence says what is compared with what.
func (m Moved) Sentence() string { return m.about("deployment unit ") }

// Title is the sentence with a capital letter.
func (m Moved) Title() string {
	title := m.about("Deployment unit ")
	return strings.ToUpper(title[:1]) + title[1:]
}

// about is the sentence, which begins with what is moved.
func (m Moved) about(unit string) string {
	if m.IsCluster {
		unit = ""
	}
	text := fmt.Sprintf("%s%s is compared with %s, which no longer exists", unit, m.To, m.From)
	if m.Severity == finding.Warning {
		text += "; if they are different clusters, all permissions in it are new"
	}
	return text
}

// clusterFolders are the usual names of folders in which each folder is a cluster or an environment.
var clusterFolders = []string{"cluster", "clusters", "env", "envs", "environment", "environments", "overlay", "overlays", "region", "regions", "site", "sites", "stage", "stages"}

// MovedOf reports whether a unit has another name than the one with which it is compared.
func MovedOf(p Pair) (m Moved, is bool) {
	if len(p.Before.Objects) == 0 || len(p.After.Objects) == 0 || p.Before.Name == "" || p.After.Name == "" || p.Before.Key() == p.After.Key() {
		return m, false
	}
	m = Moved{From: NameOf(p.Before), To: NameOf(p.After), Severity: finding.Note, Place: p.After.Objects[0].Position(nil), IsCluster: p.After.Kind == objects.ClusterUnit}
	if len(p.After.Kustomizations) > 0 {
		m.Place = objects.Position{File: p.After.Kustomizations[0].Path, Line: 1, Column: 1}
	}
	if OtherCluster(p.Before.Root, p.After.Root) {
		m.Severity = finding.Warning
	}
	return m, true
}

// environments are the usual names of folders that are an environment themselves.
var environments = []string{"dev", "development", "int", "integration", "live", "preprod", "prod", "production", "qa", "sandbox", "stage", "staging", "test", "testing", "uat"}

// OtherCluster reports whether two paths differ in the name of a cluster: in a folder that stands in one of clusters. A longer form of a name,
// such as production for prod, counts as the same.
func OtherCluster(before, after string) bool {
	a, b := clusterIn(before), clusterIn(after)
	return a != "" && b != "" && !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a)
}

// clusterIn returns the folder of a path that stands in a folder of clusters, otherwise the first that has the name of an environment; ""
// if there is none.
func clusterIn(dir string) string {
	parts := strings.Split(path.Clean(dir), "/")
	for i, part := range parts[:len(parts)-1] {
		if slices.Contains(clusterFolders, part) {
			return parts[i+1]
		}
	}
	if i := slices.IndexFunc(parts, func(part string) bool { return slices.Contains(environments, part) }); i >= 0 {
		return parts[i]
	}
	return ""
}

// SameCluster reports whether plain files of two folders count as files of one cluster: one of the folders contains the other.
func SameCluster(a, b string) bool { return below(a, b) || below(b, a) }

func below(folder, other string) bool {
	return folder == "." || folder == other || strings.HasPrefix(other, folder+"/")
}
