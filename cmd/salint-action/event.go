package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// event is the part of a webhook payload with the commit that a run is compared with. Source: docs.github.com, "Webhook
// events and payloads".
type event struct {
	Before      string `json:"before"`
	Forced      bool   `json:"forced"`
	PullRequest struct {
		Base struct {
			SHA string `json:"sha"`
		} `json:"base"`
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
	} `json:"merge_group"`
}

// commitName matches the full name of a commit, in SHA-1 or SHA-256. Other values of the payload are not passed to git,
// because the payload is untrusted.
var commitName = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// baseRevision returns the commit that the event in the file compares with: the base of a pull request or of a merge group,
// or the commit of a branch before a push. It is "" for events without such a commit: a schedule, the first push of a
// branch, and a forced push, whose old commits no clone has.
func baseRevision(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the event: %w", err)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return "", fmt.Errorf("reading the event %s: %w", file, err)
	}
	if e.Forced {
		return "", nil
	}
	for _, candidate := range []string{e.PullRequest.Base.SHA, e.MergeGroup.BaseSHA, e.Before} {
		if commitName().MatchString(candidate) && strings.Trim(candidate, "0") != "" {
			return candidate, nil
		}
	}
	return "", nil
}
