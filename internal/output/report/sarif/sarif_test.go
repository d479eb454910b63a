package sarif

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/config/finding"
)

// runIn writes a result and reads its run back.
func runIn(t *testing.T, r *finding.Result) *sarif.Run {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, r, nil); err != nil {
		t.Fatal(err)
	}
	var log sarif.Report
	if err := json.Unmarshal(text.Bytes(), &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%d runs, %v", len(log.Runs), err)
	}
	return log.Runs[0]
}

func TestIncompleteRun(t *testing.T) {
	t.Parallel()
	for _, incomplete := range []bool{false, true} {
		run := runOf(&finding.Result{Incomplete: incomplete}, nil)
		if got := *run.Invocations[0].ExecutionSuccessful; got == incomplete {
			t.Errorf("incomplete %t: executionSuccessful is %t", incomplete, got)
		}
	}
}

func TestArtifactURI(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a/b.yaml":       "a/b.yaml",
		"a b/ü#1?.yaml":  "a%20b/%C3%BC%231%3F.yaml",
		"100%/x.yaml":    "100%25/x.yaml",
		"c:/x.yaml":      "c%3A/x.yaml",
		"\xff\x1b.yaml":  "%FF%1B.yaml",
		"a/{{ .x }}.yml": "a/%7B%7B%20.x%20%7D%7D.yml",
	} {
		got := *artifact(file).URI
		if got != want {
			t.Errorf("URI of %q is %q, want %q", file, got, want)
		}
		if back, err := url.PathUnescape(got); err != nil || back != file {
			t.Errorf("URI %q stands for %q (%v), want %q", got, back, err, file)
		}
	}
	if stdin := artifact("-"); *stdin.URI != "stdin" || stdin.URIBaseId != nil {
		t.Errorf("standard input is %q, relative to %v", *stdin.URI, stdin.URIBaseId)
	}
}

// TestSuppression checks the suppression of a silenced finding, in which the library writes null for fields that are not set.
func TestSuppression(t *testing.T) {
	t.Parallel()
	f := finding.Finding{Rule: "pod/token-mounted", Severity: finding.Warning, Message: "m", File: "a.yaml", Range: finding.Range{Line: 3}}
	f.Suppression = &finding.Suppression{By: finding.ByComment, File: "a.yaml", Line: 2, Until: time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC), Reason: "soon"}
	var out bytes.Buffer
	if err := Write(&out, &finding.Result{Suppressed: []finding.Finding{f}}, nil); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct{ Suppressions []map[string]any }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	got := log.Runs[0].Results[0].Suppressions
	guid, _ := got[0]["guid"].(string)
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(guid) {
		t.Errorf("the GUID is %q", guid)
	}
	delete(got[0], "guid")
	want := []map[string]any{{
		"kind": "inSource", "status": "accepted", "justification": "silenced by the comment at a.yaml:2 until 2027-06-30: soon",
		"location": map[string]any{"physicalLocation": map[string]any{
			"artifactLocation": map[string]any{"uri": "a.yaml", "uriBaseId": "%SRCROOT%"}, "region": map[string]any{"startLine": 2.0},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
