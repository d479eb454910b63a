package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fixes"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/values"
)

// Report is one finding of a rule, before severities of the configuration, suppressions, and fixes.
type Report struct {
	Rule     string
	Severity finding.Severity
	// Object is the object of the finding: the evaluated object, or another that the policy named.
	Object *objects.Object
	// Path is the field inside the object; empty for the object as a whole.
	Path    manifest.Path
	Message string
	// Case is what the finding says about the field, without the names and values that differ between deployment units. Two
	// findings of a rule about one field, with the same case, are the same problem.
	Case string
	// Holder is the subject that the finding is about, as it is written; "" if it is about none.
	Holder  string
	Related []finding.Related
	// Causes are files outside of the objects that also cause the finding.
	Causes []finding.Place
	// Fix is the fix to try, nil if the rule has none or withholds it.
	Fix *FixRequest
	// Unfixable is the reason why the rule withholds its fix.
	Unfixable string
}

// FixRequest requests a fix of a finding.
type FixRequest struct {
	Name, Kind string
	Args       map[string]any
}

func compareReports(a, b Report) int {
	return cmp.Or(
		objects.Compare(a.Object, b.Object),
		strings.Compare(a.Path.String(), b.Path.String()),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
	)
}

// findingKeys are the keys of a finding in a policy.
var findingKeys = []string{"path", "message", "case", "holder", "ref", "severity", "related", "causes", "fix", "unfixable"}

// reports converts the result of a rule's query. Undefined is no finding; anything but a set of findings of the right shape
// is an error.
func reports(s *evalcontext.Evaluation, rule *metadata.Rule, value ast.Value) ([]Report, error) {
	set, ok := value.(ast.Set)
	if value == nil {
		return nil, nil
	}
	if !ok {
		return nil, errors.New("report is not a set: write `report contains finding if { … }`")
	}
	var reports []Report
	for _, term := range set.Slice() {
		r, err := report(s, rule, term)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

func report(s *evalcontext.Evaluation, rule *metadata.Rule, term *ast.Term) (Report, error) {
	value, err := ast.JSON(term.Value)
	if err != nil {
		return Report{}, fmt.Errorf("a finding cannot be read: %w", err)
	}
	f, ok := value.(map[string]any)
	if !ok {
		return Report{}, fmt.Errorf("a finding must be an object made by lib.finding(path, message), not %s", typeOf(value))
	}
	for key := range f {
		if !slices.Contains(findingKeys, key) {
			return Report{}, fmt.Errorf("a finding cannot have the key %q; %s", key, nearest.Suggestion(key, findingKeys))
		}
	}
	r := Report{Rule: rule.Name, Object: s.Object}
	for _, read := range []func(*evalcontext.Evaluation, *metadata.Rule, map[string]any, *Report) error{
		readMessage, readPath, readSeverity, readObject, readCase, readHolder, readRelated, readCauses, readFix,
	} {
		if err := read(s, rule, f, &r); err != nil {
			return Report{}, err
		}
	}
	return r, checkPlace(rule, r, s.Unit, s.Object)
}

// mayPointElsewhere reports whether a finding can be in another file than that of the evaluated object. For a user's rule
// this is unknown.
func mayPointElsewhere(r *metadata.Rule) bool { return r.Elsewhere || r.User }

// checkPlace rejects a place that salint does not expect of the rule: on files that the user did not ask about the rule is
// not evaluated, so findings would be missed.
func checkPlace(r *metadata.Rule, report Report, unit *objects.Unit, judged *objects.Object) error {
	if !r.Across && !r.User && unit.Object(report.Object.Ref()) != report.Object {
		return errors.New("a finding is about an object of another deployment unit, but the policy asks no function about all units")
	}
	if mayPointElsewhere(r) || judged == nil || report.Object == judged && len(report.Causes) == 0 {
		return nil
	}
	return errors.New("a finding is about another object or has its cause in other files: make it with lib.at or lib.caused_by")
}

func readMessage(_ *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) error {
	r.Message, _ = f["message"].(string)
	if strings.TrimSpace(r.Message) == "" {
		return fmt.Errorf("a finding's message must be a non-empty string, not %s", typeOf(f["message"]))
	}
	return nil
}

func readPath(_ *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) (err error) {
	r.Path, err = parsePath(f["path"])
	return err
}

// parsePath reads an array of keys (strings) and indexes (whole numbers).
func parsePath(value any) (manifest.Path, error) {
	steps, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("a path must be an array of strings and numbers, as in [\"spec\", \"tokens\", 0], not %s", typeOf(value))
	}
	path := make(manifest.Path, 0, len(steps))
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			path = append(path, step)
		case json.Number:
			if strings.Trim(step.String(), "0123456789") != "" {
				return nil, fmt.Errorf("a path's number must be an index, not %v", step)
			}
			path = append(path, step.String())
		default:
			return nil, fmt.Errorf("a path must contain strings and numbers, not %s", typeOf(step))
		}
	}
	return path, nil
}

func readSeverity(_ *evalcontext.Evaluation, rule *metadata.Rule, f map[string]any, r *Report) error {
	r.Severity = rule.Severity
	value, given := f["severity"]
	if !given {
		return nil
	}
	name, _ := value.(string)
	severity, err := finding.ParseSeverity(name)
	if err != nil || severity == finding.Off {
		return fmt.Errorf("a finding's severity must be error, warning, or note, not %s", typeOf(value))
	}
	r.Severity = severity
	return nil
}

func readObject(s *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) (err error) {
	if ref, given := f["ref"]; given {
		r.Object, err = s.Lookup(ref)
		return err
	}
	if r.Object == nil {
		return errors.New("a rule about a unit has no input.resource, so each finding must name its object: lib.at(finding, ref)")
	}
	return nil
}

func readRelated(s *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) error {
	value, given := f["related"]
	if !given {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("related must be an array of {ref, path, message}, not %s", typeOf(value))
	}
	for _, item := range list {
		related, err := related(s, item)
		if err != nil {
			return fmt.Errorf("related: %w", err)
		}
		r.Related = append(r.Related, related)
	}
	return nil
}

func related(s *evalcontext.Evaluation, item any) (finding.Related, error) {
	fields, ok := item.(map[string]any)
	if !ok {
		return finding.Related{}, fmt.Errorf("an item must be an object {ref, path, message}, not %s", typeOf(item))
	}
	message, ok := fields["message"].(string)
	if !ok {
		return finding.Related{}, fmt.Errorf("a message must be a string, not %s", typeOf(fields["message"]))
	}
	if _, given := fields["file"]; given {
		place, err := placeOf(fields)
		return finding.Related{File: place.File, Line: max(place.Line, 1), Message: message}, err
	}
	object, err := s.Lookup(fields["ref"])
	if err != nil {
		return finding.Related{}, err
	}
	var path manifest.Path
	if fields["path"] != nil {
		if path, err = parsePath(fields["path"]); err != nil {
			return finding.Related{}, err
		}
	}
	position := object.Position(path)
	return finding.Related{File: position.File, Line: position.Line, Message: message}, nil
}

// readFix reads the fix that the finding names, otherwise that of METADATA, unless the finding withholds it.
func readFix(_ *evalcontext.Evaluation, rule *metadata.Rule, f map[string]any, r *Report) error {
	if value, given := f["unfixable"]; given {
		r.Unfixable, _ = value.(string)
		if r.Unfixable == "" {
			return fmt.Errorf("unfixable must be the reason why there is no fix, not %s", typeOf(value))
		}
		return nil
	}
	value, given := f["fix"]
	if !given {
		if rule.Fix.Name != "" {
			r.Fix = &FixRequest{Name: rule.Fix.Name, Kind: rule.Fix.Kind, Args: rule.Fix.Args}
			return checkRequest(rule, r.Fix)
		}
		return nil
	}
	if value == nil {
		return nil
	}
	fix, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("a fix must be {name, kind, args} or null, not %s", typeOf(value))
	}
	name, _ := fix["name"].(string)
	kind, _ := fix["kind"].(string)
	if name == "" || !slices.Contains(metadata.FixKinds, kind) {
		return fmt.Errorf("a fix must have a name, and as its kind one of %s", strings.Join(metadata.FixKinds, ", "))
	}
	args, _ := fixes.Plain(fix["args"]).(map[string]any)
	r.Fix = &FixRequest{Name: name, Kind: kind, Args: args}
	return checkRequest(rule, r.Fix)
}

// checkRequest returns an error for a fixer that does not exist, or that does not take the arguments. Those of the built-in rules are known.
func checkRequest(rule *metadata.Rule, request *FixRequest) error {
	if !rule.User {
		return nil
	}
	args := request.Args
	if args == nil {
		args = map[string]any{}
	}
	return fixes.Check(request.Name, request.Kind, args)
}

// typeOf returns the type of a value without its content: a policy could have put the data of a Secret in the wrong place.
func typeOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case string:
		if strings.TrimSpace(value) == "" {
			return "an empty string"
		}
		return "another string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case []any:
		return "an array or set"
	default:
		return "an object"
	}
}

// placeOf reads file and line of a place outside of objects.
func placeOf(fields map[string]any) (finding.Place, error) {
	file, _ := fields["file"].(string)
	if !fs.ValidPath(file) {
		return finding.Place{}, errors.New("a file must be a path from the root of the repository, as salint.bundle returns it")
	}
	line, _ := values.Plain(fields["line"]).(int64)
	if line < 0 || line > math.MaxInt32 {
		return finding.Place{}, errors.New("a line must be a number from 1, or 0 for the whole file")
	}
	return finding.Place{File: file, Line: int(line)}, nil
}

func readCauses(_ *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) error {
	value, given := f["causes"]
	if !given {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("causes must be an array of {file, line}, not %s", typeOf(value))
	}
	for _, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			return fmt.Errorf("causes: an item must be an object {file, line}, not %s", typeOf(item))
		}
		place, err := placeOf(fields)
		if err != nil {
			return fmt.Errorf("causes: %w", err)
		}
		r.Causes = append(r.Causes, place)
	}
	return nil
}
