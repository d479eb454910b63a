package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rendered"
)

// document is one document of a file, as JSON.
type document struct {
	at   rendered.Origin
	json []byte
}

// splitter splits a file into its non-empty documents.
type splitter struct {
	file      string
	data      []byte
	documents []document
	// offset and line are the current position.
	offset, line int
}

// split reads consecutive JSON objects, YAML documents, or a JSON object followed by YAML, as kubectl does.
//
// Source: k8s.io/apimachinery/pkg/util/yaml (YAMLOrJSONDecoder).
func split(file string, data []byte) ([]document, error) {
	s := &splitter{file: file, data: data, line: 1}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		err := s.json()
		if err == nil || len(s.documents) > 1 {
			return s.documents, err
		}
	}
	err := s.yaml()
	return s.documents, err
}

// json reads objects up to the first error.
func (s *splitter) json() error {
	decoder := json.NewDecoder(bytes.NewReader(s.data))
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errorAt(s.here(), "%w", err)
		}
		end := int(decoder.InputOffset())
		s.skipTo(end - len(raw))
		s.documents = append(s.documents, document{at: s.here(), json: raw})
		s.skipTo(end)
	}
}

func (s *splitter) here() rendered.Origin { return rendered.Origin{File: s.file, Line: s.line} }

func (s *splitter) skipTo(offset int) {
	s.line += bytes.Count(s.data[s.offset:offset], []byte("\n"))
	s.offset = offset
}

// yaml reads documents between markers.
func (s *splitter) yaml() error {
	for next := s.offset; next < len(s.data); {
		line := s.data[next:endOfLine(s.data, next)]
		if rest, marker := bytes.CutPrefix(line, []byte("---")); marker {
			if err := s.endDocument(next); err != nil {
				return err
			}
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' {
				return errorAt(s.here(), "invalid Yaml document separator: %s; content begins on the line after ---", clip(string(rest)))
			}
			s.skipTo(next + len(line))
		}
		next += len(line)
	}
	return s.endDocument(len(s.data))
}

// endDocument ends the document before the offset.
func (s *splitter) endDocument(offset int) error {
	text := s.data[s.offset:offset]
	s.skipTo(offset - len(fromContent(text)))
	if s.offset == offset {
		return nil
	}
	raw, err := toJSON(text)
	if err != nil {
		return syntaxError(s.data, s.here(), err)
	}
	if !bytes.Equal(raw, []byte("null")) {
		s.documents = append(s.documents, document{at: s.here(), json: raw})
	}
	s.skipTo(offset)
	return nil
}

func endOfLine(data []byte, from int) int {
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(data)
}

// fromContent is the text without leading empty lines and comments.
func fromContent(text []byte) []byte {
	for len(text) > 0 {
		end := endOfLine(text, 0)
		if line := bytes.TrimSpace(text[:end]); len(line) > 0 && line[0] != '#' {
			break
		}
		text = text[end:]
	}
	return text
}

// toJSON converts a document with the library that operator-controller uses, because libraries differ: for this one, yes is
// true.
func toJSON(text []byte) ([]byte, error) {
	if err := checkAliases(text); err != nil {
		return nil, err
	}
	if err := checkEnd(text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

// checkEnd rejects content that the library would ignore: a second document that no marker separates from the first. There
// can only be one after flow style or an end marker.
func checkEnd(text []byte) error {
	content := fromContent(text)
	if len(content) == 0 || !strings.ContainsRune("{[\"'", rune(content[0])) && !bytes.Contains(text, []byte("\n...")) {
		return nil
	}
	decoder := yamlv2.NewDecoder(bytes.NewReader(text))
	var value any
	if decoder.Decode(&value) != nil {
		return nil // converting it fails as well, and reports the error
	}
	if err := decoder.Decode(&value); !errors.Is(err, io.EOF) {
		return errors.New("content after the end of the document would be ignored; separate documents with a line ---")
	}
	return nil
}

// syntaxError returns the position of an error from our own scanner, which has lines and columns of the file.
func syntaxError(data []byte, at rendered.Origin, err error) error {
	for _, doc := range manifest.Scan(at.File, data).Docs {
		var syntax *manifest.SyntaxError
		if errors.As(doc.Parse(), &syntax) {
			return syntax
		}
	}
	return errorAt(at, "%s", clip(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")))
}
