package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/salint/salint/internal/output/markdown"
)

// comment is the comment on a pull request that a step writes and later updates. The script comment.sh sends it: this program uses no network.
type comment struct {
	// marker is a line that readers do not see, by which the comment is found again.
	marker string
}

// newComment returns the comment of a step. Steps of one workflow that check other paths or targets have other comments.
func newComment(getenv func(string) string) comment {
	var of []string
	for _, name := range []string{"GITHUB_WORKFLOW", "GITHUB_JOB", "INPUT_PATHS", "INPUT_TARGET"} {
		of = append(of, getenv(name))
	}
	sum := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	return comment{fmt.Sprintf("<!-- salint %x -->", sum[:8])}
}

// nothing replaces a comment whose reasons are gone.
const nothing = "## salint: nothing to report\n\nWhat an earlier commit of this pull request was told about is gone."

// body returns the body of the request that writes or updates the comment, as JSON.
func (c comment) body(text string) ([]byte, error) {
	if text = strings.TrimSpace(text); text == "" {
		text = nothing
	}
	all := []rune(c.marker + "\n" + text)
	if len(all) > markdown.Limit {
		const cut = "\n\nThe comment is longer than GitHub allows; the job summary has the rest.\n"
		all = append(all[:markdown.Limit-len(cut)], []rune(cut)...)
	}
	return json.Marshal(map[string]string{"body": string(all)})
}

// find prints the number of the comment among those of a pull request, read as lists of the API. Only what a workflow wrote counts: anybody else
// who knows the marker could edit the comment later.
func (c comment) find(lists io.Reader, out io.Writer) error {
	type posted struct {
		ID   int64  `json:"id"`
		Body string `json:"body"`
		User struct {
			Type string `json:"type"`
		} `json:"user"`
	}
	decoder := json.NewDecoder(lists)
	for {
		var list []posted
		if err := decoder.Decode(&list); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the comments of the pull request: %w", err)
		}
		for _, p := range list {
			if p.User.Type == "Bot" && strings.HasPrefix(p.Body, c.marker) {
				_, err := fmt.Fprintln(out, p.ID)
				return err
			}
		}
	}
}

// addComment writes the body of the comment to a file that the next step of the action sends, and whether there is something to say. Without,
// only a comment that exists is updated.
func (s *Step) addComment(in Inputs, say bool, text summary) error {
	if !in.Comment {
		return nil
	}
	content := ""
	if say {
		content = text.of(summaryFull)
	}
	body, err := newComment(s.Getenv).body(content)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(s.Getenv("RUNNER_TEMP"), "salint-comment-")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(body); err != nil {
		return err
	}
	return appendTo(s.Getenv("GITHUB_OUTPUT"), formatOutputs([]output{{"comment-file", file.Name()}, {"comment-new", fmt.Sprint(say)}}))
}
