package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// archive returns a tar.gz with one program.
func archive(t *testing.T, name, content string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// release returns the files of release 0.1.0 for one machine.
func release(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{
		"salint_0.1.0_linux_amd64.tar.gz":        archive(t, "salint", "#!/bin/sh\necho salint 0.1.0\n"),
		"salint-action_0.1.0_linux_amd64.tar.gz": archive(t, "salint-action", "#!/bin/sh\necho action\n"),
	}
	sums := ""
	for name, data := range files {
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
	}
	files["checksums.txt"] = []byte(sums)
	return files
}

// TestDownload runs the script against a release on loopback.
func TestDownload(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "tar", "awk"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("skipped: %s is not installed", program)
		}
	}
	const program = "salint_0.1.0_linux_amd64.tar.gz"
	for name, c := range map[string]struct {
		version string
		machine []string
		change  func(files map[string][]byte)
		cached  []byte
		// fails is a part of the message; "" if the download works. asked is how often the archive of salint is requested.
		fails string
		asked int
	}{
		"as released":            {version: "0.1.0", asked: 1},
		"an archive was changed": {version: "0.1.0", change: func(f map[string][]byte) { f[program] = archive(t, "salint", "evil") }, fails: "it is not used", asked: 1},
		"no checksum":            {version: "0.1.0", change: func(f map[string][]byte) { f["checksums.txt"] = []byte("abc  other.tar.gz\n") }, fails: "has no checksum of " + program},
		"no checksums":           {version: "0.1.0", change: func(f map[string][]byte) { delete(f, "checksums.txt") }, fails: "could not download checksums.txt"},
		"a checksum of another name": {version: "0.1.0", change: func(f map[string][]byte) {
			f["checksums.txt"] = bytes.ReplaceAll(f["checksums.txt"], []byte("  salint_"), []byte("  x/salint_"))
		}, fails: "has no checksum of " + program},
		"no archive":             {version: "0.1.0", change: func(f map[string][]byte) { delete(f, program) }, fails: "could not download " + program, asked: 1},
		"another version":        {version: "0.2.0", fails: "could not download checksums.txt of the release 0.2.0"},
		"a path as version":      {version: "../../evil", fails: "is not the version of a release"},
		"an unknown processor":   {version: "0.1.0", machine: []string{"RUNNER_ARCH=S390X"}, fails: "no release for this processor"},
		"in the cache":           {version: "0.1.0", cached: release(t)[program]},
		"something in the cache": {version: "0.1.0", cached: []byte("evil"), asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, asked := release(t), 0
			if c.change != nil {
				c.change(files)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data, found := files[strings.TrimPrefix(r.URL.Path, "/v0.1.0/")]
				if strings.HasSuffix(r.URL.Path, "/"+program) {
					asked++
				}
				if !found {
					http.NotFound(w, r)
					return
				}
				_, _ = w.Write(data)
			}))
			defer server.Close()
			folder := t.TempDir()
			if c.cached != nil {
				if err := os.WriteFile(filepath.Join(folder, program), c.cached, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			script, err := filepath.Abs("../../release/download.sh")
			if err != nil {
				t.Fatal(err)
			}
			command := exec.Command("bash", script, c.version, folder)
			command.Env = append([]string{
				"PATH=" + os.Getenv("PATH"), "SALINT_RELEASES=" + server.URL, "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
			}, c.machine...)
			out, err := command.CombinedOutput()
			if asked != c.asked {
				t.Errorf("the archive was requested %d times, want %d", asked, c.asked)
			}
			ran, _ := exec.Command(filepath.Join(folder, "salint")).Output()
			if c.fails == "" {
				if err != nil || string(ran) != "salint 0.1.0\n" {
					t.Errorf("%v: %s\nthe program prints %q", err, out, ran)
				}
				return
			}
			if err == nil || !strings.Contains(string(out), c.fails) || len(ran) > 0 {
				t.Errorf("error %v: %s\nthe program prints %q", err, out, ran)
			}
		})
	}
}
