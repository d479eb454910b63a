package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"
)

// editor is a scripted client of salint lsp, over pipes.
type editor struct {
	t    testing.TB
	dir  string
	conn *jsonrpc2.Conn
	// in is where the server reads, for messages that are none.
	in io.Writer

	mu          sync.Mutex
	changed     chan struct{}
	diagnostics map[string]published
	messages    []string
	calls       []string
	code        chan int
	versions    map[string]int
	texts       map[string]string
}

// published are the last diagnostics of a file.
type published struct {
	Version     *int
	Diagnostics []lspDiagnostic
	count       int
}

type (
	lspPosition struct{ Line, Character int }
	lspRange    struct{ Start, End lspPosition }
	lspLocation struct {
		URI   string
		Range lspRange
	}
	lspDiagnostic struct {
		Range              lspRange
		Severity           int
		Code, Message      string
		CodeDescription    struct{ Href string }
		RelatedInformation []struct {
			Location lspLocation
			Message  string
		}
	}
	lspAction struct {
		Title, Kind string
		Edit        *lspEdit
		Disabled    *struct{ Reason string }
		Data        json.RawMessage
	}
	lspEdit struct{ DocumentChanges []json.RawMessage }
)

// editorCapabilities are those of a client with all features.
const editorCapabilities = `{
	"general": {"positionEncodings": ["utf-16"]},
	"workspace": {
		"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]},
		"didChangeWatchedFiles": {"dynamicRegistration": true}
	},
	"textDocument": {
		"codeAction": {"codeActionLiteralSupport": {}, "disabledSupport": true},
		"publishDiagnostics": {"relatedInformation": true, "codeDescriptionSupport": true}
	}
}`

// startEditor starts a server for a folder, and initializes it.
func startEditor(t testing.TB, dir, capabilities string, args ...string) *editor {
	t.Helper()
	e := launchEditor(t, dir, args...)
	params := fmt.Sprintf(`{"processId": null, "rootUri": %q, "capabilities": %s}`, fileURI(dir), capabilities)
	var result json.RawMessage
	e.call("initialize", json.RawMessage(params), &result)
	e.notify("initialized", struct{}{})
	return e
}

// launchEditor starts a server without a message.
func launchEditor(t testing.TB, dir string, args ...string) *editor {
	t.Helper()
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	e := &editor{
		t: t, dir: dir, in: fromEditor, changed: make(chan struct{}), diagnostics: map[string]published{}, code: make(chan int, 1),
		versions: map[string]int{}, texts: map[string]string{},
	}
	c := testCommand(dir, fromServer, io.Discard)
	c.Stdin = toServer
	go func() {
		e.code <- c.Main(append([]string{"lsp"}, args...))
		fromServer.Close()
	}()
	both := struct {
		io.Reader
		io.WriteCloser
	}{toEditor, fromEditor}
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(both, jsonrpc2.VSCodeObjectCodec{}), e)
	t.Cleanup(func() { e.conn.Close() })
	return e
}

// Handle takes what the server sends.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, m *jsonrpc2.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch m.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI string
			published
		}
		if err := json.Unmarshal(*m.Params, &p); err != nil {
			e.t.Error(err)
		}
		p.count = e.diagnostics[p.URI].count + 1
		e.diagnostics[p.URI] = p.published
	case "window/logMessage", "window/showMessage":
		var p struct{ Message string }
		if err := json.Unmarshal(*m.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.messages = append(e.messages, p.Message)
	default:
		e.calls = append(e.calls, m.Method)
	}
	close(e.changed)
	e.changed = make(chan struct{})
	if !m.Notif {
		go conn.Reply(ctx, m.ID, nil)
	}
}

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	if err := e.try(method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(e.t.Context(), time.Minute)
	defer cancel()
	return e.conn.Call(ctx, method, params, result)
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// until waits until a condition holds, which is checked after each message.
func (e *editor) until(what string, holds func() bool) {
	e.t.Helper()
	timeout := time.After(time.Minute)
	for {
		e.mu.Lock()
		done, changed := holds(), e.changed
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			e.t.Fatalf("no message: %s; %q", what, e.messages)
		}
	}
}

func fileURI(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
}

func (e *editor) uri(name string) string {
	return fileURI(filepath.Join(e.dir, filepath.FromSlash(name)))
}

func document(uri string) map[string]any { return map[string]any{"uri": uri} }

func (e *editor) open(name, text string) {
	e.t.Helper()
	e.versions[name], e.texts[name] = 1, text
	e.forget(name)
	e.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "languageId": "yaml", "version": 1, "text": text},
	})
}

// forget forgets the diagnostics of a file, to wait for new ones.
func (e *editor) forget(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.diagnostics, e.uri(name))
}

// forgetAll forgets the diagnostics of all open documents.
func (e *editor) forgetAll() {
	for name := range e.texts {
		e.forget(name)
	}
}

// change replaces a part of a document, given in bytes.
func (e *editor) change(name string, start, end int, with string) {
	e.t.Helper()
	text := e.texts[name]
	e.send(name, map[string]any{"range": map[string]any{"start": positionIn(text, start), "end": positionIn(text, end)}, "text": with})
	e.texts[name] = text[:start] + with + text[end:]
}

// set replaces a whole document.
func (e *editor) set(name, text string) {
	e.t.Helper()
	e.send(name, map[string]any{"text": text})
	e.texts[name] = text
}

func (e *editor) send(name string, change map[string]any) {
	e.t.Helper()
	e.versions[name]++
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": e.uri(name), "version": e.versions[name]},
		"contentChanges": []any{change},
	})
}

func (e *editor) close(name string) {
	e.t.Helper()
	delete(e.texts, name)
	e.notify("textDocument/didClose", map[string]any{"textDocument": document(e.uri(name))})
}

func (e *editor) save(name string) {
	e.t.Helper()
	e.notify("textDocument/didSave", map[string]any{"textDocument": document(e.uri(name))})
}

// found waits for the diagnostics of the current version of a document.
func (e *editor) found(name string) []lspDiagnostic {
	e.t.Helper()
	var p published
	e.until("the diagnostics of "+name, func() bool {
		p = e.diagnostics[e.uri(name)]
		return p.Version != nil && *p.Version == e.versions[name]
	})
	return p.Diagnostics
}

// positionIn converts an offset in a text whose lines end with a line feed to a position in UTF-16.
func positionIn(text string, offset int) map[string]int {
	line := strings.Count(text[:offset], "\n")
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return map[string]int{"line": line, "character": len(utf16.Encode([]rune(text[start:offset])))}
}

// offsetIn is the inverse of positionIn.
func offsetIn(text string, p lspPosition) int {
	offset := 0
	for range p.Line {
		next := strings.IndexByte(text[offset:], '\n')
		if next < 0 {
			return len(text)
		}
		offset += next + 1
	}
	units := 0
	for i, r := range text[offset:] {
		if units >= p.Character || r == '\n' {
			return offset + i
		}
		units += utf16.RuneLen(r)
	}
	return len(text)
}

// shutdown ends the server, and checks its exit code.
func (e *editor) shutdown() {
	e.t.Helper()
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	if code := <-e.code; code != exitOK {
		e.t.Errorf("exit code %d", code)
	}
}
