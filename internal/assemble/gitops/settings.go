package gitops

import (
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// The ConfigMaps with Argo CD's settings.
const (
	settingsName   = "argocd-cm"
	parametersName = "argocd-cmd-params-cm"
)

// settings are Argo CD's settings that change how its objects are interpreted, as far as they are in the repository. The
// zero value is Argo CD's defaults.
type settings struct {
	// assessesApplications is set if the health of Applications counts, so that a sync waits for those of a wave.
	assessesApplications bool
	// impersonates is set if syncs act as the accounts in projects, and impersonatesAlways if they do so in every Argo CD whose
	// settings are in the repository. refusesNone is set if syncs without such an account act as Argo CD, and inherits if projects
	// can have the accounts of global projects.
	impersonates, impersonatesAlways, refusesNone, inherits bool
	// exactGlobs is set if * does not match slashes in git file generators.
	exactGlobs bool
	// maps are the ConfigMaps argocd-cm, and instances the objects from which an operator makes them.
	maps, instances []*objects.Object
	// ignored are the fields whose differences are ignored.
	ignored []ignoredFields
}

func (r *reader) readSettings() settings {
	var s settings
	all := r.named[objectName{"", kindConfigMap, settingsName}]
	s.maps, s.impersonatesAlways = all, len(all) > 0
	for _, o := range all {
		data, impersonates := view.Of(o).Get("data"), isTrue(o, "application.sync.impersonation.enabled")
		s.assessesApplications = s.assessesApplications || assesses(o)
		s.impersonates, s.impersonatesAlways = s.impersonates || impersonates, s.impersonatesAlways && impersonates
		s.refusesNone = s.refusesNone || data.Get("application.sync.impersonation.enforced").String() == "false"
		s.ignored = append(s.ignored, ignoredInSettings(o)...)
		s.inherits = s.inherits || data.Get("globalProjects").There()
	}
	for _, o := range r.named[objectName{"", kindConfigMap, parametersName}] {
		s.exactGlobs = s.exactGlobs || isTrue(o, "applicationsetcontroller.enable.new.git.file.globbing")
	}
	return s
}

// assesses reports whether the settings enable the health of Applications, under its own key or in resource.customizations.
func assesses(o *objects.Object) bool {
	data := view.Of(o).Get("data")
	return data.Get("resource.customizations.health.argoproj.io_Application").String() != "" ||
		containsHealth(data.Get("resource.customizations").String())
}

func isTrue(o *objects.Object, key string) bool {
	return view.Of(o).Get("data", key).String() == "true"
}

// AssessesApplications reports whether the health of Applications counts, so that a sync waits for those of a wave.
func (r *Result) AssessesApplications() bool { return r.settings.assessesApplications }
