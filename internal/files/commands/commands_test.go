package commands

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	isFolder := func(dir string) bool { return slices.Contains([]string{".", "m", "m/n", "hack", "ci", "ci/m"}, dir) }
	for name, test := range map[string]struct {
		file, text string
		want       []string
	}{
		"a command":                {"run.sh", "ytt -f m\n", []string{"1 . ytt -f m"}},
		"a pipe":                   {"run.sh", "ytt -f m | kapp deploy -f -\n", []string{"1 . ytt -f m | kapp", "1 . kapp deploy -f -"}},
		"a process":                {"run.sh", "kubectl apply -f <(sed s/a/b/ m/x.yaml)\n", []string{"1 . sed s/a/b/ m/x.yaml | kubectl", "1 . kubectl apply -f ?"}},
		"a variable":               {"run.sh", "DIR=m\nytt -f \"$DIR/n\"\n", []string{"2 . ytt -f m/n"}},
		"a fallback":               {"run.sh", "ytt -f ${DIR:-m}\n", []string{"1 . ytt -f m"}},
		"an unknown variable":      {"run.sh", "ytt -f $1/x\n", []string{"1 . ytt -f ?/x"}},
		"the top of the checkout":  {"hack/run.sh", "ROOT=$(git rev-parse --show-toplevel)\nytt -f $ROOT/m\n", []string{"1 . git rev-parse --show-toplevel", "2 . ytt -f ^/m"}},
		"the folder of the script": {"hack/run.sh", "D=\"$(cd \"$(dirname \"$0\")/..\" && pwd)\"\nytt -f $D/m\n", []string{"1 . dirname ? | cd", "1 . cd ^/hack/..", "1 . pwd", "2 . ytt -f ^/hack/../m"}},
		"a loop":                   {"run.sh", "for d in a b; do ytt -f $d; done\n", []string{"1 . ytt -f a b"}},
		"an array":                 {"run.sh", "D=(a b)\nytt -f \"${D[@]}\"\n", []string{"2 . ytt -f a b"}},
		"cd":                       {"run.sh", "cd m\nytt -f n\n", []string{"1 . cd m", "2 m ytt -f n"}},
		"cd in a group":            {"run.sh", "(cd m && ytt -f n)\nytt -f x", []string{"1 . cd m", "1 m ytt -f n", "2 . ytt -f x"}},
		"a comment":                {"run.sh", "# ytt -f m\necho hi # ytt -f m\n", []string{"2 . echo hi"}},
		"a heredoc":                {"run.sh", "cat <<EOF\nytt -f m\nEOF\nls m\n", []string{"1 . cat", "4 . ls m"}},
		"a quoted pattern":         {"run.sh", "sed -i 's/\"m\"//g' tmp.json\n", []string{"1 . sed -i s/\"m\"//g tmp.json"}},
		"a continued line":         {"run.sh", "ytt \\\n  -f m\n", []string{"1 . ytt -f m"}},
		"find and xargs":           {"run.sh", "find m -name '*.yaml' | xargs sed -i s/a/b/\n", []string{"1 . find m -name *.yaml | sed", "1 . sed -i s/a/b/ m/**/*.yaml"}},
		"find -exec":               {"run.sh", "find m -exec sed -i s/a/b/ {} \\;\n", []string{"1 . sed -i s/a/b/ m"}},
		"an output":                {"run.sh", "kustomize build m 2>/dev/null > out.yaml\n", []string{"1 . kustomize build m > out.yaml"}},
		"make":                     {"ci/Makefile", "DIR ?= m\nx:\n\t@$(YTT) -f $(DIR) | \\\n\t  kapp deploy\n", []string{"3 ci ytt -f m | kapp", "4 ci kapp deploy"}},
		"a program with a version": {"Makefile", "YQ := bin/yq-v4.2.1\nx:\n\t$(YQ) -i .a m\n", []string{"3 . yq -i .a m"}},
		"a prerequisite":           {"Makefile", "x: m/a.yaml\n\tsed -i s/a/b/ $<\n", []string{"2 . sed -i s/a/b/ m/a.yaml"}},
		"a workflow":               {".github/workflows/a.yml", "jobs:\n  a:\n    env: {D: m}\n    steps:\n    - name: ytt -f x\n      run: |\n        ytt -f $D\n", []string{"7 . ytt -f m"}},
		"a folder of a step":       {".github/workflows/a.yml", "steps:\n- run: ytt -f n\n  working-directory: m\n", []string{"2 m ytt -f n"}},
		"a matrix":                 {".github/workflows/a.yml", "strategy:\n  matrix:\n    d: [a, b]\nsteps:\n- run: ytt -f ${{ matrix.d }}\n", []string{"5 . ytt -f a b"}},
		"GitLab":                   {".gitlab-ci.yml", "a:\n  script:\n  - cd m\n  - ytt -f n\n", []string{"3 . cd m", "4 m ytt -f n"}},
		"a list of arguments":      {"run.py", "run([\"ytt\", \"-f\", \"m\"])\n", []string{"1 . ytt -f m"}},
		"a string":                 {"Jenkinsfile", "sh 'ytt -f m | kapp deploy'\n", []string{"1 . ytt -f m | kapp", "1 . kapp deploy"}},
		"documentation":            {"README.md", "ytt -f m\n", nil},
		"a function":               {"run.sh", "apply() {\n  ytt -f \"$1\" -d \"$2\"\n}\napply m n\napply x y\n", []string{"1 . apply", "2 . ytt -f m x -d n y", "4 . apply m n", "5 . apply x y"}},
		"a parameter":              {"run.sh", "f() { ytt -f \"${1:-n}\"; }\nf m\n", []string{"1 . f", "1 . ytt -f m n", "2 . f m"}},
		"lines that are read":      {"run.sh", "ls m/*.yaml | while read -r f; do ytt -f $f; done\n", []string{"1 . ls m/*.yaml | read", "1 . read -r f", "1 . ytt -f m/*.yaml"}},
		"files that are read":      {"run.sh", "while read f; do ytt -f $f; done < <(find m -name '*.yaml')\n", []string{"1 . read f", "1 . ytt -f m/**/*.yaml"}},
		"files of find":            {"run.sh", "for f in $(find m -name '*.yaml' | sort); do ytt -f $f; done\n", []string{"1 . find m -name *.yaml | sort", "1 . sort", "1 . ytt -f m/**/*.yaml"}},
		"another host":             {"run.sh", "ssh -p 22 host 'ytt -f m'\n", []string{"1 . ytt -f m", "1 . ssh -p 22 host ytt -f m"}},
		"a pod":                    {"run.sh", "kubectl exec p -- sh -c 'ytt -f m'\n", []string{"1 . ytt -f m", "1 . sh -c ytt -f m", "1 . kubectl exec p -- sh -c ytt -f m"}},
		"a time limit":             {"run.sh", "timeout -k 5 30s ytt -f m\n", []string{"1 . ytt -f m"}},
		"a mount":                  {"run.sh", "docker run --rm -v $PWD/m:/x:ro r.io/carvel/ytt:1 -f /x --file=/x/a.yaml -f b.yaml\n", []string{"1 . ytt -f ^/m --file=^/m/a.yaml -f ^/m/b.yaml"}},
		"another mount":            {"run.sh", "podman run --mount type=bind,source=m,target=/x -w /x i kapp deploy -f . -d n/o -a c\n", []string{"1 . kapp deploy -f m -d m/n/o -a c"}},
		"an image that is unknown": {"run.sh", "docker run -v $PWD/m:/x db.io/ytt-lint /x\n", []string{"1 . docker run -v ^/m:/x db.io/ytt-lint /x"}},
		"a service of Compose":     {"compose.yaml", "services:\n  a:\n    image: carvel/ytt\n    volumes: [./m:/x, data:/d]\n    command: [-f, /x]\n", []string{"3 . ytt -f ./m"}},
		"a program of a service":   {"compose.yaml", "services:\n  a:\n    image: i\n    volumes:\n    - ./m:/x\n    entrypoint: ytt\n    command: -f /x\n", []string{"3 . ytt -f ./m"}},
		"a database":               {"compose.yaml", "services:\n  a:\n    image: db\n    volumes: [./m:/x]\n", []string{"3 . docker run -v ./m:/x db"}},
		"Okteto":                   {"okteto.yml", "deploy:\n  commands:\n  - name: a\n    command: ytt -f m\n", []string{"4 . ytt -f m"}},
		"a Procfile":               {"Procfile", "# ytt -f n\nrelease: ytt -f m\n", []string{"2 . ytt -f m"}},
		"a block with a backslash": {"mise.toml", "run = \"\"\"\nytt \\\n  -f m\n\"\"\"\n", []string{"2 . ytt -f m"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range Read(test.file, []byte(test.text), isFolder) {
				text := fmt.Sprintf("%d %s %s %s", c.Line, strings.Join(c.Folders, ","), c.Name, strings.Join(c.Args, " "))
				text = strings.NewReplacer(Unknown, "?", repositoryRoot, "^").Replace(strings.TrimSpace(text))
				text = strings.TrimPrefix(text, "")
				if after := c.After(); len(after) > 0 {
					text += " | " + after[0].Name
				}
				if c.Output != "" {
					text += " > " + c.Output
				}
				got = append(got, strings.Replace(text, ".,hack", ".", 1))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestFlag checks that a flag has all values of a word that can have several, and no argument behind it.
func TestFlag(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"for d in a b; do ytt -f $d c; done":       "a b",
		"for d in a b; do ytt -f x/$d --x c; done": "x/a x/b",
		"ytt -f a b": "a",
		"for d in a b; do docker run i ytt -f $d c; done":           "a b",
		"for d in a b; do echo m | xargs -I{} ytt -f {}/$d c; done": "m/a m/b",
	} {
		found := Read("run.sh", []byte(text), func(string) bool { return false })
		at := slices.IndexFunc(found, func(c *Command) bool { return c.Name == "ytt" })
		if at < 0 {
			t.Fatalf("%s: no command", text)
		}
		if got := strings.Join(found[at].Flag("f", "file"), " "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// FuzzRead checks that no text fails.
func FuzzRead(f *testing.F) {
	f.Add("cd m; ytt -f \"$(x ${y:-z})\" <(a | b) > c\n<<E\nE\n'")
	f.Fuzz(func(_ *testing.T, text string) {
		for _, file := range []string{"a.sh", "Makefile", "justfile", ".github/a.yml", "a.py", "Dockerfile"} {
			for _, c := range Read(file, []byte(text), func(string) bool { return true }) {
				c.After()
				c.Before()
			}
		}
	})
}
