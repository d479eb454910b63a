package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/regular"
)

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a"), "text")
	if data, err := regular.ReadFile(file, 4); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	_, err := regular.ReadFile(file, 3)
	if size := (*regular.SizeError)(nil); !errors.As(err, &size) || err.Error() != "4 B, over the limit of 3 B" {
		t.Error(err)
	}
	if _, err := regular.ReadFile(dir, 10); !errors.Is(err, regular.ErrKind) {
		t.Error(err)
	}
	if _, err := regular.ReadFile(os.DevNull, 10); runtime.GOOS != "windows" && !errors.Is(err, regular.ErrKind) {
		t.Error(err)
	}
	_, err = regular.ReadFile(filepath.Join(dir, "missing"), 10)
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	outside := write(t, filepath.Join(t.TempDir(), "secret"), "secret")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "in"), "inside")
	write(t, filepath.Join(dir, "beside"), "beside")
	write(t, filepath.Join(dir, "sub", "large"), strings.Repeat("x", 100))
	for name, to := range map[string]string{"out": outside, "up": "../beside", "zero": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(dir, "sub", name)); err != nil {
			t.Skipf("this file system has no symlinks: %v", err)
		}
	}
	f, err := regular.OpenFolderIn(dir, "sub", 50)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, want := range map[string]string{"in": "inside", "up": "beside"} {
		for _, data := range readBoth(f, name) {
			if string(data) != want {
				t.Errorf("%s: %q", name, data)
			}
		}
	}
	for _, name := range []string{"out", "zero", "large", "../beside", "missing", "."} {
		for _, data := range readBoth(f, name) {
			if data != nil {
				t.Errorf("%s: %q", name, data)
			}
		}
	}
	if _, err := regular.OpenFolderIn(dir, "other", 50); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// readBoth reads a file in both ways that an fs.FS offers; what fails is nil.
func readBoth(f *regular.Folder, name string) [][]byte {
	direct, _ := fs.ReadFile(f, name)
	var opened []byte
	if file, err := f.Open(name); err == nil {
		defer file.Close()
		if info, err := file.Stat(); err == nil && !info.IsDir() {
			opened = make([]byte, info.Size())
			if _, err := file.Read(opened); err != nil {
				opened = nil
			}
		}
	}
	return [][]byte{direct, opened}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1 KiB", 32 << 20: "32 MiB", 100_000_000: "95.37 MiB", 3 << 30: "3 GiB", 1<<63 - 1: "8 EiB",
	} {
		if got := (&regular.SizeError{Size: n}).Error(); !strings.HasPrefix(got, want+", ") {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
