package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/config/finding"
)

// readSARIF reads a report as strictly as the types of the format allow.
func readSARIF(t *testing.T, text []byte) *sarif.Run {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var log sarif.Report
	if err := decoder.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || log.Version != "2.1.0" {
		t.Fatalf("version %s with %d runs", log.Version, len(log.Runs))
	}
	return log.Runs[0]
}

func TestSARIFIsConsistent(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*finding.Result{"mixed": mixed(t), "fixed": fixed(t), "hostile": hostile(t), "clean": clean(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := readSARIF(t, render(t, "sarif", r, Options{}))
			if run.Results == nil {
				t.Error("results are null, which means that the analysis was not performed")
			}
			for i, rule := range run.Tool.Driver.Rules {
				if i > 0 && run.Tool.Driver.Rules[i-1].ID >= rule.ID {
					t.Errorf("rule %s is not sorted, or listed twice", rule.ID)
				}
			}
			for _, result := range run.Results {
				if rule := run.Tool.Driver.Rules[*result.RuleIndex]; rule.ID != *result.RuleID {
					t.Errorf("rule index of %s points to %s", *result.RuleID, rule.ID)
				}
				for _, location := range append(result.Locations, result.RelatedLocations...) {
					checkPlace(t, location.PhysicalLocation)
				}
			}
		})
	}
}

func checkPlace(t *testing.T, place *sarif.PhysicalLocation) {
	t.Helper()
	uri := *place.ArtifactLocation.URI
	if parsed, err := url.Parse(uri); err != nil || parsed.IsAbs() || strings.HasPrefix(uri, "/") || strings.Contains(uri, "..") {
		t.Errorf("URI %q is not relative (%v)", uri, err)
	}
	r := place.Region
	if r == nil {
		return
	}
	if *r.StartLine < 1 {
		t.Errorf("line %d", *r.StartLine)
	}
	if r.EndLine != nil && (*r.EndLine < *r.StartLine || *r.EndLine == *r.StartLine && *r.EndColumn < *r.StartColumn) {
		t.Errorf("region of %s ends at %d:%d, before it starts at %d:%d", uri, *r.EndLine, *r.EndColumn, *r.StartLine, *r.StartColumn)
	}
	if r.ByteOffset != nil || r.CharOffset != nil {
		t.Errorf("region of %s has offsets, which some clients treat as those of a binary file", uri)
	}
}

// TestSARIFListsChangedUnits checks that a run without permissions and changes has no properties.
func TestSARIFListsChangedUnits(t *testing.T) {
	t.Parallel()
	r := clean(t)
	if properties := readSARIF(t, render(t, "sarif", r, Options{})).Properties; properties != nil {
		t.Errorf("properties of a run without changes: %v", properties)
	}
	r.ChangedUnits = []finding.Unit{{Kind: "kustomization", Name: "overlays/staging"}}
	got, _ := json.Marshal(readSARIF(t, render(t, "sarif", r, Options{})).Properties)
	if want := `{"changedUnits":[{"kind":"kustomization","name":"overlays/staging"}]}`; string(got) != want {
		t.Errorf("properties %s, want %s", got, want)
	}
}

func TestSARIFHasNoForeignLinks(t *testing.T) {
	t.Parallel()
	run := readSARIF(t, render(t, "sarif", hostile(t), Options{}))
	if text := *run.Results[0].Message.Text; strings.Contains(text, "](http") {
		t.Errorf("message %q contains a link from a manifest", text)
	}
}

// The validator for the format's editors checks the JSON schema and rules that a schema cannot express. It is a .NET
// program; install it with `npm install @microsoft/sarif-multitool-linux`.
func TestSARIFAgainstTheValidator(t *testing.T) {
	t.Parallel()
	validator, err := exec.LookPath("Sarif.Multitool")
	if err != nil {
		t.Skip("Sarif.Multitool is not on the PATH: npm install @microsoft/sarif-multitool-linux and add its folder")
	}
	for name, r := range map[string]*finding.Result{"mixed": mixed(t), "fixed": fixed(t), "hostile": hostile(t), "clean": clean(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), name+".sarif")
			if err := os.WriteFile(report, render(t, "sarif", r, Options{}), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.Command(validator, "validate", report, "--output", report+".log", "--level", "Error;Warning")
			command.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
			out, err := command.CombinedOutput()
			if err != nil || bytes.Contains(out, []byte(": error ")) || bytes.Contains(out, []byte(": warning ")) {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}
