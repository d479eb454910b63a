package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/reuse"
)

func TestStore(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "cache")
	saved := sample(1, role, `{"a":"<&>\u2028 \n"}`)
	first := open(t, dir)
	first.Save(saved)
	first.Save(sample(2, role))
	first.Close()
	second := open(t, dir)
	if diff := cmp.Diff([]reuse.Entry{saved}, second.Load(saved.Request)); diff != "" {
		t.Errorf("-saved +loaded:\n%s", diff)
	}
	if got := second.Load(reuse.Digest{3}); got != nil {
		t.Errorf("a request that was never made: %v", got)
	}
	for _, name := range []string{".", subfolder, filepath.Join(subfolder, ".gitignore"), filepath.Join(subfolder, nameOf(saved))} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
	}
}

// TestDamagedEntries changes the file of an entry in many ways: it is ignored, and counted.
func TestDamagedEntries(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, file string){
		"empty":  func(t *testing.T, file string) { rewrite(t, file, func(string) string { return "" }) },
		"cut":    func(t *testing.T, file string) { rewrite(t, file, func(s string) string { return s[:len(s)-2] }) },
		"longer": func(t *testing.T, file string) { rewrite(t, file, func(s string) string { return s + "{}" }) },
		"another result": func(t *testing.T, file string) {
			rewrite(t, file, func(s string) string { return strings.Replace(s, "Role", "Pole", 1) })
		},
		"another format": func(t *testing.T, file string) {
			rewrite(t, file, func(s string) string { return strings.Replace(s, "build 1", "build 2", 1) })
		},
		"no checksum": func(t *testing.T, file string) { rewrite(t, file, func(s string) string { return header }) },
		"no result":   func(t *testing.T, file string) { forge(t, file, func(e *reuse.Entry) { e.Result = nil }) },
		"an error": func(t *testing.T, file string) {
			forge(t, file, func(e *reuse.Entry) { e.Result.Error = &protocol.Error{} })
		},
		"another request": func(t *testing.T, file string) { forge(t, file, func(e *reuse.Entry) { e.Request = reuse.Digest{7} }) },
		"other queries":   func(t *testing.T, file string) { forge(t, file, func(e *reuse.Entry) { e.Read = e.Read[:1] }) },
		"too large": func(t *testing.T, file string) {
			rewrite(t, file, func(s string) string { return s + strings.Repeat(" ", maxEntry) })
		},
		"a folder": func(t *testing.T, file string) {
			if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
				t.Fatal(err)
			}
		},
		"gone": func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := open(t, dir)
			s.Save(sample(1, role))
			s = open(t, dir)
			damage(t, only(t, dir))
			if got := s.Load(reuse.Digest{1}); got != nil || s.Counters().Ignored != 1 {
				t.Errorf("loaded %v, %+v", got, s.Counters())
			}
		})
	}
}

// forge writes an entry with a change and the right checksum.
func forge(t *testing.T, file string, change func(*reuse.Entry)) {
	t.Helper()
	e := sample(1, role)
	change(&e)
	data, err := encode(e)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryByteCounts flips each byte of an entry.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	data, err := encode(sample(1, role))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		flipped := append([]byte(nil), data...)
		flipped[i] ^= 1
		if _, err := decode(flipped); err == nil {
			t.Errorf("byte %d can be changed", i)
		}
	}
}

// TestNotStored has results that must not reach the disk.
func TestNotStored(t *testing.T) {
	t.Parallel()
	const secret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"stringData":{"a":"hunter2"}}`
	query := func(text string) reuse.Entry {
		e := sample(1, role)
		e.Read[0].Query.Path = text
		return e
	}
	result := func(r protocol.Result) reuse.Entry { e := sample(1); e.Result = &r; return e }
	for name, test := range map[string]struct {
		entry reuse.Entry
		saved bool
	}{
		"a role":           {sample(1, role), true},
		"a role and more":  {sample(1, role, `{"kind":"ConfigMap","data":{"a":"a Secret is no ConfigMap"}}`), true},
		"a Secret":         {sample(1, role, secret), false},
		"a list":           {sample(1, `{"kind":"List","items":[`+secret+`]}`), false},
		"inside of a text": {sample(1, fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","data":{"a.yaml":%q}}`, "apiVersion: v1\nkind: Secret\nstringData: {a: hunter2}\n")), false},
		"a patch":          {query("/salint-root/a/apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: hunter2}"), false},
		"a chart":          {result(protocol.Result{Templates: []protocol.Template{{Name: "a.yaml", Text: "kind: Secret\nmetadata: {name: a}\ndata: {a: aHVudGVyMg==}\n"}}}), false},
		"a template":       {result(protocol.Result{Templates: []protocol.Template{{Name: "a.yaml", Source: "{{ if .Values.a }}\nkind: \"Secret\"\n{{ end }}"}}}), false},
		"a source":         {result(protocol.Result{Sources: []protocol.Source{{Name: "a.yaml", Text: "{{ if .Values.a }}\nkind: Secret\n{{ end }}"}}}), false},
		"another chart":    {result(protocol.Result{Templates: []protocol.Template{{Name: "a.yaml", Source: "kind: {{ .Values.a }}", Text: "kind: Role\n"}}}), true},
		"an error":         {result(protocol.Result{Error: &protocol.Error{Message: "a"}}), false},
		"the clock":        {result(protocol.Result{Varies: true}), false},
		"too large":        {sample(1, large(maxEntry)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			open(t, dir).Save(test.entry)
			if saved := len(files(t, dir)) > 0; saved != test.saved {
				t.Errorf("saved: %v", saved)
			}
		})
	}
}

// TestTrim fills a folder above its limits: the entries that were not used for the longest time are removed, and nothing of others.
func TestTrim(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	old := time.Now().Add(-48 * time.Hour)
	for i := range byte(6) {
		e := sample(i, large(1000))
		s.Save(e)
		at := old.Add(time.Duration(i) * time.Minute)
		if err := s.root.Chtimes(nameOf(e), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{temporary + "abandoned", "notes.build", "readme"} {
		if err := errors.Join(s.root.WriteFile(name, []byte(strings.Repeat("x", 9000)), 0o600), s.root.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.root.WriteFile(temporary+"new", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := sample(0, large(1000))
	s.Found(&first) // used, so it is the newest
	s.trim(1<<20, 4)
	if want, got := []byte{0, 3, 4, 5}, kept(t, dir); cmp.Diff(want, got) != "" {
		t.Errorf("kept by number: %v, want %v", got, want)
	}
	s.trim(4000, 100)
	if want, got := []byte{0, 5}, kept(t, dir); cmp.Diff(want, got) != "" {
		t.Errorf("kept by size: %v, want %v", got, want)
	}
	for name, want := range map[string]bool{temporary + "abandoned": false, temporary + "new": true, "notes.build": true, "readme": true, ".gitignore": true} {
		if _, err := s.root.Lstat(name); (err == nil) != want {
			t.Errorf("%s exists: %v", name, err == nil)
		}
	}
}

func kept(t *testing.T, dir string) []byte {
	t.Helper()
	var requests []byte
	s := open(t, dir)
	for i := range byte(6) {
		if s.Load(reuse.Digest{i}) != nil {
			requests = append(requests, i)
		}
	}
	return requests
}

// TestConcurrentStores has several runs that write, read, and clean up one folder: what is read is whole.
func TestConcurrentStores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 15 {
				s, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				for i := range byte(8) {
					want := sample(i, large(1000+100*int(i)))
					for _, got := range s.Load(want.Request) {
						if diff := cmp.Diff(want, got); diff != "" {
							t.Error(diff)
						}
					}
					s.Save(want)
				}
				s.trim(6000, 5)
				s.Close()
			}
		})
	}
	group.Wait()
	left, err := filepath.Glob(filepath.Join(dir, subfolder, temporary+"*"))
	if len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestRefusedFolders has folders to which others could write, and what is no folder.
func TestRefusedFolders(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other permissions")
	}
	for name, test := range map[string]struct {
		prepare func(dir string) error
		want    string
	}{
		"written by all":       {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) }, "other users"},
		"written by the group": {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) }, "other users"},
		"a link":               {func(dir string) error { return errors.Join(os.Mkdir(dir+"2", 0o700), os.Symlink(dir+"2", dir)) }, "symbolic link"},
		"a file":               {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "not a directory"},
		"a link inside": {func(dir string) error {
			return errors.Join(os.MkdirAll(dir, 0o700), os.Mkdir(dir+"2", 0o700), os.Symlink(dir+"2", filepath.Join(dir, subfolder)))
		}, "symbolic link"},
		"written by all inside": {func(dir string) error {
			return errors.Join(os.MkdirAll(filepath.Join(dir, subfolder), 0o700), os.Chmod(filepath.Join(dir, subfolder), 0o777))
		}, "other users"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "cache")
			if err := test.prepare(dir); err != nil {
				t.Fatal(err)
			}
			if s, err := Open(dir); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, %v; want %q", s, err, test.want)
			}
		})
	}
}

// TestEntriesOfOthers has entries that this program did not write: with the mode of files that git checks out, with a second name, and
// behind a link.
func TestEntriesOfOthers(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other permissions")
	}
	for name, change := range map[string]func(file string) error{
		"a mode of git": func(file string) error { return os.Chmod(file, 0o644) },
		"two names":     func(file string) error { return os.Link(file, file+"2") },
		"a link": func(file string) error {
			return errors.Join(os.Rename(file, file+"2"), os.Symlink(filepath.Base(file)+"2", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			open(t, dir).Save(sample(1, role))
			if err := change(only(t, dir)); err != nil {
				t.Fatal(err)
			}
			if got := open(t, dir).Load(reuse.Digest{1}); got != nil {
				t.Errorf("loaded %v", got)
			}
		})
	}
}

// FuzzDecode checks that no file makes the program fail, and that only what encode writes is read.
func FuzzDecode(f *testing.F) {
	data, err := encode(sample(1, role))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(header + "0\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := decode(data)
		if err == nil && (e.Result == nil || !json.Valid(data[len(header)+65:])) {
			t.Errorf("%q was read", data)
		}
	})
}
