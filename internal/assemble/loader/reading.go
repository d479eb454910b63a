package loader

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// Reading says whether a document or a file is parsed, and why or why not.
type Reading int

const (
	// NotNeeded means that no rule and no question concerns the kind and the words of the document.
	NotNeeded Reading = iota
	// Skippable means that rules concern the document, and that its bytes show that they find nothing in it.
	Skippable
	// Unconnected means that rules ask about objects of this kind if a name leads to them, and that no name leads here so far.
	Unconnected

	// Requested means that a rule judges the document, or that a question asks about it.
	Requested
	// Context means that rules ask about all objects of this kind.
	Context
	// Connected means that a chain of names leads to the document from one that is parsed.
	Connected
	// AppliedSettings means that an application takes values or variables from the document.
	AppliedSettings
	// RenamedAccount means that an overlay, an application or a chart may give the account a name that an extension uses.
	RenamedAccount

	// LeftOut means that the walk did not read the file, for a reason that Unread has in words.
	LeftOut
	// TooLarge means that the file is over the size limit.
	TooLarge
	// NotCheckedOut means that git's index has the file, that the checkout leaves it out, and that it cannot be read from the index.
	NotCheckedOut
	// Unreadable means that reading the file failed.
	Unreadable
	// NotText means that the file has a zero byte.
	NotText
	// Invalid means that the document is not valid YAML.
	Invalid
	// OverBudget means that the document is valid YAML with too many values.
	OverBudget
	// Template means that ytt renders the document before it is applied.
	Template
	// Excluded means that the configuration or an ignore rule excludes the file.
	Excluded
	// Unsupported means that the API group of the document is not understood.
	Unsupported
)

// Parsed reports whether the document is parsed.
func (r Reading) Parsed() bool { return r >= Requested && r <= RenamedAccount }

// Unread is a file, or a document of a file, that could hold objects and was not parsed.
type Unread struct {
	File    string
	Reading Reading
	// Place is the file, or the position of the document in it.
	Place string
	// Reason is the reason in words.
	Reason string
	// Doc is the document; nil for a whole file.
	Doc *manifest.Document
	// Data is the content of the file or the document; nil if it is not known.
	Data []byte
}

// unparsedDocument returns a document that could not be parsed: it is not valid YAML, or has too many values.
func unparsedDocument(doc *manifest.Document, err error) Unread {
	var syntax *manifest.SyntaxError
	if errors.As(err, &syntax) && syntax.Limit {
		return overBudget(doc)
	}
	return unreadDocument(doc, Invalid, "it is not valid YAML")
}

// overBudget returns a document that has too many values, or whose aliases stand for too many.
func overBudget(doc *manifest.Document) Unread {
	return unreadDocument(doc, OverBudget, "it has too many values")
}

// templateDocument returns a document of a ytt template.
func templateDocument(doc *manifest.Document) Unread {
	return unreadDocument(doc, Template, "it is a ytt template")
}

func unreadDocument(doc *manifest.Document, reading Reading, reason string) Unread {
	line, _ := doc.File.Position(doc.Span.Start)
	return Unread{
		File: doc.File.Path, Reading: reading, Place: fmt.Sprintf("%s:%d", doc.File.Path, line), Reason: reason,
		Doc: doc, Data: doc.Bytes(),
	}
}

// binaryFile returns a file that is not text, or whose text is elsewhere.
func binaryFile(file repo.File) Unread {
	reason := "it is not UTF-8 text"
	if bytes.HasPrefix(file.Data, []byte(pointer)) {
		reason = "it is a pointer of Git LFS"
	}
	return Unread{File: file.Path, Reading: NotText, Place: file.Path, Reason: reason, Data: file.Data}
}

// Text returns the content in the form in which words are searched in it; nil if it is not known.
func (u Unread) Text() []byte {
	if u.Doc != nil {
		return u.Data
	}
	return SearchText(u.File, u.Data)
}

// Unknown reports whether nothing is known about the content of the file, although it may hold manifests.
func (u Unread) Unknown() bool {
	return u.Reading == Unreadable || u.Reading == TooLarge || u.Reading == NotCheckedOut
}

// skippedFile returns a file that a walk did not read.
func skippedFile(skip repo.Skip) Unread {
	reading := LeftOut
	switch {
	case skip.Unreadable:
		reading = Unreadable
	case skip.TooLarge:
		reading = TooLarge
	case skip.NotCheckedOut:
		reading = NotCheckedOut
	}
	return Unread{File: skip.Path, Reading: reading, Place: skip.Path, Reason: skip.Reason}
}

// Problem returns what is reported about a file that a walk did not read.
func (u Unread) Problem() Problem {
	p := fileProblem(u.File, "not read: "+u.Reason)
	p.Invalid = u.Reading == Unreadable
	return p
}
