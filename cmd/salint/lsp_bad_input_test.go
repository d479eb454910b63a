package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// frame is a message with its header.
func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// codeOfError returns the code of an error of the protocol.
func codeOfError(err error) int64 {
	var e *jsonrpc2.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code
}

// TestLSPBrokenMessages sends what is not a message, and then a message, which the server answers.
func TestLSPBrokenMessages(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		input string
		code  string
	}{
		"no JSON":                           {frame("{"), "-32700"},
		"a batch":                           {frame(`[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`), "-32600"},
		"neither of the two":                {frame(`{"jsonrpc":"2.0"}`), "-32600"},
		"both":                              {frame(`{"jsonrpc":"2.0","id":1,"method":"x","result":1}`), "-32600"},
		"a text":                            {frame(`"shutdown"`), "-32600"},
		"a number as a method":              {frame(`{"jsonrpc":"2.0","id":1,"method":5}`), "-32600"},
		"an object as an id":                {frame(`{"jsonrpc":"2.0","id":{},"method":"x"}`), "-32600"},
		"no length":                         {"Content-Type: x\r\n\r\n", "-32700"},
		"a negative length":                 {"Content-Length: -1\r\n", "-32700"},
		"no number":                         {"Content-Length: many\r\n", "-32700"},
		"a long header":                     {strings.Repeat("x", 100_000) + "\r\n", "-32700"},
		"a broken frame before a whole one": {"Content-Length: 3\r\n\r\n{}}garbage", "-32700"},
		"no frame":                          {"hello\r\n\r\n", "-32700"},
		"a deep value":                      {frame(strings.Repeat("[", 100_000)), "-32700"},
		"not initialized":                   {frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover"}`), "-32002"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c := testCommand(t.TempDir(), &out, io.Discard)
			c.Stdin = strings.NewReader(test.input + frame(`{"jsonrpc":"2.0","id":"last","method":"initialize","params":{"capabilities":{}}}`) +
				frame(`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`))
			if code := c.Main([]string{"lsp"}); code != exitOK {
				t.Errorf("exit code %d", code)
			}
			got := out.String()
			if !strings.Contains(got, `"code":`+test.code) || !strings.Contains(got, `"id":"last","result"`) && !strings.Contains(got, `"result":{"capabilities"`) {
				t.Errorf("want the error %s and an answer, got %s", test.code, got)
			}
		})
	}
}

// TestLSPRefusals sends messages that cannot be answered: the server refuses them with the protocol's own errors, and goes on.
func TestLSPRefusals(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.yaml": lspExtension, ".salint.yaml": "target: olm-1.11\nlimits: {fileSize: 4KiB}\n"}
	e := startEditor(t, lspFolder(t, files), editorCapabilities)
	position := map[string]any{"position": lspPosition{}.json()}
	about := func(uri string) map[string]any {
		return map[string]any{"textDocument": document(uri), "position": position["position"]}
	}
	e.open("a.yaml", lspExtension)
	e.compare("open", files)
	for name, test := range map[string]struct {
		method string
		params any
		code   int64
	}{
		"an unknown method":        {"textDocument/definition", about(e.uri("a.yaml")), jsonrpc2.CodeMethodNotFound},
		"an unknown $/ request":    {"$/unknown", nil, jsonrpc2.CodeMethodNotFound},
		"initialized twice":        {"initialize", map[string]any{}, jsonrpc2.CodeInvalidRequest},
		"params of another type":   {"textDocument/hover", []int{1}, jsonrpc2.CodeInvalidParams},
		"a position below zero":    {"textDocument/hover", map[string]any{"textDocument": document(e.uri("a.yaml")), "position": map[string]int{"line": -1}}, jsonrpc2.CodeInvalidParams},
		"a document not open":      {"textDocument/hover", about(e.uri("b.yaml")), -32803},
		"a document outside":       {"textDocument/hover", about("file:///etc/passwd"), -32803},
		"an action without a fix":  {"codeAction/resolve", map[string]any{"title": "x"}, jsonrpc2.CodeInvalidParams},
		"an action of the past":    {"codeAction/resolve", map[string]any{"title": "x", "data": map[string]any{"uri": e.uri("a.yaml"), "version": 0}}, -32801},
		"a range that is reversed": {"textDocument/codeAction", map[string]any{"textDocument": document(e.uri("a.yaml")), "range": map[string]any{"start": map[string]int{"line": 5}, "end": map[string]int{"line": 1}}}, jsonrpc2.CodeInvalidParams},
	} {
		if err := e.try(test.method, test.params, nil); codeOfError(err) != test.code {
			t.Errorf("%s: got %v, want the code %d", name, err, test.code)
		}
	}
	e.notify("$/unknown", nil)
	e.notify("textDocument/unknown", nil)
	says := func(what, text string) {
		t.Helper()
		e.until(what, func() bool { return strings.Contains(strings.Join(e.messages, "\n"), text) })
	}
	e.notify("textDocument/didChange", []int{1})
	says("wrong params", "textDocument/didChange: the notification was ignored")
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri("b.yaml"), "version": 2}})
	says("not open", "b.yaml is not open")
	for _, version := range []int{-1, 0, 1} {
		e.notify("textDocument/didChange", map[string]any{
			"textDocument": map[string]any{"uri": e.uri("a.yaml"), "version": version}, "contentChanges": []any{map[string]any{"text": "stale"}},
		})
		says("a stale version", fmt.Sprintf("the change to version %d was ignored", version))
	}
	e.notify("textDocument/didChange", map[string]any{"textDocument": document(e.uri("a.yaml")), "contentChanges": []any{}})
	says("no version", "the change has no version")
	for _, uri := range []string{"file:///etc/passwd", "untitled:Untitled-1", "http://example.org/a.yaml", "file://server/a.yaml", "%zz", e.uri("../a.yaml")} {
		e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": lspExtension}})
		says("outside", "is not checked: ")
		if err := e.try("textDocument/hover", about(uri), nil); codeOfError(err) != -32803 {
			t.Errorf("%s: %v", uri, err)
		}
	}
	e.forget("a.yaml")
	e.change("a.yaml", 0, 0, "# still here\n")
	e.compare("after all of that", files)

	e.send("a.yaml", map[string]any{"range": map[string]any{"start": lspPosition{Line: 3}.json(), "end": lspPosition{}.json()}, "text": "x"})
	if got := e.found("a.yaml"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "not checked: the editor sent a change that cannot be applied") {
		t.Errorf("after a reversed range: %+v", got)
	}
	if err := e.try("textDocument/hover", about(e.uri("a.yaml")), nil); codeOfError(err) != -32803 {
		t.Errorf("after a reversed range: %v", err)
	}
	e.set("a.yaml", lspExtension)
	e.compare("after a full text", files)
	e.set("a.yaml", lspExtension+"#"+strings.Repeat("x", 5000)+"\n")
	if got := e.found("a.yaml"); len(got) != 1 || got[0].Code != "repo/not-checked" {
		t.Errorf("over the size limit: %+v", got)
	}

	fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n", 100<<20)
	for range 100 {
		if _, err := e.in.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	e.set("a.yaml", lspExtension)
	e.compare("after a message of 100 MiB", files)
	e.call("shutdown", nil, nil)
	if err := e.try("textDocument/hover", about(e.uri("a.yaml")), nil); codeOfError(err) != jsonrpc2.CodeInvalidRequest {
		t.Errorf("after shutdown: %v", err)
	}
	e.notify("exit", nil)
	if code := <-e.code; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// TestLSPEnds checks the exit code if the editor ends without shutdown.
func TestLSPEnds(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"", frame(`{"jsonrpc":"2.0","method":"exit"}`), "Content-Length: 10\r\n\r\n{"} {
		var stderr bytes.Buffer
		c := testCommand(t.TempDir(), io.Discard, &stderr)
		c.Stdin = strings.NewReader(input)
		if code := c.Main([]string{"lsp"}); code != exitError || !strings.Contains(stderr.String(), "without shutdown") {
			t.Errorf("%q: exit code %d, %s", input, code, stderr.String())
		}
	}
}

// TestLSPQuestions asks about an extension, an account, a role, and a subject.
func TestLSPQuestions(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.yaml": lspExtension, "rbac.yaml": lspRBAC, ".salint.yaml": "target: olm-1.10\n"}
	e := startEditor(t, lspFolder(t, files), editorCapabilities)
	rbac := strings.Replace(lspRBAC, "get, create", "get, patch", 1) // is not saved
	e.open("a.yaml", lspExtension)
	e.open("rbac.yaml", rbac)
	at := func(name, word string) map[string]any {
		return map[string]any{"textDocument": document(e.uri(name)), "position": positionIn(e.texts[name], strings.Index(e.texts[name], word)+1)}
	}
	for _, test := range []struct {
		name, word string
		want       []string
	}{
		{"a.yaml", "argocd-installer", []string{"Effective permissions of `system:serviceaccount:argocd:argocd-installer`", "`get, patch` `deployments.apps`"}},
		{"a.yaml", "ClusterExtension", []string{"Effective permissions of `system:serviceaccount:argocd:argocd-installer`"}},
		{"rbac.yaml", "argocd-installer\n  namespace", []string{"Effective permissions of", "`get, patch` `deployments.apps`"}},
		{"rbac.yaml", "kind: ServiceAccount\n    name", []string{"Effective permissions of", "`get, patch` `deployments.apps`"}},
		{"rbac.yaml", "kind: ClusterRole\n  name", []string{"The binding grants", "`get, patch` `deployments.apps`"}},
		{"rbac.yaml", "ClusterRole\nmetadata", []string{"The role allows", "Its holders", "argocd-installer"}},
	} {
		var got struct{ Contents struct{ Kind, Value string } }
		e.call("textDocument/hover", at(test.name, test.word), &got)
		for _, want := range test.want {
			if !strings.Contains(got.Contents.Value, want) {
				t.Errorf("%s: %q: %q lacks %q", test.name, test.word, got.Contents.Value, want)
			}
		}
	}
	var nothing *struct{}
	e.call("textDocument/hover", at("a.yaml", "catalog:"), &nothing)
	if nothing != nil {
		t.Error("a hover on a field without an identity")
	}
	var lenses []struct{ Command struct{ Title string } }
	e.call("textDocument/codeLens", at("a.yaml", "kind"), &lenses)
	if len(lenses) != 1 || !strings.HasPrefix(lenses[0].Command.Title, "target olm-1.10 · olm-1.10: works") || !strings.Contains(lenses[0].Command.Title, "olm-1.11: ") {
		t.Errorf("lenses: %+v", lenses)
	}
	whole := e.actionParams("a.yaml")
	var hints []struct {
		Label    string
		Position lspPosition
	}
	e.call("textDocument/inlayHint", whole, &hints)
	if len(hints) != 1 || hints[0].Label != "target olm-1.10" || hints[0].Position.Line != 1 {
		t.Errorf("hints: %+v", hints)
	}
	e.forget("a.yaml")
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"salint": map[string]any{"target": "olm-1.11"}}})
	if got := e.found("a.yaml"); len(got) != 1 || got[0].Code != "olm/service-account-deprecated" {
		t.Errorf("with another target: %+v", got)
	}
	e.call("textDocument/inlayHint", whole, &hints)
	if len(hints) != 1 || hints[0].Label != "target olm-1.11" {
		t.Errorf("hints: %+v", hints)
	}
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"target": "no-such-release"}})
	e.until("an unknown target", func() bool { return strings.Contains(strings.Join(e.messages, "\n"), "no-such-release") })
	e.shutdown()
}

// TestLSPWithoutFeatures serves a client that has none of the optional features.
func TestLSPWithoutFeatures(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.yaml": lspExtension, ".salint.yaml": "target: olm-1.11\n"}
	e := startEditor(t, lspFolder(t, files), `{}`)
	e.open("a.yaml", lspExtension)
	if got := e.found("a.yaml"); len(got) != 1 || got[0].CodeDescription.Href != "" {
		t.Errorf("%+v", got)
	}
	if got := e.actions("a.yaml"); len(got) != 0 {
		t.Errorf("actions that the client cannot apply: %+v", got)
	}
	if len(e.calls) > 0 {
		t.Errorf("requests that the client does not support: %q", e.calls)
	}
	e.shutdown()
}

// TestLSPResolves gets the edit of an action later.
func TestLSPResolves(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.yaml": lspExtension, ".salint.yaml": "target: olm-1.11\n"}
	capabilities := strings.Replace(editorCapabilities, `"disabledSupport": true`, `"dataSupport": true, "resolveSupport": {"properties": ["edit"]}`, 1)
	e := startEditor(t, lspFolder(t, files), capabilities)
	e.open("a.yaml", lspExtension)
	var actions []json.RawMessage
	e.call("textDocument/codeAction", e.actionParams("a.yaml", "quickfix"), &actions)
	if len(actions) != 1 || bytes.Contains(actions[0], []byte(`"edit"`)) {
		t.Fatalf("%s", actions)
	}
	var resolved lspAction
	e.call("codeAction/resolve", actions[0], &resolved)
	if got := e.applied(files, resolved.Edit)["a.yaml"]; got != strings.Replace(lspExtension, "  serviceAccount:\n    name: argocd-installer\n", "", 1) {
		t.Errorf("got %s", got)
	}
	e.change("a.yaml", 0, 0, "#\n")
	if err := e.try("codeAction/resolve", actions[0], nil); codeOfError(err) != -32801 {
		t.Errorf("after a change: %v", err)
	}
	e.shutdown()
}
