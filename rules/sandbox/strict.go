package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/rules/metadata"
)

// checkDocument returns an error for a file of data of which a part would be ignored: the first of two values of a key, and all documents
// behind the first one.
func checkDocument(d metadata.Document) error {
	if path.Ext(d.Name) == ".json" {
		return checkJSON(d)
	}
	if docs := manifest.Scan(d.Name, d.Source).Docs; len(docs) > 1 {
		line, _ := docs[1].File.Position(docs[1].Span.Start)
		return fmt.Errorf("%s:%d: a file of data has one document, and this one has %d: join them", d.Name, line, len(docs))
	}
	_, err := yaml.YAMLToJSONStrict(d.Source)
	if err == nil {
		return nil
	}
	_, text, found := strings.Cut(err.Error(), "line ")
	line, problem, is := strings.Cut(text, ": ")
	if !found || !is || strings.Contains(line, " ") {
		return fmt.Errorf("%s: the data cannot be read: %w", d.Name, err)
	}
	problem, _, _ = strings.Cut(problem, "\n")
	return fmt.Errorf("%s:%s: %s", d.Name, line, problem)
}

func checkJSON(d metadata.Document) error {
	decoder := json.NewDecoder(bytes.NewReader(d.Source))
	if err := checkValue(decoder); err != nil {
		line := 1 + bytes.Count(d.Source[:min(int(decoder.InputOffset()), len(d.Source))], []byte("\n"))
		return fmt.Errorf("%s:%d: %w", d.Name, line, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: a file of data has one value, and this one has more", d.Name)
	}
	return nil
}

// checkValue reads a value, and returns an error for a key that an object has twice.
func checkValue(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, is := token.(json.Delim)
	if !is {
		return nil
	}
	keys := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			token, err := decoder.Token()
			if err != nil {
				return err
			}
			key, _ := token.(string)
			if keys[key] {
				return fmt.Errorf("the key %q is in the object twice", key)
			}
			keys[key] = true
		}
		if err := checkValue(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
