package answer

import (
	"fmt"
	"io"
)

// WriteAll prints several answers in a format. In JSON the others are in the first; in the other formats they follow it.
func WriteAll(w io.Writer, format string, answers []Answer) error {
	if format == "json" {
		answers[0].Others = answers[1:]
		return answers[0].Write(w, format)
	}
	for i, a := range answers {
		if i > 0 {
			if _, err := fmt.Fprint(w, separators[format]); err != nil {
				return err
			}
		}
		if err := a.Write(w, format); err != nil {
			return err
		}
	}
	return nil
}

// separators are printed between answers.
var separators = map[string]string{"text": "\n", "yaml": "---\n", "markdown": "\n"}
