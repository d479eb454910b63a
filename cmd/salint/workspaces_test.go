package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// workspaceCase are the repositories of a workspace, each with files of its last commit and uncommitted ones, and what a command line must and must not print.
type workspaceCase struct {
	name      string
	workspace string
	// committed are the files of each repository, by their paths from the folder that has them all, and edited those after the commit.
	committed, edited map[string]string
	// links are symbolic links, with their targets.
	links map[string]string
	line  string
	want  []string
	not   []string
}

const (
	bothOnReef = "repositories:\n  ships: ships\n  port: port\nclusters:\n  reef: [ships, port]\n"
	twoReefs   = "repositories:\n  ships: ships\n  port: port\nclusters:\n  reef: [ships]\n  atoll: [port]\n"
	masterRole = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: master}\nrules:\n- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}\n"
	clerkRole  = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: master}\nrules:\n- {apiGroups: [''], resources: [pods], verbs: [get]}\n"
	pilotBound = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: pilot}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: master}\nsubjects:\n- {kind: User, apiGroup: rbac.authorization.k8s.io, name: pilot}\n"
)

var workspaceCases = []workspaceCase{
	{
		"a role is widened that another repository binds", bothOnReef,
		map[string]string{"ships/pilot.yaml": pilotBound, "port/role.yaml": clerkRole}, map[string]string{"port/role.yaml": masterRole}, nil, "diff",
		[]string{"the default branch in each of 2 repositories", "User pilot can do more through ClusterRole master in the whole cluster", "ships/pilot.yaml", "[exit code 1]"}, nil,
	},
	{
		"a role is widened that is for another cluster", twoReefs,
		map[string]string{"ships/pilot.yaml": pilotBound, "port/role.yaml": clerkRole}, map[string]string{"port/role.yaml": masterRole}, nil, "diff",
		[]string{"No new RBAC permissions"}, []string{"through ClusterRole master"},
	},
	{
		"nothing has changed", bothOnReef, map[string]string{"ships/pilot.yaml": pilotBound, "port/role.yaml": masterRole}, nil, nil, "diff",
		[]string{"Nothing was compared", "the default branch"}, []string{"gains"},
	},
	{
		"the workspace is not that of the revision", bothOnReef, map[string]string{"ships/pilot.yaml": pilotBound, "port/role.yaml": masterRole}, nil, nil, "diff v1",
		[]string{"v1", "[exit code 2]"}, nil,
	},
	{
		"links out of a repository", bothOnReef,
		map[string]string{"ships/kustomization.yaml": "resources: [pilot.yaml, role.yaml, ../port]\n", "ships/pilot.yaml": pilotBound, "port/role.yaml": clerkRole, "outside/role.yaml": masterRole},
		nil, map[string]string{"ships/role.yaml": "../port/role.yaml", "ships/other.yaml": "../outside/role.yaml"}, "lint --verbose",
		[]string{"ships/role.yaml:1:1: note: not read: the symlink leaves the repository", "ships/other.yaml:1:1: note: not read: the symlink leaves the repository"},
		[]string{"cluster-admin"},
	},
	{
		"files of no repository", "repositories: {ships: ships}\n", map[string]string{"ships/pilot.yaml": pilotBound, "port/role.yaml": masterRole}, nil, nil, "lint --only rbac/*",
		[]string{"rbac/role-not-found"}, []string{"effectively"},
	},
	{
		"a file that git ignores", bothOnReef, map[string]string{"ships/pilot.yaml": pilotBound, "port/.gitignore": "private.yaml\n", "port/role.yaml": clerkRole},
		map[string]string{"port/private.yaml": strings.ReplaceAll(masterRole, "master", "hidden")}, nil, "who-can --become cluster-admin",
		[]string{"no subjects"}, []string{"hidden"},
	},
	{
		"a file of a repository names folders outside", "", map[string]string{"ships/pilot.yaml": pilotBound, "ships/all.yaml": "repositories: {ships: ., home: ../..}\n", "port/role.yaml": masterRole},
		nil, nil, "lint --workspace ships/all.yaml", []string{"is not a repository beside the one of this file", "[exit code 2]"}, []string{"effectively"},
	},
	{
		"a file of a repository names repositories beside it", "", map[string]string{"ships/pilot.yaml": pilotBound, "ships/fleet/all.yaml": "repositories: {ships: .., port: ../../port}\n", "port/role.yaml": masterRole},
		nil, nil, "lint --workspace ships/fleet/all.yaml", []string{"effectively cluster-admin", "[exit code 1]"}, nil,
	},
	{
		"the remotes are addresses", "repositories: {fleet: fleet, port: port}\nclusters: {reef: [fleet]}\n",
		map[string]string{"port/roles/role.yaml": masterRole, "fleet/app.yaml": strings.ReplaceAll(harborApp, "ADDRESS", "git@git.example.com:sea/port.git"), "fleet/pilot.yaml": pilotBound},
		nil, nil, "lint --strict", []string{"effectively cluster-admin", "[exit code 1]"}, []string{"not checked"},
	},
	{
		"an address of no repository", "repositories: {fleet: fleet, port: port}\n",
		map[string]string{"port/roles/role.yaml": masterRole, "fleet/app.yaml": strings.ReplaceAll(harborApp, "ADDRESS", "git@git.example.com:sea/harbor.git")},
		nil, nil, "lint", []string{"1 application of Argo CD or Flux with objects from other repositories"}, []string{"effectively"},
	},
}

const harborApp = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: port, namespace: argocd}\nspec:\n  project: default\n" +
	"  destination: {server: https://kubernetes.default.svc, namespace: port}\n  source: {repoURL: 'ADDRESS', path: roles, targetRevision: HEAD}\n"

func TestWorkspaces(t *testing.T) {
	t.Parallel()
	for _, test := range workspaceCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := disk.Tree(t, map[string]string{"workspace.yaml": test.workspace})
			repositories := map[string]map[string]string{}
			for file, text := range test.committed {
				name, inside, _ := strings.Cut(file, "/")
				if repositories[name] == nil {
					repositories[name] = map[string]string{}
				}
				repositories[name][inside] = text
			}
			for name, files := range repositories {
				root := filepath.Join(dir, name)
				for file, text := range files {
					disk.Put(t, root, file, text)
				}
				disk.Git(t, root, "init", "-q", "-b", "main")
				disk.Git(t, root, "remote", "add", "origin", "https://git.example.com/sea/"+name)
				disk.Git(t, root, "add", "-A")
				disk.Git(t, root, "commit", "-qm", "first")
			}
			for file, target := range test.links {
				disk.Link(t, target, dir, file)
			}
			for file, text := range test.edited {
				disk.Put(t, dir, file, text)
			}
			line := test.line
			if test.workspace != "" {
				line += " --workspace workspace.yaml"
			}
			check(t, runLine(dir, line), test.want, test.not)
		})
	}
}
