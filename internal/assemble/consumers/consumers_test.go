package consumers

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// indexOf reads the consumers in a tree.
func indexOf(tree filestest.Tree) *Index {
	var kustomizations []*objects.Kustomization
	for _, name := range tree.Names() {
		if !objects.IsKustomizationFile(name) {
			continue
		}
		for _, doc := range manifest.Scan(name, []byte(tree[name])).Docs {
			if doc.Parse() == nil {
				if k, err := objects.ReadKustomization(doc); err == nil {
					kustomizations = append(kustomizations, k)
				}
			}
		}
	}
	return New(Sources{
		Texts: tree.Names(), Paths: pathset.Of(tree.Names()), Kustomizations: kustomizations,
		Read: func(file string) []byte { return []byte(tree[file]) },
	})
}

// manifests are the files of each test: FILE and FOLDER in a text stand for sea/tide.yaml and sea.
func manifests() filestest.Tree {
	return filestest.Tree{
		"sea/tide.yaml": "kind: A\n", "sea/other.yaml": "kind: B\n", "land/hill.yaml": "kind: C\n", "land/kustomization.yaml": "resources: [hill.yaml]\n",
		"top/kustomization.yaml": "resources: [../land]\n",
	}
}

// toolsOnFiles are command lines in which ARG is an input, and twins that pass nothing on.
var toolsOnFiles = map[string]struct{ danger, harmless string }{
	"ytt":           {"ytt -f ARG | kubectl apply -f -", "kubectl apply -f ARG"},
	"kapp":          {"kapp deploy -a x -f ARG -y", "kapp inspect -a x"},
	"kbld":          {"kbld -f ARG > out.yaml", "echo kbld -f ARG"},
	"kpt":           {"kpt fn render ARG", "kpt pkg tree ARG"},
	"flux":          {"flux push artifact oci://host/x:1 --path=ARG --source=s --revision=r", "flux diff artifact oci://host/x:1 --path=ARG"},
	"cue":           {"cue export x.cue ARG", "cue vet x.cue ARG"},
	"timoni":        {"timoni build x ARG", "timoni mod vet ARG"},
	"jsonnet":       {"jsonnet --ext-str-file e=ARG x.jsonnet", "jsonnetfmt ARG"},
	"sed":           {"sed -i 's/name: a/name: b/' ARG", "sed -n 's/name: a/name: b/p' ARG"},
	"sed in":        {"sed 's/name: a/name: b/' ARG | kubectl apply -f -", "sed 's/name: a/name: b/' ARG | less"},
	"cat and sed":   {"cat ARG | sed 's/name: a/name: b/' | oc apply -f -", "cat ARG | grep name | less"},
	"sed out":       {"sed 's/name: a/b/' ARG > /tmp/x.yaml && kubectl apply -f /tmp/x.yaml", "sed 's/name: a/b/' ARG > /tmp/x.yaml && kubeconform /tmp/x.yaml"},
	"process":       {"kubectl apply -f <(sed s/a/b/ ARG)", "kubectl diff -f <(cat ARG)"},
	"yq":            {"yq -i '.metadata.name = \"b\"' ARG", "yq '.metadata.name' ARG"},
	"yq piped":      {"yq '.metadata.name = \"b\"' ARG | kubectl apply -f -", "yq '.spec' ARG | kubeconform -"},
	"yq eval":       {"yq eval --inplace '.metadata.name = \"b\"' ARG", "yq eval '.metadata.name' ARG"},
	"yq, piped":     {"yq -i '.spec.image = \"a\" | .metadata.name = \"b\"' ARG", "yq -i '.spec.image = \"a\" | .spec.other.image = \"b\"' ARG"},
	"yq, deleted":   {"yq -i '.images[0].newTag = \"a\" | del(.spec.serviceAccount)' ARG", "yq -i '.images[0].newTag = \"a\" | .images[1].newTag = \"b\"' ARG"},
	"yq, merged":    {"yq -i '.images[0].newTag = \"a\" | . *= load(\"x.yaml\")' ARG", "yq -i '.images[] |= select(.name == \"a\").newTag = \"b\"' ARG"},
	"yq of v3":      {"yq w -i ARG metadata.name b", "yq r ARG metadata.name"},
	"a copy":        {"cp ARG build/x.yaml; sed -i s/a/b/ build/x.yaml; kubectl apply -f build/x.yaml", "cp ARG build/x.yaml; sed -i s/a/b/ build/x.yaml; kubeconform build/x.yaml"},
	"perl":          {"perl -pi -e 's/a/b/' ARG", "perl -ne print ARG"},
	"find":          {"find ARG -name '*.yaml' -exec sed -i s/a/b/ {} +", "find ARG -name '*.yaml' -exec yamllint {} +"},
	"xargs":         {"find ARG -name '*.yaml' | xargs sed -i s/a/b/", "find ARG -name '*.yaml' | xargs kubeconform"},
	"images":        {"sed -i -e 's/image: a/image: b/' -e s/x/y/ ARG", "sed -i 's/image: .*/image: b/' ARG"},
	"two at once":   {"sed -i 's|example.com/app:v1|example.com/app:v2|;s/name: a/name: b/' ARG", "sed -i -e 's|example.com/app:v1|example.com/app:v2|' -e 's/image: a/image: b/' ARG"},
	"references":    {"sed -i 's|example.com/app|example.org/app|' ARG", "sed -i \"s|example.com/app:v[0-9.]*|example.com/app:${COMMIT}|g\" ARG"},
	"all entries":   {"yq -i '.resources = [\"a.yaml\"]' ARG", "yq -i '.resources += [\"a.yaml\"]' ARG"},
	"first entry":   {"yq -i '.resources = [\"a.yaml\"] + .other' ARG", "yq -i '.resources = [\"a.yaml\"] + (.resources // [])' ARG"},
	"a new line":    {"sed -i '/^metadata:$/a\\  name: b' ARG", "sed -i '/^metadata:$/a\\  annotations: {a: b}' ARG"},
	"one entry":     {"yq -i 'del(.spec)' ARG", "yq -i 'del(.resources[] | select(. == \"a\"))' ARG"},
	"rewritten":     {"yq -i '(.spec.serviceAccount) |= sub(\"a\"; \"b\")' ARG", "yq -i '.resources[] |= sub(\"ref=a\"; \"ref=b\")' ARG"},
	"comments":      {"yq -i '.spec = {}' ARG", "yq eval -i '... comments=\"\"' ARG"},
	"account":       {"kubectl create token $(yq .spec.serviceAccount.name ARG)", "kubectl create token $(yq .metadata.name ARG)"},
	"assigned":      {"SA=$(yq .spec.serviceAccount.name ARG)", "V=$(yq .spec.version ARG)"},
	"a field":       {"grep -A1 serviceAccount: ARG | tail -1", "! grep -q serviceAccount: ARG"},
	"jsonpath":      {"kubectl get -f ARG -o 'jsonpath={.spec.serviceAccount.name}' > account", "kubectl get -f ARG -o 'jsonpath={.spec.serviceAccountName}'"},
	"printed":       {"grep serviceAccount: ARG | cut -d: -f2", "grep serviceAccount: ARG"},
	"spruce":        {"spruce merge ARG x.yaml > y.yaml", "spruce diff ARG x.yaml"},
	"KCL":           {"kcl run ARG", "kcl fmt ARG"},
	"vault":         {"argocd-vault-plugin generate ARG", "argocd-vault-plugin version ARG"},
	"an archive":    {"tar -czf x.tgz ARG; flux push artifact oci://host/x:1 --path=x.tgz", "tar -czf x.tgz ARG; flux push artifact oci://host/x:1 --path=y.tgz"},
	"a pushed copy": {"cp -r ARG build; flux push artifact oci://host/x:1 --path=build", "cp -r ARG build; flux push artifact oci://host/x:1 --path=docs"},
	"a script":      {"cat ARG | ./post.sh | kubectl apply -f -", "cat ARG | ./check.sh"},
	"patterns":      {"sed -i 's/\"sea\"//g' ARG", "sed -i 's/\"ARG\"//g' tmp.json"},
}

// forms are the ways in which a text names sea/tide.yaml or sea.
var forms = map[string]struct{ before, arg string }{
	"a file":              {"", "sea/tide.yaml"},
	"with a dot":          {"", "./sea/tide.yaml"},
	"a folder":            {"", "sea"},
	"a folder with slash": {"", "sea/"},
	"a variable":          {"DIR=sea", "$DIR"},
	"part of a path":      {"DIR=sea", "${DIR}/tide.yaml"},
	"a glob":              {"", "sea/*.yaml"},
	"an unknown part":     {"", "sea/$1.yaml"},
	"the checkout":        {"ROOT=$(git rev-parse --show-toplevel)", "$ROOT/sea/tide.yaml"},
	"after cd":            {"cd sea", "tide.yaml"},
	"a default":           {"", "${DIR:-sea}"},
}

// places are the kinds of texts, with the commands in the place of COMMANDS.
var places = map[string]struct {
	file string
	text func(lines []string) string
}{
	"a script": {"hack/run.sh", func(lines []string) string { return "#!/bin/sh\n" + strings.Join(lines, "\n") + "\n" }},
	"make": {"Makefile", func(lines []string) string {
		text := ""
		for i, line := range lines {
			if name, value, is := strings.Cut(line, "="); is && i == 0 && name == strings.ToUpper(name) {
				text += name + " := " + strings.ReplaceAll(value, "$(", "$(shell ") + "\n"
				lines = lines[1:]
			}
		}
		joined := strings.ReplaceAll(strings.Join(lines, " && "), "$1", "$$1")
		joined = strings.NewReplacer("$DIR", "$(DIR)", "$ROOT", "$(ROOT)").Replace(joined)
		return text + "deploy:\n\t" + joined + "\n"
	}},
	"a workflow": {".github/workflows/x.yaml", func(lines []string) string {
		return "jobs:\n  a:\n    steps:\n    - run: |\n        " + strings.Join(lines, "\n        ") + "\n"
	}},
	"GitLab": {".gitlab-ci.yml", func(lines []string) string {
		return "deploy:\n  script:\n  - |\n    " + strings.Join(lines, "\n    ") + "\n"
	}},
	"Tekton": {"ci/deploy.yaml", func(lines []string) string {
		return "apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  steps:\n  - image: tools\n    script: |\n      #!/bin/sh\n      " + strings.Join(lines, "\n      ") + "\n"
	}},
	"Argo Workflows": {"ci/deploy.yaml", func(lines []string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nspec:\n  templates:\n  - script:\n      image: tools\n      command: [sh]\n      source: |\n        " + strings.Join(lines, "\n        ") + "\n"
	}},
	"a program": {"deploy.py", func(lines []string) string { return "os.system('''\n" + strings.Join(lines, " && ") + "\n''')\n" }},
}

// TestCommands crosses programs, places, and forms: with the danger the file is consumed, and with the twin it is not.
func TestCommands(t *testing.T) {
	t.Parallel()
	for tool, command := range toolsOnFiles {
		for place, where := range places {
			for form, named := range forms {
				isFile := strings.Contains(named.arg, ".yaml")
				if !isFile && (slices.Contains([]string{"account", "assigned", "a field", "printed", "jsonpath"}, tool) || strings.HasPrefix(tool, "sed") || tool == "patterns") || isFile && (tool == "find" || tool == "xargs") {
					continue // sed takes no folder, and find is for one
				}
				for _, isDanger := range []bool{true, false} {
					line := command.harmless
					if isDanger {
						line = command.danger
					}
					lines := []string{strings.ReplaceAll(line, "ARG", named.arg)}
					if named.before != "" {
						lines = append([]string{named.before}, lines...)
					}
					tree := manifests()
					tree[where.file] = where.text(lines)
					c, found := indexOf(tree).Of("sea/tide.yaml")
					if found != isDanger {
						t.Errorf("%s in %s as %s: found %v (%v), want %v, in\n%s", tool, place, form, found, c, isDanger, tree[where.file])
					}
					if other, found := indexOf(tree).Of("land/hill.yaml"); found {
						t.Errorf("%s in %s as %s: land/hill.yaml is consumed: %v", tool, place, form, other)
					}
				}
			}
		}
	}
}

// TestSettings checks the settings of programs, the calls of languages, and the objects of controllers, each with a harmless twin.
func TestSettings(t *testing.T) {
	t.Parallel()
	object := func(apiVersion, kind, rest string) string {
		return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: x}\n%s", apiVersion, kind, rest)
	}
	for name, test := range map[string]struct{ file, danger, harmless string }{
		"Skaffold":          {"skaffold.yaml", "manifests: {rawYaml: [sea/*.yaml]}\n", "manifests: {rawYaml: [land/*.yml]}\n"},
		"Skaffold profile":  {"skaffold.yaml", "profiles:\n- manifests: {rawYaml: [sea/tide.yaml]}\n", "build: {artifacts: [{image: sea}]}\n"},
		"DevSpace":          {"devspace.yaml", "deployments:\n  x: {kubectl: {manifests: [sea/]}}\n", "images: {x: {context: sea/}}\n"},
		"Tilt":              {"Tiltfile", "k8s_yaml(['sea/other.yaml', 'sea/tide.yaml'])\n", "# k8s_yaml('sea/tide.yaml')\ndocker_build('x', 'sea')\n"},
		"Tilt local":        {"Tiltfile", "k8s_yaml(local('cat sea/*.yaml | sed s/a/b/'))\n", "local('cat sea/*.yaml | grep a')\nk8s_yaml('land')\n"},
		"Tilt reads":        {"Tiltfile", "objects = read_yaml_stream('sea/tide.yaml')\n", "watch_file('sea/tide.yaml')\n"},
		"Terraform":         {"infra/main.tf", "manifest = yamldecode(file(\"${path.module}/../sea/tide.yaml\"))\n", "# yamldecode(file(\"../sea/tide.yaml\"))\nyaml_body = file(\"${path.module}/../sea/tide.yaml\")\n"},
		"Terraform fileset": {"main.tf", "for_each = fileset(path.module, \"sea/*.yaml\")\n", "for_each = fileset(path.module, \"land/*.yml\")\n"},
		"Ansible":           {"roles/x/tasks/main.yml", "- kubernetes.core.k8s:\n    definition: \"{{ lookup('file', 'sea/tide.yaml') | from_yaml }}\"\n", "- debug: {msg: sea/tide.yaml}\n"},
		"Ansible src":       {"playbook.yml", "- hosts: all\n  tasks:\n  - kubernetes.core.k8s: {src: sea/tide.yaml}\n", "- hosts: all\n  tasks:\n  - name: sea/tide.yaml\n    ping:\n"},
		"Jsonnet":           {"main.jsonnet", "std.parseYaml(importstr 'sea/tide.yaml')\n", "// importstr 'sea/tide.yaml'\n{name: 'sea/tide.yaml'}\n"},
		"CUE":               {"x.cue", "_f: string @embed(file=sea/tide.yaml,type=text)\n", "// @embed(file=sea/tide.yaml)\nname: \"sea\"\n"},
		"kpt":               {"sea/Kptfile", "kind: Kptfile\npipeline: {mutators: [{image: x}]}\n", "kind: Kptfile\ninfo: {description: x}\n"},
		"kapp":              {"sea/kapp.yaml", "apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\nrebaseRules: [{path: [spec]}]\n", "apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\nminimumRequiredVersion: 0.1.0\n"},
		"an include":        {"flux.yaml", object("source.toolkit.fluxcd.io/v1", "GitRepository", "spec: {url: u, include: [{repository: {name: flux-system}, fromPath: sea}]}\n"), object("source.toolkit.fluxcd.io/v1", "GitRepository", "spec: {url: u}\n")},
		"a generator":       {"flux.yaml", object("source.extensions.fluxcd.io/v1beta1", "ArtifactGenerator", "spec:\n  sources: [{alias: r, kind: GitRepository, name: flux-system}]\n  artifacts: [{copy: [{from: '@r/sea/**', to: '@artifact/'}]}]\n"), object("source.extensions.fluxcd.io/v1beta1", "ArtifactGenerator", "spec:\n  sources: [{alias: r, kind: Bucket, name: x}]\n  artifacts: [{copy: [{from: '@r/sea/**', to: '@artifact/'}]}]\n")},
		"kapp-controller":   {"app.yaml", object("kappctrl.k14s.io/v1alpha1", "App", "spec: {fetch: [{git: {url: u, subPath: sea}}], template: [{ytt: {}}]}\n"), object("kappctrl.k14s.io/v1alpha1", "App", "spec: {fetch: [{http: {url: sea}}]}\n")},
		"a subscription":    {"acm.yaml", "apiVersion: apps.open-cluster-management.io/v1\nkind: Subscription\nmetadata:\n  name: x\n  annotations: {apps.open-cluster-management.io/git-path: sea}\n", "apiVersion: apps.open-cluster-management.io/v1\nkind: Subscription\nmetadata:\n  name: x\n  annotations: {note: sea}\n"},
		"a template":        {"pgt.yaml", object("ran.openshift.io/v1", "PolicyGenTemplate", "spec: {sourceFiles: [{fileName: sea/tide.yaml}]}\n"), object("ran.openshift.io/v1", "PolicyGenTemplate", "spec: {sourceFiles: [{fileName: land.yaml}]}\n")},
		"a marker":          {"sea/tide.yaml", "# Code generated by x. DO NOT EDIT.\nkind: A\n", "# Apply this before the others.\nkind: A\n"},
		"helm template":     {"sea/tide.yaml", "---\n# Source: x/templates/a.yaml\nkind: A\n", "kind: A\n# Source: x/templates/a.yaml\n"},
		"a remote base":     {"over/kustomization.yaml", "resources: ['https://git.example.com/x.git//sea?ref=v1']\n", "resources: ['https://git.example.com/x.git//rock?ref=v1']\n"},
		"a parameter":       {"ci/task.yaml", object("tekton.dev/v1", "Task", "spec:\n  params: [{name: from-dir, default: sea}]\n  steps: [{script: ytt -f $(params.from-dir) | kapp deploy -f -}]\n"), object("tekton.dev/v1", "Task", "spec:\n  params: [{name: from-dir, default: sea}]\n  steps: [{script: echo ytt -f $(params.from-dir)}]\n")},
		"a workspace":       {"ci/task.yaml", object("tekton.dev/v1", "Task", "spec:\n  steps: [{workingDir: $(workspaces.source.path)/sea, script: sed -i s/a/b/ tide.yaml}]\n"), object("tekton.dev/v1", "Task", "spec:\n  steps: [{workingDir: $(workspaces.source.path)/land, script: sed -i s/a/b/ tide.yaml}]\n")},
		"its path":          {"ci/task.yaml", object("tekton.dev/v1", "PipelineRun", "spec: {pipelineSpec: {tasks: [{taskSpec: {steps: [{script: 'yq -i .a=1 $(workspaces.source.path)/sea/tide.yaml'}]}}]}}\n"), object("tekton.dev/v1", "PipelineRun", "spec: {pipelineSpec: {tasks: [{taskSpec: {steps: [{script: 'yq .a $(workspaces.source.path)/sea/tide.yaml'}]}}]}}\n")},
		"arguments":         {"ci/task.yaml", object("tekton.dev/v1", "Task", "spec: {steps: [{image: x, command: [ytt], args: [-f, sea]}]}\n"), object("tekton.dev/v1", "Task", "spec: {steps: [{image: x, command: [kubectl], args: [apply, -f, sea]}]}\n")},
		"an old workspace":  {"ci/task.yaml", object("tekton.dev/v1beta1", "Task", "spec: {steps: [{script: ytt -f /workspace/source/sea}]}\n"), object("tekton.dev/v1beta1", "Task", "spec: {steps: [{script: ytt -f /etc/sea}]}\n")},
		"a workflow":        {"ci/flow.yaml", object("argoproj.io/v1alpha1", "Workflow", "spec:\n  arguments: {parameters: [{name: dir, value: sea}]}\n  templates: [{container: {image: x, command: [sh, -c], args: ['ytt -f {{workflow.parameters.dir}}']}}]\n"), object("argoproj.io/v1alpha1", "Workflow", "spec:\n  arguments: {parameters: [{name: dir, value: land}]}\n  templates: [{container: {image: x, command: [sh, -c], args: ['ytt -f {{workflow.parameters.dir}}']}}]\n")},
		"an artifact":       {"ci/flow.yaml", object("argoproj.io/v1alpha1", "CronWorkflow", "spec:\n  workflowSpec:\n    templates:\n    - inputs:\n        artifacts:\n        - name: src\n          path: /src\n          git: {repo: r}\n      script: {image: x, source: ytt -f /src/sea}\n"), object("argoproj.io/v1alpha1", "CronWorkflow", "spec:\n  workflowSpec:\n    templates:\n    - inputs:\n        artifacts:\n        - name: src\n          path: /src\n          git: {repo: r}\n      script: {image: x, source: ytt -f /other/sea}\n")},
		"a job":             {"ci/job.yaml", object("batch/v1", "Job", "spec: {template: {spec: {containers: [{image: x, command: [sh, -c], args: ['git clone r . && ytt -f sea']}]}}}\n"), object("batch/v1", "Job", "spec: {template: {spec: {containers: [{image: x, command: [sh, -c], args: ['ytt -f sea']}]}}}\n")},
		"Bazel":             {"sea/BUILD.bazel", "k8s_object(\n    name = \"a\",\n    template = \":tide.yaml\",\n)\n", "filegroup(\n    name = \"a\",\n    srcs = [\"tide.yaml\"],\n)\n"},
		"Bazel glob":        {"BUILD", "k8s_deploy(\n    name = \"a\",\n    manifests = glob([\"sea/*.yaml\"]),\n)\n", "k8s_manifest_test(\n    name = \"a\",\n    manifests = glob([\"sea/*.yaml\"]),\n)\n"},
		"Bazel group":       {"BUILD", "filegroup(\n    name = \"all\",\n    srcs = glob([\"sea/*.yaml\"]),\n)\n\nkubectl_apply(name = \"a\", srcs = [\"//:all\"])\n", "filegroup(\n    name = \"other\",\n    srcs = glob([\"sea/*.yaml\"]),\n)\n\nkubectl_apply(name = \"a\", srcs = [\"@x//:all\"])\n"},
		"documentation":     {"run.sh", "ytt -f sea\n", "cat <<EOF\nytt -f sea\nEOF\n"},
	} {
		for _, isDanger := range []bool{true, false} {
			tree := manifests()
			tree[test.file] = test.harmless
			if isDanger {
				tree[test.file] = test.danger
			}
			if c, found := indexOf(tree).Of("sea/tide.yaml"); found != isDanger {
				t.Errorf("%s: found %v (%v), want %v", name, found, c, isDanger)
			}
		}
	}
}

// TestProjects checks programs that need another file beside them.
func TestProjects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files filestest.Tree
		want  string
	}{
		"Pulumi":             {filestest.Tree{"Pulumi.yaml": "name: x\n", "main.py": "k8s.yaml.ConfigFile('x', 'sea/tide.yaml')\n"}, "main.py:1 passes sea/tide.yaml to Pulumi, which salint does not build"},
		"Pulumi in YAML":     {filestest.Tree{"Pulumi.yaml": "name: x\nresources:\n  x: {type: 'kubernetes:yaml:ConfigFile', properties: {file: sea/tide.yaml}}\n"}, "Pulumi.yaml:3 passes sea/tide.yaml to Pulumi, which salint does not build"},
		"an account":         {filestest.Tree{"main.py": "yaml.safe_load(open('sea/tide.yaml'))['spec']['serviceAccount']['name']\n"}, "main.py:1 reads the account of sea/tide.yaml with main.py"},
		"a version":          {filestest.Tree{"main.py": "yaml.safe_load(open('sea/tide.yaml'))['spec']['version']\n"}, ""},
		"no Pulumi":          {filestest.Tree{"main.py": "k8s.yaml.ConfigFile('x', 'sea/tide.yaml')\n"}, ""},
		"cdk8s writes":       {filestest.Tree{"cdk8s.yaml": "app: node main.js\noutput: sea\n"}, "cdk8s.yaml:2 writes sea with cdk8s"},
		"cdk8s elsewhere":    {filestest.Tree{"cdk8s.yaml": "app: node main.js\n"}, ""},
		"a bucket":           {filestest.Tree{"b.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: Bucket\n", "run.sh": "aws s3 sync ./sea s3://b\n"}, "run.sh:1 passes sea to aws, which salint does not build"},
		"no bucket":          {filestest.Tree{"run.sh": "aws s3 sync ./sea s3://b\n"}, ""},
		"werf":               {filestest.Tree{"werf.yaml": "project: x\nconfigVersion: 1\ndeploy: {helmChartDir: sea}\n"}, "werf.yaml:3 passes sea to werf, which salint does not build"},
		"a build":            {filestest.Tree{"run.sh": "kustomize build top > sea/tide.yaml\n"}, "run.sh:1 writes sea/tide.yaml with kustomize"},
		"documentation only": {filestest.Tree{"README.md": "    ytt -f sea | kapp deploy\n"}, ""},
	} {
		tree := manifests()
		for file, text := range test.files {
			tree[file] = text
		}
		got := ""
		if c, found := indexOf(tree).Of("sea/tide.yaml"); found {
			got = c.String()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestKustomizations checks that a change of a kustomization concerns all files that it reads.
func TestKustomizations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"cd top\nkustomize edit set nameprefix pr-\n":                            true,
		"(cd top && kustomize edit add patch --path x.yaml)\n":                   true,
		"cd top\nkustomize edit set image a=b\n":                                 false,
		"cd sea\nkustomize edit set nameprefix pr-\n":                            false,
		"kustomize build top | sed 's/name: a/b/' | kubectl apply -f -\n":        true,
		"kustomize build top | kubectl apply -f -\n":                             false,
		"kustomize build top | sed 's/image: a/image: b/' | oc apply -f -":       false,
		"kustomize build top | grep name | less\n":                               false,
		"yq -i '.namePrefix = \"pr-\"' top/kustomization.yaml\n":                 true,
		"kustomize build top | sed s/a/b/ | $(CLI) apply -f -\n":                 true,
		"kustomize build top | sed s/a/b/ | kubectl apply --dry-run=server -f -": false,
		"kubectl kustomize top | yq '.metadata.name = 1' | oc apply -f -":        true,
	} {
		tree := manifests()
		tree["run.sh"] = text
		var found []string
		for _, file := range []string{"top/kustomization.yaml", "land/kustomization.yaml", "land/hill.yaml"} {
			if _, is := indexOf(tree).Of(file); is {
				found = append(found, path.Base(file))
			}
		}
		if (len(found) == 3) != want || len(found) > 0 && !want {
			t.Errorf("%q: found %q", text, found)
		}
	}
	if tree := manifests(); slices.ContainsFunc(tree.Names(), func(file string) bool { _, is := indexOf(tree).Of(file); return is }) {
		t.Error("manifests without programs are consumed")
	}
}
