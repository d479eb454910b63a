package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/render/process"
	"github.com/salint/salint/rules/sandbox"
)

// TestMain lets the test program act as the child process that builds.
func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if code, isChild := sandbox.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// client is a client of a server whose runs wait for the test.
type client struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	// runs are the runs that have begun.
	runs      chan blockedRun
	published chan publishDiagnosticsParams
}

// blockedRun is a run that goes on when release is closed, whatever happens to its context.
type blockedRun struct {
	ctx     context.Context
	release chan struct{}
}

func newClient(t *testing.T) *client {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{t: t, runs: make(chan blockedRun, 10), published: make(chan publishDiagnosticsParams, 10)}
	var served sync.WaitGroup
	served.Go(func() {
		err := Serve(context.Background(), toServer, fromServer, Options{Version: "1", Project: c.project})
		if !errors.Is(err, ErrNoShutdown) {
			t.Errorf("got the error %v", err)
		}
	})
	c.conn = jsonrpc2.NewConn(context.Background(), newStream(toClient, fromClient, fromClient.Close), c)
	t.Cleanup(func() {
		c.conn.Close()
		served.Wait()
	})
	if err := c.conn.Call(t.Context(), "initialize", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *client) project(ctx context.Context, _ Place) (*Project, error) {
	run := blockedRun{ctx, make(chan struct{})}
	c.runs <- run
	select {
	case <-run.release:
	case <-time.After(time.Minute):
	}
	return &Project{Lint: session.Options{Config: settings.Default(), Now: time.Unix(0, 0)}}, nil
}

// Handle takes the diagnostics.
func (c *client) Handle(_ context.Context, _ *jsonrpc2.Conn, m *jsonrpc2.Request) {
	var p publishDiagnosticsParams
	if m.Method != "textDocument/publishDiagnostics" {
		return
	}
	if err := json.Unmarshal(*m.Params, &p); err != nil {
		c.t.Error(err)
	}
	c.published <- p
}

func (c *client) notify(method, params string) {
	c.t.Helper()
	if err := c.conn.Notify(c.t.Context(), method, json.RawMessage(params)); err != nil {
		c.t.Fatal(err)
	}
}

// openFile opens a document in a new folder.
func (c *client) openFile() (uri string) {
	c.t.Helper()
	dir := c.t.TempDir()
	file := filepath.Join(dir, "a b.yaml")
	if err := os.WriteFile(file, []byte("kind: A\n"), 0o600); err != nil {
		c.t.Fatal(err)
	}
	uri = uriOf(file)
	c.notify("textDocument/didOpen", `{"textDocument": {"uri": "`+uri+`", "version": 1, "text": "kind: B\n"}}`)
	return uri
}

// TestOvertakenRuns checks that a change cancels the run that goes on, and that its result is not published, even if it ends normally.
func TestOvertakenRuns(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	uri := c.openFile()
	first := <-c.runs
	c.notify("textDocument/didChange", `{"textDocument": {"uri": "`+uri+`", "version": 5}, "contentChanges": [{"text": "kind: C\n"}]}`)
	<-first.ctx.Done()
	close(first.release)
	second := <-c.runs
	if second.ctx.Err() != nil {
		t.Error("the second run is canceled")
	}
	close(second.release)
	five := 5
	if diff := cmp.Diff(publishDiagnosticsParams{URI: uri, Version: &five, Diagnostics: []diagnostic{}}, <-c.published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

// TestCanceledRequests cancels a request that waits for a run, and one that does not exist.
func TestCanceledRequests(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	uri := c.openFile()
	run := <-c.runs
	params := map[string]any{"textDocument": map[string]any{"uri": uri}, "position": position{}}
	call, err := c.conn.DispatchCall(t.Context(), "textDocument/hover", params, jsonrpc2.PickID(jsonrpc2.ID{Str: "x", IsString: true}))
	if err != nil {
		t.Fatal(err)
	}
	c.notify("$/cancelRequest", `{"id": 77}`)
	c.notify("$/cancelRequest", `{"id": "x"}`)
	var refused *jsonrpc2.Error
	if err := call.Wait(t.Context(), nil); !errors.As(err, &refused) || refused.Code != codeRequestCancelled {
		t.Errorf("got %v", err)
	}
	close(run.release)
	if p := <-c.published; p.URI != uri {
		t.Errorf("the run of the document was canceled: %+v", p)
	}
}

// TestModifiedDocuments checks that a request about a text that changes before the answer is refused.
func TestModifiedDocuments(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	uri := c.openFile()
	first := <-c.runs
	call, err := c.conn.DispatchCall(t.Context(), "textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}})
	if err != nil {
		t.Fatal(err)
	}
	c.notify("textDocument/didChange", `{"textDocument": {"uri": "`+uri+`", "version": 2}, "contentChanges": []}`)
	close(first.release)
	close((<-c.runs).release)
	var refused *jsonrpc2.Error
	if err := call.Wait(t.Context(), nil); !errors.As(err, &refused) || refused.Code != codeContentModified {
		t.Errorf("got %v", err)
	}
}
