package olm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
)

// folder holds the program of salint.
var folder string

func TestMain(m *testing.M) {
	olm.Main()
	klog.SetLogger(logr.Discard()) // the garbage collector logs what it deletes
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "salint-olm-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

var program = sync.OnceValues(func() (salint.Program, error) { return salint.Build(folder) })

// story is a cluster and a repository on disk, which salint changes and kubectl applies.
type story struct {
	*olm.Cluster
	t          *testing.T
	ctx        context.Context
	repository string
}

// begin starts a cluster, and copies a repository of testdata.
func begin(t *testing.T, repository string, versions ...olm.Version) *story {
	t.Helper()
	s := &story{Cluster: olm.New(t, versions...), t: t, ctx: t.Context()}
	s.repository = s.copy(repository)
	return s
}

// in returns the story for a subtest.
func (s *story) in(t *testing.T) *story {
	sub := *s
	sub.t, sub.ctx = t, t.Context()
	return &sub
}

// must ends the test if there is an error.
func (s *story) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// copy copies a repository of testdata to a new folder, and replaces pairs of texts in it.
func (s *story) copy(repository string, replaced ...string) string {
	s.t.Helper()
	target := filepath.Join(s.t.TempDir(), "repository")
	s.must(os.CopyFS(target, os.DirFS(filepath.Join("testdata", repository))))
	replace(s, target, replaced...)
	return target
}

// replace replaces pairs of texts in all files of a folder.
func replace(s *story, folder string, replaced ...string) {
	s.t.Helper()
	for file, text := range s.files(folder) {
		s.must(os.WriteFile(file, []byte(strings.NewReplacer(replaced...).Replace(text)), 0o600))
	}
}

// files returns the texts of the files of a folder by path.
func (s *story) files(folder string) map[string]string {
	s.t.Helper()
	texts := map[string]string{}
	s.must(filepath.WalkDir(folder, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		texts[file] = string(text)
		return err
	}))
	return texts
}

// edit replaces a text that is in a file of the repository.
func (s *story) edit(file, old, new string) {
	s.t.Helper()
	file = filepath.Join(s.repository, file)
	text, err := os.ReadFile(file)
	s.must(err)
	if !strings.Contains(string(text), old) {
		s.t.Fatalf("%s does not contain %q", file, old)
	}
	s.must(os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o600))
}

// write writes a file of the repository.
func (s *story) write(file, text string) {
	s.t.Helper()
	s.must(os.WriteFile(filepath.Join(s.repository, file), []byte(text), 0o600))
}

// read returns the text of a file of the repository.
func (s *story) read(file string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.repository, file))
	s.must(err)
	return string(text)
}

// salint runs salint in the repository and returns its output.
func (s *story) salint(args ...string) string {
	s.t.Helper()
	return s.salintIn(s.repository, "", args...)
}

// salintIn runs salint in a folder with a text as its standard input and returns its output. Findings are no error.
func (s *story) salintIn(folder, input string, args ...string) string {
	s.t.Helper()
	file, err := program()
	s.must(err)
	out, _, err := file.RunWith(folder, input, args...)
	s.must(err)
	return string(out)
}

// apply applies the manifests of the repository, and returns the warnings of the API server.
func (s *story) apply() (warnings string) {
	s.t.Helper()
	return s.applyFolders(s.repository)
}

// applyFolders applies the manifests of folders in the order that salint's documentation requires: namespaces, permissions,
// and then extensions, after the authorizer knows the permissions.
func (s *story) applyFolders(folders ...string) (warnings string) {
	s.t.Helper()
	var stages [3][]string
	for _, document := range s.documents(folders...) {
		stage := stageOf(document)
		stages[stage] = append(stages[stage], document)
	}
	warnings = s.applyDocuments(append(stages[0], stages[1]...))
	s.must(s.Settle(s.ctx))
	return warnings + s.applyDocuments(stages[2])
}

// documents returns the manifests of folders, without those of bundles, which salint reads.
func (s *story) documents(folders ...string) (all []string) {
	s.t.Helper()
	for _, folder := range folders {
		for file, text := range s.files(folder) {
			if strings.HasSuffix(file, ".yaml") && !strings.HasPrefix(filepath.Base(file), ".") && !strings.Contains(file, "/bundles/") {
				all = append(all, strings.Split(text, "\n---\n")...)
			}
		}
	}
	return all
}

// prune applies the repository and deletes what was among its manifests before, as a GitOps tool does.
func (s *story) prune(before []string) {
	s.t.Helper()
	s.apply()
	var now, gone []string
	for _, document := range s.documents(s.repository) {
		now = append(now, identify(document))
	}
	for _, document := range before {
		if !slices.Contains(now, identify(document)) {
			gone = append(gone, document)
		}
	}
	if len(gone) == 0 {
		s.t.Error("nothing is gone from the repository: this shows nothing")
	}
	s.must(s.Delete(s.ctx, strings.Join(gone, "\n---\n")))
}

// identify returns the kind, the namespace, and the name of a manifest.
func identify(document string) string {
	var o struct {
		Kind     string
		Metadata struct{ Namespace, Name string }
	}
	_ = yaml.Unmarshal([]byte(document), &o) // kubectl has applied it
	return o.Kind + " " + o.Metadata.Namespace + "/" + o.Metadata.Name
}

// kubectl runs kubectl as an administrator and returns its output.
func (s *story) kubectl(args ...string) string {
	s.t.Helper()
	out, err := s.Kubectl(s.ctx, server.Admin, "", args...)
	s.must(err)
	return out
}

func stageOf(document string) int {
	switch {
	case strings.Contains(document, "kind: Namespace\n"):
		return 0
	case strings.Contains(document, "kind: ClusterExtension\n"):
		return 2
	}
	return 1
}

func (s *story) applyDocuments(documents []string) (warnings string) {
	s.t.Helper()
	if len(documents) == 0 {
		return ""
	}
	warnings, err := s.KubectlWarnings(s.ctx, server.Admin, strings.Join(documents, "\n---\n"), "apply", "--server-side", "--filename=-")
	s.must(err)
	return warnings
}
