package olm

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// store is a server on loopback with TLS: a registry of images, and a catalog as catalogd serves it.
type store struct {
	server *httptest.Server

	lock    sync.Mutex
	content []byte // of the catalog
}

func newStore() *store {
	s := &store{}
	mux := http.NewServeMux()
	mux.Handle("/v2/", registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	mux.HandleFunc("GET /catalog/api/v1/all", func(w http.ResponseWriter, _ *http.Request) {
		s.lock.Lock()
		defer s.lock.Unlock()
		w.Header().Set("Content-Type", "application/jsonl")
		_, _ = w.Write(s.content) // a client that is gone needs no answer
	})
	s.server = httptest.NewTLSServer(mux)
	return s
}

func (s *store) close() { s.server.Close() }

// certificate is what a client must trust.
func (s *store) certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})
}

func (s *store) host() string { return strings.TrimPrefix(s.server.URL, "https://") }

// push puts the image of a bundle into the registry and returns its reference, with the digest.
func (s *store) push(b Bundle) (string, error) {
	image, err := b.image()
	if err != nil {
		return "", err
	}
	digest, err := image.Digest()
	if err != nil {
		return "", err
	}
	reference, err := name.NewDigest(s.host() + "/" + b.Package + "@" + digest.String())
	if err != nil {
		return "", err
	}
	return reference.String(), remote.Write(reference, image, remote.WithTransport(s.server.Client().Transport))
}

// serve makes bundles the content of the catalog: one package with one channel for all bundles of a package, each of which
// replaces the one before it.
func (s *store) serve(bundles []Bundle, images map[string]string) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	entries := map[string][]any{}
	for _, b := range bundles {
		entry := map[string]any{"name": b.name()}
		if before := entries[b.Package]; len(before) > 0 {
			entry["replaces"] = before[len(before)-1].(map[string]any)["name"]
		}
		entries[b.Package] = append(entries[b.Package], entry)
		property := map[string]any{"type": "olm.package", "value": map[string]any{"packageName": b.Package, "version": b.Version}}
		meta := map[string]any{
			"schema": "olm.bundle", "package": b.Package, "name": b.name(), "image": images[b.name()], "properties": []any{property},
		}
		if err := encoder.Encode(meta); err != nil {
			return err
		}
	}
	for name, all := range entries {
		for _, meta := range []any{
			map[string]any{"schema": "olm.package", "name": name, "defaultChannel": "stable"},
			map[string]any{"schema": "olm.channel", "package": name, "name": "stable", "entries": all},
		} {
			if err := encoder.Encode(meta); err != nil {
				return err
			}
		}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.content = out.Bytes()
	return nil
}
