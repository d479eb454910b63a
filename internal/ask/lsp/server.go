package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/session"
)

// Options are what the server needs from the program.
type Options struct {
	Version string
	// Project reads the configuration of a repository. It is called before every run.
	Project func(context.Context, Place) (*Project, error)
}

// Place is where the configuration is read.
type Place struct {
	Repo *repo.Repo
	// Folder is the folder in which the editor works.
	Folder   string
	Settings Settings
	// Read returns the content of a file, which is that of the editor if the file is open. The path is absolute.
	Read func(file string, limit int64) ([]byte, error)
}

// Project is how a repository is linted. The trees are left out.
type Project struct {
	Lint session.Options
	Read loader.Options
	Plan plan.Options
}

// Settings are what the editor configures.
type Settings struct {
	// Target and Config are the flags --target and --config.
	Target string `json:"target"`
	Config string `json:"config"`
}

// ErrNoShutdown is the error of a client that ends the connection without the request for it.
var ErrNoShutdown = errors.New("the editor ended the connection without shutdown")

// Serve answers the messages of one editor until it ends the connection. The error is ErrNoShutdown, or that of ctx.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		Options: o, ctx: work, encoding: utf16Encoding, documents: map[string]*document{}, repositories: map[string]*repository{},
		requests: map[string]context.CancelCauseFunc{}, exit: make(chan struct{}), out: newOutbox(),
	}
	stream := newStream(in, out, func() error { return nil })
	conn := jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	defer conn.Close()
	s.background.Go(func() { s.out.send(work, conn) })
	select {
	case <-s.exit:
	case <-conn.DisconnectNotify():
	}
	interrupted := context.Cause(ctx)
	cancel() // runs and requests; the answers to these are sent
	s.background.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if interrupted != nil {
		return interrupted
	}
	if s.state != shutDown {
		return ErrNoShutdown
	}
	return nil
}

// state is how far the client has come in the life of a connection.
type state int

const (
	uninitialized state = iota
	running
	shutDown
)

// server is the state of a connection. The messages of the client are handled in their order; requests that take long are answered
// later, about the documents as they were when the request came.
type server struct {
	Options
	ctx        context.Context
	out        *outbox
	exit       chan struct{}
	background sync.WaitGroup

	mu           sync.Mutex
	state        state
	encoding     string
	client       clientCapabilities
	settings     Settings
	folders      []string
	documents    map[string]*document
	repositories map[string]*repository
	requests     map[string]context.CancelCauseFunc
	exited       bool
}

// Handle handles one message. It returns before the answer to a request is known, so that the next message can cancel it.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, m *jsonrpc2.Request) {
	params := json.RawMessage("null")
	if m.Params != nil {
		params = *m.Params
	}
	if m.Notif {
		s.notified(m.Method, params)
		return
	}
	answer, err := s.request(m.Method, params)
	if err != nil {
		s.reply(ctx, conn, m.ID, nil, err)
		return
	}
	if m.Method == "initialize" || m.Method == "shutdown" { // the next message can be one that must come after the answer
		result, err := answer(ctx)
		s.reply(ctx, conn, m.ID, result, err)
		return
	}
	key := m.ID.String()
	requestCtx, cancel := context.WithCancelCause(s.ctx)
	s.mu.Lock()
	s.requests[key] = cancel
	s.mu.Unlock()
	s.background.Go(func() {
		result, err := safely(func() (any, error) { return answer(requestCtx) })
		s.mu.Lock()
		delete(s.requests, key)
		s.mu.Unlock()
		if context.Cause(requestCtx) != nil {
			err = &jsonrpc2.Error{Code: codeRequestCancelled, Message: "the request was canceled"}
		}
		cancel(nil)
		s.reply(ctx, conn, m.ID, result, err)
	})
}

// safely turns a panic into an error: an internal error in one answer must not end the server.
func safely[T any](answer func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error: %v", p)}
		}
	}()
	return answer()
}

func (s *server) reply(ctx context.Context, conn *jsonrpc2.Conn, id jsonrpc2.ID, result any, err error) {
	if err == nil {
		_ = conn.Reply(ctx, id, result) // the connection is closed otherwise
		return
	}
	var known *jsonrpc2.Error
	if !errors.As(err, &known) {
		known = &jsonrpc2.Error{Code: codeRequestFailed, Message: safetext.Error(err)}
	}
	_ = conn.ReplyWithError(ctx, id, known)
}

// answer computes the result of a request.
type answer func(context.Context) (any, error)

// request returns the function that answers a request, about the documents as they are now. The error is that of the protocol.
func (s *server) request(method string, params json.RawMessage) (answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.state == uninitialized && method != "initialize":
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server is not initialized"}
	case s.state == running && method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is initialized already"}
	case s.state == shutDown:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down"}
	}
	switch method {
	case "initialize":
		return withParams(params, s.initialize)
	case "shutdown":
		s.state = shutDown
		return func(context.Context) (any, error) { return nil, nil }, nil
	case "textDocument/codeAction":
		return withParams(params, s.codeActions)
	case "codeAction/resolve":
		return withParams(params, s.resolveCodeAction)
	case "textDocument/hover":
		return withParams(params, s.hover)
	case "textDocument/codeLens":
		return withParams(params, s.codeLenses)
	case "textDocument/inlayHint":
		return withParams(params, s.inlayHints)
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("the method %q is not supported", safetext.Limit(method))}
}

// withParams reads the parameters of a request. The error is that of the protocol.
func withParams[T any](params json.RawMessage, handle func(T) (answer, error)) (answer, error) {
	var p T
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return handle(p)
}

// notified handles a notification. A notification has no answer: what is wrong with one is written to the log of the editor.
func (s *server) notified(method string, params json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == "exit" {
		if !s.exited {
			s.exited = true
			close(s.exit)
		}
		return
	}
	if s.state != running {
		return
	}
	var err error
	switch method {
	case "initialized":
		s.registerWatchers()
	case "textDocument/didOpen":
		err = handled(params, s.didOpen)
	case "textDocument/didChange":
		err = handled(params, s.didChange)
	case "textDocument/didSave":
		err = handled(params, s.didSave)
	case "textDocument/didClose":
		err = handled(params, s.didClose)
	case "workspace/didChangeWatchedFiles":
		s.readAgain()
	case "workspace/didChangeWorkspaceFolders":
		err = handled(params, s.didChangeFolders)
	case "workspace/didChangeConfiguration":
		err = handled(params, s.didChangeConfiguration)
	case "$/cancelRequest":
		err = handled(params, s.cancelRequest)
	}
	if err != nil {
		s.log(messageError, fmt.Sprintf("%s: %s", method, safetext.Error(err)))
	}
}

// handled reads the parameters of a notification.
func handled[T any](params json.RawMessage, handle func(T) error) error {
	var p T
	if err := json.Unmarshal(params, &p); err != nil {
		return fmt.Errorf("the notification was ignored: %w", err)
	}
	return handle(p)
}

func (s *server) initialize(p initializeParams) (answer, error) {
	s.state, s.client = running, p.Capabilities
	if slices.Contains(p.Capabilities.General.PositionEncodings, utf8Encoding) {
		s.encoding = utf8Encoding
	}
	for _, f := range p.WorkspaceFolders {
		s.addFolder(f.URI)
	}
	switch {
	case len(s.folders) > 0:
	case p.RootURI != nil:
		s.addFolder(*p.RootURI)
	case p.RootPath != nil && *p.RootPath != "":
		s.addFolder(uriOf(*p.RootPath))
	}
	if err := s.configure(p.InitializationOptions); err != nil {
		s.log(messageError, "initializationOptions: "+safetext.Error(err))
	}
	result := initializeResult{ServerInfo: serverInfo{"salint", s.Version}}
	c := &result.Capabilities
	c.PositionEncoding = s.encoding
	c.TextDocumentSync = textDocumentSyncOptions{OpenClose: true, Change: incrementalSync}
	c.HoverProvider, c.InlayHintProvider = true, true
	c.CodeActionProvider = codeActionOptions{CodeActionKinds: []string{quickFixKind, fixAllKind}, ResolveProvider: true}
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return func(context.Context) (any, error) { return result, nil }, nil
}

func (s *server) addFolder(uri string) {
	folder, err := pathOf(uri)
	if err != nil {
		s.log(messageWarning, "a workspace folder was ignored: "+safetext.Error(err))
		return
	}
	s.folders = append(s.folders, folder)
}

// watched are the files that change what is found. The editor reports changes that other programs make.
const watched = "**/*"

func (s *server) registerWatchers() {
	if !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	s.out.call("client/registerCapability", registrationParams{[]registration{{
		ID: "files", Method: "workspace/didChangeWatchedFiles",
		RegisterOptions: watchedFilesOptions{[]fileWatcher{{watched}}},
	}}})
}

func (s *server) cancelRequest(p cancelParams) error {
	var id jsonrpc2.ID
	if err := json.Unmarshal(p.ID, &id); err != nil {
		return err
	}
	if cancel := s.requests[id.String()]; cancel != nil {
		cancel(context.Canceled)
	}
	return nil
}

func (s *server) didChangeConfiguration(p didChangeConfigurationParams) error {
	if err := s.configure(p.Settings); err != nil {
		return err
	}
	for _, r := range s.repositories {
		r.changed()
	}
	return nil
}

// configure reads settings: those of the section salint, or those without a section. Null changes nothing.
func (s *server) configure(data json.RawMessage) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(data, &sections); err != nil {
		return fmt.Errorf("the settings are not an object: %w", err)
	}
	if section, ok := sections["salint"]; ok {
		if err := json.Unmarshal(section, &sections); err != nil {
			return fmt.Errorf("the settings of salint are not an object: %w", err)
		}
		data = section
	}
	if string(data) == "null" {
		return nil
	}
	var given Settings
	if err := json.Unmarshal(data, &given); err != nil {
		return fmt.Errorf("the settings were ignored: %w", err)
	}
	if given.Target != "" {
		if err := loader.CheckTarget(given.Target); err != nil {
			return fmt.Errorf("the settings were ignored: %w", err)
		}
	}
	s.settings = given
	return nil
}

// log writes a message to the log of the editor.
func (s *server) log(kind int, message string) {
	s.out.notify("window/logMessage", messageParams{kind, message})
}
