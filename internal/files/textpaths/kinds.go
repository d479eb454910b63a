package textpaths

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// IsText reports whether a file may apply others by their names. Any text may, whatever its name: a program without an extension, a
// template, or the settings of a tool. Manifests, the files of dependencies, and lists of files for other purposes do not.
func IsText(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch {
	case isManifest(base):
		return isPipeline(file, base)
	case isForeign(file):
		return false
	}
	return !isChronicle(base) && !slices.ContainsFunc(lists, func(end string) bool { return strings.HasSuffix(base, end) })
}

// IsScript reports whether a file may contain manifests in texts, such as heredocs, that it applies: a build file, a script, a Terraform
// module, a template of a manifest, a configuration language, or a file without an extension. Documentation and the sources of programs are none, because their manifests are examples.
func IsScript(file string) bool {
	base := strings.ToLower(path.Base(file))
	ext := path.Ext(base)
	switch {
	case isManifest(base), isForeign(file), isChronicle(base):
		return false
	case ext == "":
		return true
	}
	return slices.Contains(buildFiles, strings.TrimSuffix(base, ext)) || slices.Contains(scripts, ext)
}

// MayHoldToken reports whether a text that is no script may hold a token of an account. Generators and charts read such files.
func MayHoldToken(file string) bool {
	base := strings.ToLower(path.Base(file))
	return slices.Contains(tokenFiles, path.Ext(base)) && !isForeign(file) && !isChronicle(base)
}

// tokenFiles are the extensions of texts that can hold a token, and no manifest.
var tokenFiles = []string{".txt", ".token", ".jwt", ".properties", ".ini"}

// buildFiles are the names of build files without their extension.
var buildFiles = []string{
	"makefile", "gnumakefile", "justfile", "jenkinsfile", "tiltfile", "earthfile", "dockerfile", "containerfile", "vagrantfile", "rakefile",
}

// scripts are the extensions of texts that can contain manifests which they apply.
var scripts = []string{
	".mk", ".just", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".py", ".rb", ".pl", ".groovy", ".star", ".nix", ".bu",
	".tf", ".tofu", ".tfvars", ".hcl", ".tftpl", ".tpl", ".gotmpl", ".toml", ".service",
	".tmpl", ".template", ".in", ".j2", ".jinja", ".jinja2", ".erb", ".mustache", ".ejs", // *.yaml.j2 and so on
	".jsonnet", ".libsonnet", ".cue", ".dhall", ".pkl", ".k",
	".env", ".conf", ".kubeconfig", // they can hold tokens
}

// isForeign reports whether a file belongs to a dependency.
func isForeign(file string) bool {
	folders := strings.Split(path.Dir(file), "/")
	return slices.Contains(folders, "node_modules") || slices.Contains(folders, "vendor")
}

// documents are the extensions of documentation, and the names of documentation without an extension.
var documents = []string{".md", ".mdx", ".markdown", ".adoc", ".asciidoc", ".rst", ".txt", ".org", ".html", ".htm", "readme", "contributing", "install"}

// lists are the ends of the names of files that list others for git, linters and build caches, or record changes of them.
var lists = []string{"ignore", ".gitattributes", ".gitmodules", ".yamllint", ".baseline", ".lock", ".sum", ".diff", ".patch", ".log", ".svg", ".css", ".csv", ".map"}

// chronicles describe what was, and apply nothing.
var chronicles = []string{"changelog", "changes", "history", "releases", "license", "notice", "codeowners"}

func isChronicle(base string) bool {
	return slices.Contains(chronicles, strings.TrimSuffix(base, path.Ext(base)))
}

// IsDocument reports whether a file is documentation: it describes others, and applies none.
func IsDocument(file string) bool {
	base := strings.ToLower(path.Base(file))
	return slices.Contains(documents, cmp.Or(path.Ext(base), base))
}

// hasCommand reports whether a line of documentation contains a command that reads files.
func hasCommand(line string) bool {
	return slices.ContainsFunc([]string{"apply", "create", "replace", "delete", "kubectl", "oc ", "kustomize", "helm "}, func(word string) bool {
		return strings.Contains(line, word)
	})
}

// pipelineFolders are folders whose YAML files are pipelines, workflows and playbooks, not manifests.
var pipelineFolders = []string{".github", ".gitlab", ".circleci", ".azure", ".azuredevops", ".woodpecker", ".buildkite", "playbooks", "tasks", "handlers"}

// pipelineNames are the beginnings of the names of YAML and JSON files that name files to apply.
var pipelineNames = []string{
	".gitlab-ci", ".drone", ".woodpecker", ".cirrus", ".travis", "azure-pipelines", "bitbucket-pipelines", "buildspec", "cloudbuild",
	"taskfile", "skaffold", "helmfile", "fleet", "devspace", "garden", "docker-compose", "compose", "package.json", "k3d", "k0sctl",
	"playbook", "okteto",
}

// isPipeline reports whether a YAML or JSON file is no manifest, and may name manifests.
func isPipeline(file, base string) bool {
	if slices.ContainsFunc(pipelineNames, func(name string) bool { return strings.HasPrefix(base, name) }) {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(folder string) bool { return slices.Contains(pipelineFolders, folder) })
}

// ofTests are folders for data of tests. `test` is none of them: it is also the name of an environment.
var ofTests = []string{"testdata", "test-data", "tests", "__tests__", "fixtures"}

// IsOfTests reports whether a file is in a folder for data of tests. rego/lib/place.rego has the same folders.
func IsOfTests(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(folder string) bool { return slices.Contains(ofTests, folder) })
}
