package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/alike"
	"github.com/salint/salint/internal/output/fixtext"
)

// cause is a finding with the others that say the same of other objects.
type cause struct {
	first  finding.Finding
	others []finding.Finding
}

// mostLikeIt is how many of the others have their place named.
const mostLikeIt = 60

// causesOf joins the findings that are not fixed and differ only in names, the gravest first. With each, none is joined.
func causesOf(findings []finding.Finding, each bool) []cause {
	type shape struct{ rule, severity, message, kind, fix string }
	places := map[shape]int{}
	var causes []cause
	for _, f := range findings {
		if f.Fixed() {
			continue
		}
		s := shape{f.Rule, f.Severity.String(), shapeOf(f, f.Message), "", ""}
		if f.Fix != nil {
			s.kind, s.fix = string(f.Fix.Kind), shapeOf(f, f.Fix.Description)
		}
		i, known := places[s]
		if known && !each && f.Places == 0 {
			causes[i].others = append(causes[i].others, f)
			continue
		}
		places[s] = len(causes)
		causes = append(causes, cause{first: f})
	}
	slices.SortStableFunc(causes, func(a, b cause) int { return cmp.Compare(b.first.Severity, a.first.Severity) })
	return causes
}

func shapeOf(f finding.Finding, text string) string {
	names := []string{f.Resource.Name, f.Resource.Namespace, f.Source.Name, f.Source.Namespace, f.File}
	if f.Subject != nil {
		names = append(names, f.Subject.Name, f.Subject.Namespace)
	}
	return alike.Shape(text, names...)
}

// findings prints the findings that are not fixed: each cause with its source and notes or, if they are what fixes left, in one line.
func (t *text) findings(findings []finding.Finding, areLeft bool) {
	each := t.o.Verbose || t.o.Group == ByPlace
	causes := causesOf(findings, each)
	if t.o.Group == ByPlace {
		finding.Sort(findings)
		causes = inPlace(findings)
	}
	for i, c := range causes {
		if areLeft && !each {
			t.left(c)
			continue
		}
		if i > 0 {
			fmt.Fprintln(t.w)
		}
		t.cause(c)
	}
	if len(causes) > 0 && !t.o.Quiet {
		fmt.Fprintln(t.w)
	}
}

// inPlace returns the findings that are not fixed, each by itself.
func inPlace(findings []finding.Finding) []cause {
	var causes []cause
	for _, f := range findings {
		if !f.Fixed() {
			causes = append(causes, cause{first: f})
		}
	}
	return causes
}

func (t *text) cause(c cause) {
	f := c.first
	t.header(f, t.paint(severityStyle(f.Severity), f.Severity.String()), f.Message)
	indent := t.frame(f)
	for _, note := range append(t.notes(f), t.paths.likeIt(c)...) {
		fmt.Fprintf(t.w, "%s%s %s\n", indent, t.paint(blue, "="), note)
	}
}

// left prints a cause in one line.
func (t *text) left(c cause) {
	message := c.first.Message
	if len(c.others) > 0 {
		message = strings.TrimSuffix(message, ".") + "; " + t.paths.alsoAt(c.others)
	}
	t.header(c.first, t.paint(severityStyle(c.first.Severity), c.first.Severity.String()), message)
}

// alsoAt says how many findings are like the one before, and where.
func (p paths) alsoAt(others []finding.Finding) string {
	named := others[:min(mostLikeIt, len(others))]
	text := fmt.Sprintf("%d more like it: %s", len(others), p.where(named))
	if n := len(others) - len(named); n > 0 {
		text += fmt.Sprintf(", and %d more (--verbose lists all)", n)
	}
	return text
}

// likeIt returns lines with the places of the findings after the first, by cluster.
func (p paths) likeIt(c cause) []string {
	if len(c.others) == 0 {
		return nil
	}
	byCluster, clusters := map[string][]finding.Finding{}, []string(nil)
	for _, f := range c.others {
		of := clustersOf(f)
		if byCluster[of] == nil {
			clusters = append(clusters, of)
		}
		byCluster[of] = append(byCluster[of], f)
	}
	own := clustersOf(c.first)
	var lines []string
	for _, of := range clusters {
		in := ""
		if of != own && of != "" {
			in = "in " + of + ": "
		}
		lines = append(lines, in+p.alsoAt(byCluster[of]))
	}
	return lines
}

// clusters names the clusters of a finding; "" if they are unknown.
func clustersOf(f finding.Finding) string {
	const most = 3
	switch n := len(f.Clusters); {
	case n == 0:
		return ""
	case n == 1:
		return "the cluster " + f.Clusters[0]
	case n <= most:
		return "the clusters " + words.And(f.Clusters)
	default:
		return words.Count(n, "cluster")
	}
}

// where returns the places of findings, joined: apps/{a,b}/rbac.yaml:3.
func (p paths) where(findings []finding.Finding) string {
	lines, files := map[string][]string{}, []string(nil)
	for _, f := range findings {
		file := safetext.Text(p.rel(f.File))
		if lines[file] == nil {
			files = append(files, file)
		}
		if line := strconv.Itoa(max(f.Range.Line, 1)); !slices.Contains(lines[file], line) {
			lines[file] = append(lines[file], line)
		}
	}
	for i, file := range files {
		files[i] = file + ":" + strings.Join(lines[file], ",")
	}
	return strings.Join(alike.Paths(files), ", ")
}

// fixed lists the fixed findings, one line for each fix: the source that a frame would show no longer exists.
func (t *text) fixed(findings []finding.Finding) {
	type edit struct{ rule, label, made string }
	var order []edit
	made := map[edit][]finding.Finding{}
	for _, f := range findings {
		if !f.Fixed() {
			continue
		}
		e := edit{f.Rule, fixedLabel(f, t.paths), shapeOf(f, f.Fix.Description)}
		if len(made[e]) == 0 {
			order = append(order, e)
		}
		made[e] = append(made[e], f)
	}
	for _, e := range order {
		t.fixedOnes(e.label, made[e])
	}
	if len(order) > 0 {
		fmt.Fprintln(t.w)
	}
}

// fixedOnes prints what one kind of fix did, in one line; with --verbose, a line for each place.
func (t *text) fixedOnes(label string, findings []finding.Finding) {
	type done struct{ place, made string }
	seen := map[done]bool{} // one edit can fix the findings of several units
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool {
		d := done{t.place(f.File, f.Range.Line, f.Range.Column), fmt.Sprint(f.Fix.Files, f.Fix.Description)}
		was := seen[d]
		seen[d] = true
		return was
	})
	if t.o.Verbose {
		for _, f := range findings {
			t.header(f, t.paint(green, label), fixtext.Made(f.Fix))
		}
		return
	}
	message := fixtext.Made(findings[0].Fix)
	if len(findings) > 1 {
		message += "; " + t.paths.alsoAt(findings[1:])
	}
	t.header(findings[0], t.paint(green, label), message)
}
