package report

import (
	"fmt"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/fixtext"
)

// fixLabel precedes the description of a fix that is offered.
const fixLabel = "fix:"

// offerText is the line that offers a fix, without styles.
func offerText(f *finding.Fix) string {
	return fmt.Sprintf("%s %s (%s)", fixLabel, safetext.Text(fixtext.Offered(f)), fixHint(f.Kind))
}

// resultText is the line that reports a fix that was made, without styles.
func resultText(f finding.Finding, p paths) string {
	return fixedLabel(f, p) + ": " + safetext.Text(fixtext.Made(f.Fix))
}

// fixedLabel precedes the description of a fix that was made. It names the changed files if the file of the finding is not one of
// them: for one overlay of a shared base, the fix is a patch in the overlay.
func fixedLabel(f finding.Finding, p paths) string {
	if files := fixtext.OtherFiles(f.Fix, f.File, p.rel); files != "" {
		return "fixed in " + safetext.Text(files)
	}
	return "fixed"
}
