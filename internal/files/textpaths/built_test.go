package textpaths

import (
	"slices"
	"testing"
)

func TestBuilt(t *testing.T) {
	folders := []string{"base", "edge", "app/base", "app/overlays/dev", "app/overlays/prod", "config/default"}
	tests := map[string]struct {
		file, text string
		want       []string
	}{
		"apply":                  {"Makefile", "\tkubectl apply -k base\n", []string{"base"}},
		"apply with other flags": {"run.sh", "oc apply --server-side -n x --kustomize=./base/ --wait\n", []string{"base"}},
		"a build":                {"Makefile", "\t$(KUSTOMIZE) build config/default | kubectl apply -f -\n", []string{"config/default"}},
		"a build with a flag":    {"run.sh", "kustomize build --load-restrictor LoadRestrictionsNone app/base >out\n", []string{"app/base"}},
		"kubectl kustomize":      {"run.sh", "kubectl kustomize base | kubectl apply -f -\n", []string{"base"}},
		"a continued line":       {"README.md", "    kubectl apply \\\n      -k base\n", []string{"base"}},
		"a list of arguments":    {"deploy.py", "run([\"kubectl\", \"apply\", \"-k\", \"base\"])\n", []string{"base"}},
		"beside the text":        {"app/Makefile", "\tkubectl apply -k base\n", []string{"app/base"}},
		"after cd":               {"run.sh", "cd app\nkubectl apply -k overlays/dev\n", []string{"app/overlays/dev"}},
		"a pattern":              {"run.sh", "kubectl apply -k app/overlays/$ENV\n", []string{"app/overlays/dev", "app/overlays/prod"}},
		"a placeholder":          {"README.md", "oc apply -k app/overlays/<env>\n", []string{"app/overlays/dev", "app/overlays/prod"}},
		"a URL":                  {"README.md", "oc apply -k https://github.com/org/repo//app/overlays/dev?ref=main\n", []string{"app/overlays/dev"}},
		"a loop":                 {"run.sh", "for d in base edge; do kubectl apply -k $d; done\n", []string{"base", "edge"}},
		"a root and a path":      {"run.sh", "kubectl apply -k \"${ROOT}/app/base\"\n", []string{"app/base"}},
		"Terraform":              {"main.tf", "data \"kustomization_build\" \"x\" {\n  path = \"${path.module}/base\"\n}\n", []string{"base", "app/base"}},
		"Fleet":                  {"app/fleet.yaml", "kustomize: {dir: ./overlays/dev}\n", []string{"app/overlays/dev"}},
		"ResourceSet":            {"flux/set.yaml", "inputs: [{p: edge}]\nkind: Kustomization # kustomize.toolkit.fluxcd.io\nspec: {path: \"./<< inputs.p >>\", prune: true}\n", []string{"edge"}},
		"the current folder":     {"run.sh", "(cd base && kubectl apply -k .)\n", []string{"base"}},
		"a build without folder": {"run.sh", "pushd app/overlays/dev\nkustomize build | kubectl apply -f -\n", []string{"app/overlays/dev"}},
		"a build at the end":     {"run.sh", "cd edge; kustomize build", []string{"edge"}},
		"a folder of a step":     {"Taskfile.yml", "tasks:\n  d:\n    dir: edge\n    cmds: [\"kubectl apply -k ./\"]\n", []string{"edge"}},
		"the folder of the text": {"run.sh", "# edge\ncd \"$(dirname \"$0\")\"\nkubectl apply -k .\n", nil},
		"another current folder": {"Makefile", "\tcd edge && kustomize edit set image a=b\n\tkustomize build config/default\n", []string{"config/default"}},
		"skaffold":               {"skaffold.yaml", "manifests:\n  kustomize:\n    paths: [\"base\", edge]\n", []string{"base", "edge"}},
		"skaffold's lists":       {"skaffold.yaml", "manifests:\n  kustomize:\n    paths:\n    - base\n    - app/overlays/dev\n", []string{"base", "app/overlays/dev"}},
		"Tilt":                   {"Tiltfile", "k8s_yaml(kustomize('./base'))\n", []string{"base"}},
		"a setting of an action": {".github/workflows/x.yaml", "  with:\n    kustomizationPath: ./base\n", []string{"base"}},
		"a lookup of Ansible":    {"playbook.yml", "definition: \"{{ lookup('kubernetes.core.kustomize', dir='base') }}\"\n", []string{"base"}},
		"an artifact of Flux":    {"run.sh", "flux push artifact oci://x/y --path=./base --source=x\n", []string{"base"}},
		"a command of Flux":      {"run.sh", "flux create kustomization x --path=\"./base\"\n", []string{"base"}},
		"a command of Argo CD":   {"run.sh", "argocd app create x \\\n  --path base\n", []string{"base"}},
		"prose":                  {"README.md", "The folder base contains a kustomization, edge applies it.\n", nil},
		"insecure curl":          {"run.sh", "curl -k base && kubectl apply -f edge\n", nil},
		"another program":        {"run.sh", "grep -k base\n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := &Built{IsFolder: func(dir string) bool { return slices.Contains(folders, dir) }}
			b.Add(test.file, []byte(test.text))
			var got []string
			for _, dir := range folders {
				if b.Has(dir) {
					got = append(got, dir)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q in %s builds %q, want %q", test.text, test.file, got, test.want)
			}
		})
	}
}

// TestBuiltFiles checks the paths that commands apply without kustomize.
func TestBuiltFiles(t *testing.T) {
	paths := []string{"vendor/x", "vendor/x/a.yaml", "vendor/y", "app/vendor/z"}
	tests := map[string]struct {
		file, text string
		want       []string
	}{
		"a file":              {"run.sh", "kubectl apply --server-side -f vendor/x/a.yaml\n", []string{"vendor/x/a.yaml"}},
		"a folder":            {"Makefile", "\toc apply -Rf ./vendor/x/ -n ops\n", []string{"vendor/x"}},
		"several":             {".github/workflows/x.yaml", "- run: kubectl create -f vendor/x --filename=vendor/y\n", []string{"vendor/x", "vendor/y"}},
		"kustomize":           {"run.sh", "kubectl apply -k vendor/y\n", []string{"vendor/y"}},
		"a loop":              {"run.sh", "for f in vendor/x/*.yaml; do kubectl apply -f $f; done\n", []string{"vendor/x"}},
		"a root":              {"run.sh", "kubectl apply -f \"$ROOT/vendor/x\"\n", []string{"vendor/x"}},
		"helm":                {"run.sh", "helm upgrade --install y ./vendor/y --namespace ops\n", []string{"vendor/y"}},
		"a chart of Fleet":    {"app/fleet.yaml", "helm:\n  chart: ./vendor/z\n", []string{"app/vendor/z"}},
		"a chart of helmfile": {"app/helmfile.yaml", "releases:\n- {name: z, chart: ./vendor/z}\n", []string{"app/vendor/z"}},
		"standard input":      {"run.sh", "cat vendor/x/a.yaml | kubectl apply -f -\n", nil},
		"another command":     {"Makefile", "\tgo mod vendor\n\trm -rf vendor/x\n", nil},
		"a chart elsewhere":   {"notes.txt", "chart: vendor/y\n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := &Built{IsFolder: func(dir string) bool { return slices.Contains(paths, dir) }, Files: true}
			b.Add(test.file, []byte(test.text))
			var got []string
			for _, at := range paths {
				if b.Has(at) {
					got = append(got, at)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q in %s applies %q, want %q", test.text, test.file, got, test.want)
			}
		})
	}
}
