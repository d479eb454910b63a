package repo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkWalk reads 10,000 files of 1.5 KB and looks for a word in each, once spread over a thousand folders, once in
// a single one.
func BenchmarkWalk(b *testing.B) {
	for name, folders := range map[string]int{"folders": 1000, "flat": 1} {
		b.Run(name, func(b *testing.B) {
			r := benchRepo(b, folders)
			b.ResetTimer()
			for b.Loop() {
				skips, err := r.Walk(context.Background(), WalkOptions{}, func(f File) {
					if bytes.Contains(f.Data, []byte("ClusterExtension")) {
						b.Error(f.Path)
					}
				})
				if err != nil || skips != nil {
					b.Fatal(err, skips)
				}
			}
		})
	}
}

func benchRepo(b *testing.B, folders int) *Repo {
	root := b.TempDir()
	content := []byte("kind: ConfigMap\ndata:\n" + strings.Repeat("  key: some value or other\n", 56))
	for i := range 10_000 {
		n := i % folders
		dir := filepath.Join(root, fmt.Sprintf("clusters/c%d/apps/a%d", n/25, n%25))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.yaml", i)), content, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	ignore := []byte("*.swp\nnode_modules/\n/dist\n**/charts/*.tgz\n.DS_Store\n")
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), ignore, 0o644); err != nil {
		b.Fatal(err)
	}
	r, err := Open(root, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	return r
}
