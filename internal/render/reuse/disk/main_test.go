package disk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/reuse"
)

const role = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"a"}}`

// sample returns an entry for a request.
func sample(request byte, objects ...string) reuse.Entry {
	result := &protocol.Result{}
	for _, o := range objects {
		result.Objects = append(result.Objects, json.RawMessage(o))
	}
	return reuse.Entry{
		Request: reuse.Digest{request},
		Read: []reuse.Read{
			{Query: protocol.Query{Path: "/salint-root/a/kustomization.yml"}, Answer: reuse.DigestOf(protocol.Answer{Error: "missing"})},
			{Query: protocol.Query{Path: "/salint-root/a/<b>\u2028", Read: true}, Answer: reuse.DigestOf(protocol.Answer{Data: []byte("x")})},
		},
		Result: result,
	}
}

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// files returns the entries in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, subfolder, "*"+suffix))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// only returns the one entry in a folder.
func only(t *testing.T, dir string) string {
	t.Helper()
	found := files(t, dir)
	if len(found) != 1 {
		t.Fatalf("%d entries, want 1", len(found))
	}
	return found[0]
}

func rewrite(t *testing.T, file string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(change(string(data))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// large returns an object of about n bytes.
func large(n int) string {
	return fmt.Sprintf(`{"kind":"ConfigMap","data":{"a":"%s"}}`, strings.Repeat("x", n))
}
