package fixers

import (
	"slices"
	"strings"
)

// Names of the fixes, as rules ask for them.
const (
	RemoveServiceAccount  = "remove-service-account"
	AddServiceAccount     = "add-service-account"
	BindSyntheticIdentity = "bind-synthetic-identity"
	CorrectSubject        = "correct-subject"
	PruneBinding          = "prune-binding"
	PruneInstaller        = "prune-installer"
	GrantFinalizers       = "grant-finalizers"
	GrantBundle           = "grant-bundle"
	ReplaceClusterAdmin   = "replace-cluster-admin"
	AlignApplyOrder       = "align-apply-order"
	RenameAccountAlias    = "rename-account-alias"
	DropAccountAlias      = "drop-account-alias"
	ProjectToken          = "project-token"
	CompleteSubject       = "complete-subject"
	UnmountToken          = "unmount-token"
	SetTokenExpiry        = "set-token-expiry"
)

// fixer works out a plan for one request. The error is a *Refusal, or a file that could not be read.
type fixer func(*Context, Request) (*Plan, error)

var fixers = map[string]fixer{
	RemoveServiceAccount:  removeServiceAccount,
	AddServiceAccount:     addServiceAccount,
	BindSyntheticIdentity: bindSyntheticIdentity,
	CorrectSubject:        correctSubject,
	PruneBinding:          pruneBinding,
	PruneInstaller:        pruneInstaller,
	GrantFinalizers:       grantFinalizers,
	GrantBundle:           grantBundle,
	ReplaceClusterAdmin:   replaceClusterAdmin,
	AlignApplyOrder:       alignApplyOrder,
	RenameAccountAlias:    renameAccountAlias,
	DropAccountAlias:      dropAccountAlias,
	ProjectToken:          projectToken,
	CompleteSubject:       completeSubject,
	UnmountToken:          unmountToken,
	SetTokenExpiry:        setTokenExpiry,
}

// NeedsTarget tells whether what a fix does depends on the release of OLM. What becomes of pods, tokens and subjects is the
// same on all of them.
func NeedsTarget(fixer string) bool {
	switch fixer {
	case RenameAccountAlias, DropAccountAlias, ProjectToken, CompleteSubject, UnmountToken, SetTokenExpiry:
		return false
	}
	return true
}

// Names lists the fixes, sorted.
func Names() []string {
	var names []string
	for name := range fixers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Fix works out how a finding is mended. The error is a *Refusal when it is not. The plan was tried on the bytes of its
// own files, but it is not proven: see package verify.
func Fix(c *Context, r Request) (*Plan, error) {
	fix, known := fixers[r.Fixer]
	if !known {
		return nil, refuse("there is no fix %q; known are %s", r.Fixer, strings.Join(Names(), ", "))
	}
	if !r.Object.InFile() {
		fix = fixTemplate
	}
	plan, err := fix(c, r)
	if err != nil {
		return nil, err
	}
	plan.Fixer, plan.Object = r.Fixer, r.Object
	if plan.Kind == "" {
		plan.Kind = r.Kind
	}
	return plan, c.tryEdits(plan)
}
