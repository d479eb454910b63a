package sarif

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/report/source"
)

const (
	homepage = "https://github.com/salint/salint"
	schema   = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sourceRoot stands for the root of the repository; code scanning and editors replace it with their own checkout.
	sourceRoot = "%SRCROOT%"
	// fingerprintName names the method of the fingerprint. A new method needs a new version at the end.
	fingerprintName = "salint/v2"
	// automationID separates these results from those of other tools in code scanning.
	automationID = "salint/"
	// linkedRelated is how many related places of a finding its message links.
	linkedRelated = 4
)

// Write writes SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0). Fixed findings are left out, because
// consumers treat missing results as fixed. Files are relative to the root of the repository, not to the working directory,
// because consumers map that root to their own. The report contains no source, because it can be stored in places where the
// repository is not available. The properties are those of the run.
func Write(w io.Writer, r *finding.Result, properties map[string]any) error {
	log, err := sarif.New(sarif.Version210)
	if err != nil {
		return err
	}
	log.Schema = schema
	log.AddRun(runOf(r, properties))
	return safetext.JSON(w, log)
}

func runOf(r *finding.Result, properties map[string]any) *sarif.Run {
	rules := rulesOf(r)
	run := sarif.NewRunWithInformationURI("salint", homepage)
	run.Tool.Driver.Version = pointer(r.Version)
	if isSemantic(r.Version) {
		run.Tool.Driver.SemanticVersion = pointer(r.Version)
	}
	run.VersionControlProvenance = provenanceOf(r.Origin)
	run.Tool.Driver.Rules = rules.descriptors
	run.AutomationDetails = sarif.NewRunAutomationDetails().WithID(automationIDOf(r))
	run.ColumnKind = "unicodeCodePoints"
	run.DefaultEncoding = pointer("utf-8")
	run.NewlineSequences = []string{"\r\n", "\n"}
	run.OriginalUriBaseIDs = map[string]*sarif.ArtifactLocation{
		sourceRoot: {Description: sarif.NewTextMessage("The root of the repository.")},
	}
	run.Invocations = []*sarif.Invocation{{ExecutionSuccessful: pointer(!r.Incomplete)}}
	if gap := r.Coverage().Gap(); gap != "" {
		run.Invocations[0].ToolExecutionNotifications = []*sarif.Notification{{Level: "warning", Message: sarif.NewTextMessage(gap)}}
	}
	run.Properties = properties
	files := source.FilesOf(r)
	for _, f := range r.Findings {
		if !f.Fixed() {
			run.Results = append(run.Results, resultOf(f, rules, files))
		}
	}
	for _, f := range r.Suppressed {
		result := resultOf(f, rules, files)
		result.Suppressions = []*sarif.Suppression{suppressionOf(f)}
		run.Results = append(run.Results, result)
	}
	return run
}

// automationIDOf returns the ID of the results of a run: the part up to the last slash is the category in code scanning, which
// contains the repository only if the user named it, and the revision follows.
func automationIDOf(r *finding.Result) string {
	id := automationID
	if r.Category != "" {
		id += r.Category + "/"
	}
	if r.Origin.Named {
		id += r.Origin.Repository + "/"
	}
	return id + r.Origin.Revision
}

// provenanceOf returns where the repository is; nil if its name contains no host, because the field is an absolute URI.
func provenanceOf(o finding.Provenance) []*sarif.VersionControlDetails {
	host, name, _ := strings.Cut(o.Repository, "/")
	if name == "" || !strings.ContainsAny(host, ".:") {
		return nil
	}
	details := sarif.NewVersionControlDetails()
	details.RepositoryURI = pointer((&url.URL{Scheme: "https", Host: host, Path: "/" + name}).String())
	details.MappedTo = sarif.NewArtifactLocation().WithUriBaseId(sourceRoot)
	if o.Revision != "" {
		details.RevisionID = pointer(o.Revision)
	}
	return []*sarif.VersionControlDetails{details}
}

func resultOf(f finding.Finding, rules ruleTable, files *source.Files) *sarif.Result {
	result := sarif.NewRuleResult(f.Rule).
		WithLevel(levelOf(f.Severity)).
		WithMessage(sarif.NewTextMessage(plain(f.Message) + links(f.Related))).
		WithPartialFingerPrints(map[string]interface{}{fingerprintName: f.Fingerprint()})
	result.RuleIndex = pointer(rules.index[f.Rule])
	result.Locations = locationsOf(f)
	for i, related := range f.Related {
		result.RelatedLocations = append(result.RelatedLocations, relatedPlace(uint(i+1), related))
	}
	if fix := fixOf(f.Fix, files); fix != nil {
		result.Fixes = []*sarif.Fix{fix}
	}
	result.Properties = propertiesOf(f)
	return result
}

func relatedPlace(id uint, related finding.Related) *sarif.Location {
	location := sarif.NewLocation().WithPhysicalLocation(placeOf(related.File, finding.Range{Line: related.Line}))
	location.Id = pointer(id)
	if related.Message != "" {
		location.WithMessage(sarif.NewTextMessage(plain(related.Message)))
	}
	return location
}

// links links the first related places in the message, because code scanning shows only linked ones.
func links(related []finding.Related) string {
	var links []string
	for i, r := range related[:min(len(related), linkedRelated)] {
		name := strings.NewReplacer("[", "(", "]", ")").Replace(safetext.Text(r.File))
		links = append(links, fmt.Sprintf("[%s:%d](%d)", name, r.Line, i+1))
	}
	if len(links) == 0 {
		return ""
	}
	return " (see " + strings.Join(links, ", ") + ")"
}

// locationsOf returns the place of a finding, and the object as its logical location.
func locationsOf(f finding.Finding) []*sarif.Location {
	if f.File == "" {
		return nil
	}
	location := sarif.NewLocation().WithPhysicalLocation(placeOf(f.File, f.Range))
	if f.Resource.Kind != "" {
		location.LogicalLocations = []*sarif.LogicalLocation{sarif.NewLogicalLocation().
			WithName(f.Resource.Name).
			WithKind("resource").
			WithFullyQualifiedName(qualifiedName(f.Resource))}
	}
	return []*sarif.Location{location}
}

// qualifiedName returns apiVersion/kind/namespace/name without the empty parts.
func qualifiedName(r finding.Resource) string {
	parts := []string{r.APIVersion, r.Kind, r.Namespace, r.Name}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
}

// placeOf points to a range of a file, or to the file if the line is unknown.
func placeOf(file string, r finding.Range) *sarif.PhysicalLocation {
	place := sarif.NewPhysicalLocation().WithArtifactLocation(artifact(file))
	if r.Line < 1 {
		return place
	}
	region := sarif.NewRegion().WithStartLine(r.Line)
	if r.Column > 0 {
		r = r.Whole()
		region.WithStartColumn(r.Column).WithEndLine(r.EndLine).WithEndColumn(r.EndColumn)
	}
	return place.WithRegion(region)
}

// artifact returns a file as a relative URI. A colon is also escaped, because in the first segment it would end a scheme.
func artifact(file string) *sarif.ArtifactLocation {
	if file == repo.StandardInput {
		return sarif.NewArtifactLocation().WithUri("stdin")
	}
	segments := strings.Split(file, "/")
	for i, segment := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(segment), ":", "%3A")
	}
	return sarif.NewArtifactLocation().WithUri(strings.Join(segments, "/")).WithUriBaseId(sourceRoot)
}

// plain keeps a message from being parsed as a link, which SARIF writes as [text](target), because names in manifests
// are untrusted. SARIF would escape the bracket with a backslash, but not all viewers support that.
func plain(message string) string { return strings.ReplaceAll(message, "](", "] (") }

// suppressionOf is the suppression of a result. The library writes null for fields that are not set, which SARIF does not allow.
func suppressionOf(f finding.Finding) *sarif.Suppression {
	kind := "inSource"
	if f.Suppression.By == finding.ByBaseline {
		kind = "external"
	}
	location := sarif.NewLocation()
	if f.Suppression.File != "" {
		location.WithPhysicalLocation(placeOf(f.Suppression.File, finding.Range{Line: f.Suppression.Line}))
	}
	return sarif.NewSuppression(kind).WithStatus("accepted").WithLocation(location).WithGuid(guidOf(f.Fingerprint())).
		WithJustifcation(safetext.Text(f.Suppression.Description(f.Suppression.File)))
}

// guidOf returns a fingerprint in the form of a name-based UUID: SARIF requires one, and equal runs give equal reports.
func guidOf(fingerprint string) string {
	digits := []byte(fingerprint)
	digits[12], digits[16] = '5', '8'
	text := string(digits)
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:32]}, "-")
}

func levelOf(s finding.Severity) string {
	if s == finding.Off {
		return "none"
	}
	return s.String()
}

func propertiesOf(f finding.Finding) sarif.Properties {
	properties := sarif.Properties{}
	for name, value := range map[string]string{
		"target": f.Target, "path": f.Path,
		"kustomization": f.Origin.Kustomization, "chart": f.Origin.Chart, "template": f.Origin.Template, "unit": f.Origin.Unit,
	} {
		if value != "" {
			properties[name] = value
		}
	}
	return properties
}

func pointer[T any](value T) *T { return &value }
