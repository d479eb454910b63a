package lsp

import "encoding/json"

// These are the messages of version 3.17 of the protocol that the server reads and writes, with the fields that it uses.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/

// Error codes of the protocol, in addition to those of JSON-RPC.
const (
	codeNotInitialized   = -32002
	codeRequestFailed    = -32803
	codeContentModified  = -32801
	codeRequestCancelled = -32800
)

// The encodings of Position.Character.
const (
	utf8Encoding  = "utf-8"
	utf16Encoding = "utf-16"
)

type initializeParams struct {
	RootURI               *string            `json:"rootUri"`
	RootPath              *string            `json:"rootPath"`
	WorkspaceFolders      []workspaceFolder  `json:"workspaceFolders"`
	Capabilities          clientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		Configuration         bool `json:"configuration"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		CodeLens struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"codeLens"`
		InlayHint struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"inlayHint"`
	} `json:"workspace"`
	TextDocument struct {
		CodeAction struct {
			CodeActionLiteralSupport *struct{} `json:"codeActionLiteralSupport"`
			DataSupport              bool      `json:"dataSupport"`
			DisabledSupport          bool      `json:"disabledSupport"`
			ResolveSupport           struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		PublishDiagnostics struct {
			RelatedInformation     bool `json:"relatedInformation"`
			CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type serverCapabilities struct {
	PositionEncoding   string                  `json:"positionEncoding"`
	TextDocumentSync   textDocumentSyncOptions `json:"textDocumentSync"`
	HoverProvider      bool                    `json:"hoverProvider"`
	CodeActionProvider codeActionOptions       `json:"codeActionProvider"`
	CodeLensProvider   struct{}                `json:"codeLensProvider"`
	InlayHintProvider  bool                    `json:"inlayHintProvider"`
	Workspace          struct {
		WorkspaceFolders struct {
			Supported           bool `json:"supported"`
			ChangeNotifications bool `json:"changeNotifications"`
		} `json:"workspaceFolders"`
	} `json:"workspace"`
}

// incrementalSync is the kind of synchronization in which changes are ranges; a client can send full texts anyway.
const incrementalSync = 2

type textDocumentSyncOptions struct {
	OpenClose bool     `json:"openClose"`
	Change    int      `json:"change"`
	Save      struct{} `json:"save"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
	ResolveProvider bool     `json:"resolveProvider"`
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a Range of the protocol: the end is exclusive.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textDocumentIdentifier struct {
	URI string `json:"uri"`
}

// versionedIdentifier names a document; the version is null for one that is not open.
type versionedIdentifier struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type didOpenParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   versionedIdentifier `json:"textDocument"`
	ContentChanges []contentChange     `json:"contentChanges"`
}

// contentChange replaces a range, or without one the whole text.
type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type textDocumentParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
}

type positionParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Position     position               `json:"position"`
}

type rangeParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Range        span                   `json:"range"`
}

type didChangeFoldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

type didChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type diagnostic struct {
	Range              span                 `json:"range"`
	Severity           int                  `json:"severity"`
	Code               string               `json:"code,omitempty"`
	CodeDescription    *codeDescription     `json:"codeDescription,omitempty"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	RelatedInformation []relatedInformation `json:"relatedInformation,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// Kinds of code actions.
const (
	quickFixKind = "quickfix"
	fixAllKind   = "source.fixAll.salint"
)

type codeActionParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Range        span                   `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string          `json:"title"`
	Kind        string          `json:"kind"`
	Diagnostics []diagnostic    `json:"diagnostics,omitempty"`
	IsPreferred bool            `json:"isPreferred,omitempty"`
	Disabled    *disabled       `json:"disabled,omitempty"`
	Edit        *workspaceEdit  `json:"edit,omitempty"`
	Data        *codeActionData `json:"data,omitempty"`
}

type disabled struct {
	Reason string `json:"reason"`
}

// codeActionData identifies a fix until codeAction/resolve: the fixes of a kind in a document, of one finding or of all.
type codeActionData struct {
	URI         string `json:"uri"`
	Version     int    `json:"version"`
	Fix         string `json:"fix"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// workspaceEdit holds textDocumentEdit, createFile, and deleteFile.
type workspaceEdit struct {
	DocumentChanges []any `json:"documentChanges"`
}

type textDocumentEdit struct {
	TextDocument versionedIdentifier `json:"textDocument"`
	Edits        []textEdit          `json:"edits"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type createFile struct {
	Kind string `json:"kind"` // create
	URI  string `json:"uri"`
}

type deleteFile struct {
	Kind string `json:"kind"` // delete
	URI  string `json:"uri"`
}

type hover struct {
	Contents markupContent `json:"contents"`
	Range    *span         `json:"range,omitempty"`
}

type markupContent struct {
	Kind  string `json:"kind"` // markdown
	Value string `json:"value"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

// command is the text of a code lens. Its command is empty: there is nothing to run.
type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// Types of messages to the user.
const (
	messageError   = 1
	messageWarning = 2
	messageInfo    = 3
)

type messageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

type registrationParams struct {
	Registrations []registration `json:"registrations"`
}

type registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions"`
}

type watchedFilesOptions struct {
	Watchers []fileWatcher `json:"watchers"`
}

type fileWatcher struct {
	GlobPattern string `json:"globPattern"`
}

type configurationParams struct {
	Items []configurationItem `json:"items"`
}

type configurationItem struct {
	Section string `json:"section"`
}
