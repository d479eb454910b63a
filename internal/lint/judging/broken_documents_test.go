package judging

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
)

func TestFoldBroken(t *testing.T) {
	t.Parallel()
	var findings []finding.Finding
	add := func(n int, rule finding.ProgramRule, file, message string) {
		for i := range n {
			findings = append(findings, finding.AboutFile(rule, file, finding.Range{Line: i + 1, Column: 1}, message+fmt.Sprint(i)))
		}
	}
	add(mostBroken, finding.RuleUnparsable, "few.yaml", loader.WhyNotParsed[1])
	add(1000, finding.RuleUnparsable, "many.yaml", loader.WhyNotParsed[1])
	add(7, finding.RuleNotChecked, "many.yaml", loader.WhyNotParsed[0])
	add(9, finding.RuleNotChecked, "other.yaml", "another reason: ")
	folded := FoldBroken(findings)
	if len(folded) != mostBroken+1+1+9 {
		t.Fatalf("%d findings are left", len(folded))
	}
	joined := folded[mostBroken]
	if want := loader.WhyNotParsed[1] + "0 (the first of 1000 such documents in this file)"; joined.Message != want {
		t.Errorf("message %q, want %q", joined.Message, want)
	}
	if n := len(joined.Related); n != listedBroken+1 || joined.Related[listedBroken].Message != "996 more" || joined.Related[0].Message != "1" {
		t.Errorf("related places: %+v", joined.Related)
	}
}
