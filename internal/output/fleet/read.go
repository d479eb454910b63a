package fleet

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/salint/salint/internal/base/encoding"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/checksum"
	"github.com/salint/salint/internal/output/report/provenance"
)

// schemaVersion is the version of the reports that are read.
const schemaVersion = "1"

// maxReport is the size of the largest report that is read. A report of 10,000 findings has about 12 MiB.
const maxReport = 1 << 30

// header is what a report says of its run, apart from what it found.
type header struct {
	Version    string // of salint
	Repository string
	Revision   string
	Target     string
	Model      string
	Members    bool // if the run read several repositories
}

// The parts of a report that are read. Unknown keys are ignored, because later versions add some.
type (
	readTool   struct{ Name, Version, Commit string }
	readSource struct{ Repository, Revision string }
	readTarget struct{ Name, Model string }

	readSummary struct {
		Files      int
		Documents  int
		Errors     int
		Warnings   int
		Notes      int
		Suppressed int
		NotShown   int
		Unchecked  string
		NotChecked int
		Incomplete bool
	}
	readFinding struct {
		Rule         string
		Severity     string
		RuleSeverity string
		Message      string
		Target       string
		File         string
		Line         int
		Column       int
		EndLine      int
		EndColumn    int
		Resource     finding.Resource
		Subject      *finding.Subject
		Path         string
		Fix          *struct {
			Kind    finding.FixKind
			Applied bool
		}
		Origin      finding.Origin
		Unapplied   string
		Fingerprint string
	}
)

// ofTests reports whether the finding is about data of tests, which no cluster gets. A file that only no kustomization lists can be applied by hand.
func (f *readFinding) ofTests() bool { return f.Unapplied == "tests" }

// isWay reports whether the rule itself calls this way to cluster-admin more than a note, whatever settings make of that.
func (f *readFinding) isWay() bool {
	return !f.ofTests() && rank(cmp.Or(f.RuleSeverity, f.Severity)) < rank("note")
}

// applied reports whether the run has fixed the finding.
func (f *readFinding) applied() bool { return f.Fix != nil && f.Fix.Applied }

// visitor receives the parts of a report in the order in which the report has them. A part without a function is skipped.
type visitor struct {
	extension func(*Extension)
	role      func(*Role)
	binding   func(*OpenBinding)
	chains    func(*Chains)
	finding   func(*readFinding)
	summary   func(*readSummary)
	run       func(*finding.Run)
	// checked receives the SHA-256 of the file, and whether the report has a checksum, of a report that was read to its end.
	checked func(hash string, hasChecksum bool)
}

// errStop ends the reading of a header.
var errStop = errors.New("the header is complete")

// header reads the header of a report, as far as the report has to be read for it. The errors are those of report.
func (r files) header(file string) (header, error) {
	f, err := r.open(file)
	if err != nil {
		return header{}, err
	}
	defer f.Close()
	report := reader{decoder: json.NewDecoder(encoding.NewReader(f)), headerOnly: true}
	err = report.read()
	if err != nil && !errors.Is(err, errStop) {
		return header{}, err
	}
	if err == nil && !report.seen["findings"] { // the whole file was read
		return header{}, errNoReport
	}
	return report.header, nil
}

// report reads a whole report, one finding at a time. The error says in words what is wrong with the report, and what it
// contains up to there has been visited.
func (r files) report(file string, v visitor) error {
	f, err := r.open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	report := reader{decoder: json.NewDecoder(encoding.NewReader(f)), visitor: v}
	if err := report.read(); err != nil {
		return err
	}
	if err := report.complete(); err != nil {
		return err
	}
	if v.checked != nil {
		v.checked(hex.EncodeToString(f.sum.Sum(nil)), report.checksum != "")
	}
	return nil
}

// reader reads one report.
type reader struct {
	visitor
	decoder    *json.Decoder
	header     header
	headerOnly bool
	tool       string
	commit     string // from which the program was built
	schema     string
	seen       map[string]bool
	// checksum is that of the report, and sum that of what was read.
	checksum string
	sum      checksum.Sum
	// listed counts the open findings, and counted is the summary.
	listed  int
	counted readSummary
}

var (
	errCutOff    = errors.New("is cut off: run salint again for this repository")
	errNoReport  = errors.New("is not a JSON report of salint lint")
	headerFields = []string{"schemaVersion", "tool", "source", "target"}
)

func (r *reader) read() error {
	r.seen = map[string]bool{}
	if open, err := r.decoder.Token(); err != nil || open != json.Delim('{') {
		return explain(err, errNoReport)
	}
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return explain(err, errNoReport)
		}
		name, _ := key.(string)
		if r.seen[name] {
			return fmt.Errorf("has the key %q twice", name)
		}
		r.seen[name] = true
		if err := r.field(name); err != nil {
			return explain(err, errNoReport)
		}
		if r.headerOnly && r.hasHeader() {
			return cmp.Or(r.checkHeader(), errStop)
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return explain(err, errNoReport)
	}
	return r.checkHeader()
}

// hasHeader reports whether the rest of the report cannot add to the header. Version 0.1 has no source.
func (r *reader) hasHeader() bool {
	for _, name := range headerFields {
		if !r.seen[name] {
			return false
		}
	}
	return true
}

// checkHeader returns why the report cannot be read by this version.
func (r *reader) checkHeader() error {
	switch {
	case r.tool != "salint":
		return errNoReport
	case r.schema != schemaVersion:
		return fmt.Errorf("has the schema version %q, and this version of salint reads %q: use the same version of salint for all repositories", r.schema, schemaVersion)
	}
	return nil
}

// complete returns an error if a report ends properly and lacks a part, or what follows it is no report.
func (r *reader) complete() error {
	if !r.seen["findings"] || !r.seen["summary"] {
		return errNoReport
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("contains something after the report")
	}
	if counted := r.counted.Errors + r.counted.Warnings + r.counted.Notes; counted != r.listed+r.counted.NotShown {
		return fmt.Errorf("lists %d findings, and its summary counts %d: it was changed after the run", r.listed, counted-r.counted.NotShown)
	}
	if r.checksum != "" && r.checksum != r.sum.String() {
		return errors.New("has another checksum than its content: it was changed after the run")
	}
	return nil
}

func (r *reader) field(name string) error {
	switch name {
	case "schemaVersion":
		return r.value(name, &r.schema)
	case checksum.Key:
		return r.value(name, &r.checksum)
	case "run":
		var run provenance.Run
		err := r.value(name, &run)
		r.header.Members = len(run.Repositories) > 0
		if r.visitor.run != nil && err == nil {
			record := run.Record()
			record.Commit = r.commit
			r.visitor.run(record)
		}
		return err
	case "tool":
		var tool readTool
		err := r.value(name, &tool)
		r.tool, r.header.Version, r.commit = tool.Name, tool.Version, tool.Commit
		return err
	case "source":
		var source readSource
		err := r.value(name, &source)
		r.header.Repository, r.header.Revision = source.Repository, source.Revision
		return err
	case "target":
		var target readTarget
		err := r.value(name, &target)
		r.header.Target, r.header.Model = target.Name, target.Model
		return err
	case "summary":
		err := r.value(name, &r.counted)
		if r.visitor.summary != nil && err == nil {
			r.visitor.summary(&r.counted)
		}
		return err
	case "extensions":
		if r.extension != nil {
			return each(r, name, r.extension)
		}
	case "roles":
		if r.role != nil {
			return each(r, name, r.role)
		}
	case "openBindings":
		if r.binding != nil {
			return each(r, name, r.binding)
		}
	case "chains":
		if r.visitor.chains != nil {
			var chains Chains
			err := r.value(name, &chains)
			if chains.complete() {
				r.visitor.chains(&chains)
			}
			return err
		}
	case "findings":
		if !r.headerOnly {
			return each(r, name, func(f *readFinding) {
				if !f.applied() {
					r.listed++
				}
				if r.finding != nil {
					r.finding(f)
				}
			})
		}
	}
	if r.headerOnly {
		return skip(r.decoder)
	}
	return r.value(name, nil)
}

// value decodes a member and adds it to the checksum; into is nil for one that is not used.
func (r *reader) value(name string, into any) error {
	var raw json.RawMessage
	if err := r.decoder.Decode(&raw); err != nil {
		return err
	}
	if into != nil {
		if err := json.Unmarshal(raw, into); err != nil {
			return inMember(name, err)
		}
	}
	if r.headerOnly {
		return nil
	}
	return r.sum.Value(name, raw)
}

// each decodes the items of a list one by one.
func each[T any](r *reader, name string, visit func(*T)) error {
	r.sum.List(name)
	decoder := r.decoder
	if open, err := decoder.Token(); err != nil || open != json.Delim('[') {
		return explain(err, fmt.Errorf("%w: %s is not a list", errNoReport, name))
	}
	for decoder.More() {
		var raw json.RawMessage
		var item T
		err := decoder.Decode(&raw)
		if err == nil {
			err = inMember(name+"[]", json.Unmarshal(raw, &item))
		}
		if err == nil {
			err = r.sum.Item(name, raw)
		}
		if err != nil {
			return err
		}
		visit(&item)
	}
	_, err := decoder.Token()
	return err
}
