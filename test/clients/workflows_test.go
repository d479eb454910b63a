package clients

import (
	"path/filepath"
	"testing"
)

const installTools = "run make tools"

// actionlint checks the project's own workflows, and the inputs and outputs in workflows that call the action.
func TestActionlint(t *testing.T) {
	t.Parallel()
	actionlint := client(t, "actionlint", installTools)
	dir := consumer(t)
	copyProject(t, filepath.Join(dir, ".github", "salint"))
	command{t: t, dir: dir, name: actionlint}.succeed()
	command{t: t, dir: projectRoot(t), name: actionlint}.succeed()
}

// action-validator checks the action itself.
func TestActionValidator(t *testing.T) {
	t.Parallel()
	validator := client(t, "action-validator",
		"run npm install --global @action-validator/core @action-validator/cli")
	command{t: t, dir: projectRoot(t), name: validator, args: []string{"action.yml"}}.succeed()
}
