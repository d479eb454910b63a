package consumers

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/files/manifest"
)

var (
	// runGroups are the API groups of tasks and workflows, which run commands with a checkout of the repository.
	runGroups = []string{"tekton.dev", "argoproj.io"}
	// cloningKinds are those of objects that do so if their commands fetch it.
	cloningKinds = []string{"Job", "CronJob"}
)

// runs adds the consumers among the commands of the objects in a manifest that run them: tasks of Tekton, workflows of Argo, and jobs
// that clone a repository.
func (x *Index) runs(file string, data []byte) {
	mayRun := slices.ContainsFunc(append(runGroups[:len(runGroups):len(runGroups)], gitClone), func(word string) bool { return bytes.Contains(data, []byte(word)) })
	if mayRun && isMentioned(data) {
		x.all(file, data, commands.ReadObjects(file, data, x.from.Paths.HasFolder, isRun))
	}
}

const gitClone = "git clone"

func isRun(doc *manifest.Document) bool {
	group, _, _ := strings.Cut(doc.APIVersion(), "/")
	switch {
	case group == "tekton.dev" || group == "triggers.tekton.dev":
		return true
	case group == "argoproj.io":
		return strings.Contains(doc.Kind(), "Workflow") || doc.Kind() == "Sensor"
	}
	return slices.Contains(cloningKinds, doc.Kind()) && bytes.Contains(doc.Bytes(), []byte(gitClone))
}
