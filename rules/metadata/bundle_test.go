package metadata

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// bundleOf returns an archive with members.
func bundleOf(t *testing.T, members ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, m := range members {
		content := make([]byte, m.Size)
		if err := archive.WriteHeader(&m); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if archive.Close() != nil || zipped.Close() != nil {
		t.Fatal("the archive is not written")
	}
	return out.Bytes()
}

func TestUnpackBundle(t *testing.T) {
	t.Parallel()
	file := func(name string, size int64) tar.Header {
		return tar.Header{Name: name, Size: size, Typeflag: tar.TypeReg}
	}
	good := bundleOf(t, file("/policy/a.rego", 3), tar.Header{Name: "/policy/", Typeflag: tar.TypeDir}, file("data.json", 2))
	digest := fmt.Sprintf("%x", sha256.Sum256(good))
	cases := map[string]struct {
		name string
		data []byte
		want string
	}{
		"a bundle":          {"p.tar.gz", good, ""},
		"its digest":        {WithDigest("p.tar.gz", strings.ToUpper(digest)), good, ""},
		"another digest":    {WithDigest("p.tar.gz", strings.Repeat("0", 64)), good, "the SHA-256 hash is " + digest},
		"an empty digest":   {WithDigest("p.tar.gz", ""), good, "64 hexadecimal digits"},
		"half a digest":     {WithDigest("p.tar.gz", digest[:32]), good, "64 hexadecimal digits"},
		"text":              {"p.tar.gz", []byte("version https://git-lfs.github.com/spec/v1\n"), "it is not a bundle"},
		"half a bundle":     {"p.tar.gz", good[:len(good)/2], "the archive cannot be read"},
		"a path upwards":    {"p.tar.gz", bundleOf(t, file("../a.rego", 1)), "is not the path of a file"},
		"a path through it": {"p.tar.gz", bundleOf(t, file("/policy/../../a.rego", 1)), "is not the path of a file"},
		"a path twice":      {"p.tar.gz", bundleOf(t, file("a.rego", 1), file("/a.rego", 1)), "is in it twice"},
		"a symlink":         {"p.tar.gz", bundleOf(t, tar.Header{Name: "a.rego", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}), "is not a regular file"},
		"much of nothing":   {"p.tar.gz", bundleOf(t, file("a.rego", MaxBundle+1)), "it has more than 32 MiB"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := UnpackBundle(test.name, test.data)
			if test.want == "" {
				if data, errRead := fs.ReadFile(files, "policy/a.rego"); err != nil || errRead != nil || len(data) != 3 {
					t.Errorf("%q, %v, %v", data, err, errRead)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %q", err, test.want)
			}
		})
	}
}

// The version that runs is that of the program, so this test is not parallel.
func TestRequires(t *testing.T) {
	defer func(before string) { Running = before }(Running)
	file := &File{Name: "a.rego", Outline: Outline{Block: &metadataBlock{First: 1, Last: 1}}}
	for _, test := range []struct{ running, requires, want string }{
		{"1.2.3", "salint >= 1.2", ""},
		{"1.2.3", "salint >= 1.2.3", ""},
		{"1.2.3", "salint >=v1.2.4", "requires salint 1.2.4, and this is 1.2.3"},
		{"1.9.0", "salint >= 1.10", "requires salint 1.10, and this is 1.9.0"},
		{"1.2.3-4-gabcdef", "salint >= 1.2.3", ""},
		{"1.2.3-4-gabcdef", "salint >= 1.3", "requires salint 1.3"},
		{"devel", "salint >= 99.0", ""},
		{"1.2.3", "salint > 1.2", "write the oldest version"},
		{"1.2.3", ">= 1.2", "write the oldest version"},
		{"1.2.3", "opa >= 1.2", "write the oldest version"},
	} {
		Running = test.running
		err := file.checkRequires(test.requires)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: the error is %v, want %q", test.running, test.requires, err, test.want)
		}
	}
}
