package engine

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
)

// Lookups are the questions about the repository that a lint run answers.
type Lookups interface {
	// Target returns the target of an object in a unit. The unit of plain files can hold several clusters.
	Target(u *objects.Unit, o *objects.Object) olm.Target
	// References finds names as words in the files of the repository. The error is a *Refusal if files were not read.
	References(names []string) (map[string][]uses.Place, error)
	// GroupReferences is References with names of API groups, if only the objects of these groups are needed: it can leave out all
	// other places, and takes less time.
	GroupReferences(names []string) (map[string][]uses.Place, error)
	// Unread finds a file that was not read, or could not be read, and that may contain one of the words. It returns the
	// place and the reason, or "".
	Unread(words []string) (place, why string)
	// GrantedElsewhere returns the first place outside of the manifests that are read that can bind a role to an account, such as a
	// command of a script; "" if there is none.
	GrantedElsewhere(account objects.Account) (place string, err error)
	// Violations reports for each of the inputs, which are JSON, whether it violates a template of Gatekeeper. The error says why that is not known.
	Violations(template admission.Template, inputs []string) ([]bool, error)
	// WriteProtected returns why a file must not be changed, for example because others may apply it too; "" if it can be
	// changed.
	WriteProtected(file string) (why string)
	// BundleNeeds returns what the bundle of an extension needs of an identity that installs it in a unit. The error is a
	// *Refusal if that is not known.
	BundleNeeds(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (BundleNeeds, error)
	// Rebuild assembles all units again, with other contents for some files; nil stands for no file. Parsed has files with these
	// contents of which documents are already parsed, so that they are parsed once; it can lack any file. Units that read one of
	// these files contain everything that they apply. Those for which also holds are built even if they apply their files
	// as written; also may be nil.
	Rebuild(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error)
	// Beside returns the other units that may grant something to a subject and that are on every cluster to which a unit is
	// applied.
	Beside(u *objects.Unit, subject rbac.Subject) []*objects.Unit
	// RulesBeside returns the rules of a role that another unit applies which is on every cluster of a unit; known is false if none
	// does, or if not all of the rules are known.
	RulesBeside(u *objects.Unit, role rbac.RoleRef) (rules []rbacv1.PolicyRule, known bool)
	// Apart reports whether no cluster gets two units.
	Apart(u, other *objects.Unit) bool
	// Unrenderable returns where and why a file may be applied in a form that salint cannot render; "" if it is not.
	Unrenderable(file string) (place, why string)
	// Excluded returns what keeps a new file from being applied, and its effect; "" if nothing does.
	Excluded(file string) (place, why string)
	// AppliedByName returns a text that names a file or folder, such as a Makefile that applies it, or a symbolic link that leads
	// to it.
	AppliedByName(target string) (uses.FileReference, bool)
	// Consumer returns a program that builds, applies, or writes a file and that salint does not build.
	Consumer(file string) (consumers.Consumer, bool)
	// HelmRuns returns the commands that render the chart in a folder with further values.
	HelmRuns(chart string) []consumers.HelmRun
	// FilesIn returns the manifests of a folder, without those of the folders in it.
	FilesIn(dir string) []string
}

// BundleNeeds is what the installation of a bundle needs.
type BundleNeeds struct {
	// Bundle is the folder of the bundle. Version is the version in the bundle's metadata, or "".
	Bundle, Version string
	// All are all permissions that are needed; Missing are those that the identity does not have.
	All, Missing []preflight.Scoped
}
