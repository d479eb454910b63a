package gitops

import "github.com/salint/salint/internal/kube/objects"

// ConfigMaps with Argo CD's own settings.
const (
	settingsName   = "argocd-cm"
	parametersName = "argocd-cmd-params-cm"
)

// settings are those of Argo CD that change what its objects mean, as far as the repository holds them. Without, they have
// Argo CD's defaults.
type settings struct {
	// assessesApplications tells that the health of Applications counts, so that a sync waits for those of a wave.
	assessesApplications bool
	// impersonates tells that syncs act as the accounts that projects name.
	impersonates bool
	// exactGlobs has git file generators match * within a folder.
	exactGlobs bool
}

func (r *reader) readSettings() settings {
	var s settings
	for _, o := range r.named[objectName{"", kindConfigMap, settingsName}] {
		s.assessesApplications = s.assessesApplications || assesses(o)
		s.impersonates = s.impersonates || isTrue(o, "application.sync.impersonation.enabled")
	}
	for _, o := range r.named[objectName{"", kindConfigMap, parametersName}] {
		s.exactGlobs = s.exactGlobs || isTrue(o, "applicationsetcontroller.enable.new.git.file.globbing")
	}
	return s
}

// assesses tells whether the settings bring back the health of Applications, under its own key or among all customizations.
func assesses(o *objects.Object) bool {
	data := viewOf(o).get("data")
	return data.get("resource.customizations.health.argoproj.io_Application").string() != "" ||
		containsHealth(data.get("resource.customizations").string())
}

func isTrue(o *objects.Object, key string) bool {
	return viewOf(o).get("data", key).string() == "true"
}
