package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/lint/fixing"
)

// codeActions answers which fixes there are in a range. The edits are computed when the user chooses one, if the editor can ask for
// them then.
func (s *server) codeActions(p codeActionParams) (answer, error) {
	a, err := s.about(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	start, end, err := a.text.offsets(p.Range, s.encoding)
	if err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return func(ctx context.Context) (any, error) {
		out, err := a.await(ctx)
		if err != nil {
			return nil, err
		}
		actions := s.offered(a, out, start, end, p.Context.Only)
		resolves := s.resolves()
		kept := []codeAction{}
		for _, action := range actions {
			if !resolves {
				if err := s.complete(ctx, a, out, &action); err != nil {
					return nil, err
				}
			}
			if action.Disabled == nil || s.client.TextDocument.CodeAction.DisabledSupport {
				kept = append(kept, action)
			}
		}
		return kept, nil
	}, nil
}

// resolves reports whether the editor asks for the edit of an action later.
func (s *server) resolves() bool {
	c := s.client.TextDocument.CodeAction
	return c.DataSupport && slices.Contains(c.ResolveSupport.Properties, "edit")
}

// offered returns the actions for the findings that touch a part of a document, without their edits.
func (s *server) offered(a asked, out *result, start, end int, only []string) []codeAction {
	var actions []codeAction
	texts := newTexts(out)
	safe := 0
	seen := map[codeActionData]bool{}
	for _, f := range out.findingsIn(a.document.name) {
		if f.Fix == nil {
			continue
		}
		if f.Fix.Kind == finding.Safe {
			safe++
		}
		d := a.repository.diagnostic(texts, f)
		from, to, err := a.text.offsets(d.Range, s.encoding)
		data := codeActionData{a.uri, a.version, string(f.Fix.Kind), f.Fingerprint()}
		if err != nil || from > end || to < start || !wants(only, quickFixKind) || seen[data] {
			continue
		}
		seen[data] = true
		actions = append(actions, codeAction{
			Title: titleOf(f), Kind: quickFixKind, Diagnostics: []diagnostic{d}, IsPreferred: f.Fix.Kind == finding.Safe, Data: &data,
		})
	}
	if safe > 0 && wants(only, fixAllKind) {
		actions = append(actions, codeAction{
			Title: "salint: make all safe fixes in this file", Kind: fixAllKind, Data: &codeActionData{URI: a.uri, Version: a.version, Fix: string(finding.Safe)},
		})
	}
	return actions
}

// titleOf returns what a fix does, and its kind unless it is safe.
func titleOf(f finding.Finding) string {
	title := safetext.Text(f.Fix.Description)
	if title == "" {
		title = "fix " + f.Rule
	}
	if f.Fix.Kind != finding.Safe {
		title += " (" + string(f.Fix.Kind) + ")"
	}
	return "salint: " + title
}

// wants reports whether the editor wants actions of a kind. A kind includes those that begin with it and a dot.
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool { return o == kind || strings.HasPrefix(kind, o+".") })
}

// resolveCodeAction answers with the edit of an action.
func (s *server) resolveCodeAction(action codeAction) (answer, error) {
	if action.Data == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the code action has no data"}
	}
	a, err := s.about(action.Data.URI)
	if err != nil {
		return nil, err
	}
	if a.version != action.Data.Version {
		return nil, errModified
	}
	return func(ctx context.Context) (any, error) {
		out, err := a.await(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.complete(ctx, a, out, &action); err != nil {
			return nil, err
		}
		if action.Disabled != nil {
			return nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: action.Disabled.Reason}
		}
		return action, nil
	}, nil
}

// complete adds the edit to an action, or why there is none.
func (s *server) complete(ctx context.Context, a asked, out *result, action *codeAction) error {
	name := fmt.Sprintf("fix %s %s %s", a.document.name, action.Data.Fix, action.Data.Fingerprint)
	writes, err := known(ctx, a.repository, out, name, func() ([]commit.Write, error) { return a.writes(ctx, out, *action.Data) })
	if err != nil {
		return err
	}
	if len(writes) == 0 {
		action.Disabled = &disabled{"the fix was not verified, so it is not made; salint lint --fix gives the reason"}
		return nil
	}
	edit, why := s.edit(a, out, writes)
	if why != "" {
		action.Disabled = &disabled{why}
		return nil
	}
	for _, w := range writes {
		if out.state.documents[w.Path] == nil && !out.state.disk.isUnchanged(w.Path, w.Before) {
			s.mu.Lock()
			a.repository.readAgain()
			s.mu.Unlock()
			return errModified
		}
	}
	action.Edit, action.Data = edit, nil
	return nil
}

// writes makes fixes, as `salint lint --fix --shared` does for one file: those of one finding, or all of a kind. They are proven, and
// nothing is written.
func (a asked) writes(ctx context.Context, out *result, of codeActionData) ([]commit.Write, error) {
	kind := finding.FixKind(of.Fix)
	fixes := fixing.Fixes{
		Apply: true, Prove: true, Unsafe: kind == finding.Unsafe, Prune: kind == finding.Prune, PruneOnly: kind == finding.Prune,
	}
	if of.Fingerprint != "" {
		fixes.Only = func(f finding.Finding) bool { return f.Fingerprint() == of.Fingerprint }
	}
	fixed, err := a.repository.lint(ctx, out, map[string]bool{a.document.name: true}, fixes)
	if err != nil {
		return nil, err
	}
	return fixed.Writes, nil
}

// edit converts writes to an edit that the editor applies only to the versions of the documents from which it was computed. If the
// editor cannot apply it, why is the reason.
func (s *server) edit(a asked, out *result, writes []commit.Write) (edit *workspaceEdit, why string) {
	client := s.client.Workspace.WorkspaceEdit
	// Neovim announces only the operations, which are a part of documentChanges.
	if !client.DocumentChanges && len(client.ResourceOperations) == 0 {
		return nil, "the editor does not support edits of a version of a document (documentChanges)"
	}
	edit = &workspaceEdit{}
	for _, w := range writes {
		uri := a.repository.uri(out.state, w.Path)
		if !utf8.Valid(w.Before) || !utf8.Valid(w.After) {
			return nil, w.Path + " is not UTF-8, which editors convert: use salint lint --fix"
		}
		switch {
		case w.After == nil:
			if !slices.Contains(client.ResourceOperations, "delete") {
				return nil, "the editor cannot delete " + w.Path + ", as the fix does: use salint lint --fix"
			}
			edit.DocumentChanges = append(edit.DocumentChanges, deleteFile{"delete", uri})
			continue
		case w.Before == nil:
			if !slices.Contains(client.ResourceOperations, "create") {
				return nil, "the editor cannot create " + w.Path + ", as the fix does: use salint lint --fix"
			}
			edit.DocumentChanges = append(edit.DocumentChanges, createFile{"create", uri})
		}
		id := versionedIdentifier{URI: uri}
		if d := out.state.documents[w.Path]; d != nil {
			id.Version = &d.version
		}
		edit.DocumentChanges = append(edit.DocumentChanges, textDocumentEdit{id, textEdits(string(w.Before), string(w.After), s.encoding)})
	}
	return edit, ""
}

// textEdits returns the edits of lines that turn a text into another.
func textEdits(before, after, encoding string) []textEdit {
	text := newText(before)
	edits := []textEdit{}
	for _, e := range udiff.Lines(before, after) {
		edits = append(edits, textEdit{text.span(e.Start, e.End, encoding), e.New})
	}
	return edits
}
