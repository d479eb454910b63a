package help_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/output/help"
)

func TestString(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20) + "end"
	got := help.Command{
		Name: "salint try", Summary: "try it", Usage: "salint try [FLAGS]", Description: "It tries\nit.\n\nThen:\n  as written   here\nit ends.",
		Commands:  []help.Flag{{"one", "do one"}},
		Groups:    []help.Group{{"OUTPUT", []help.Flag{{"-q, --quiet", "print nothing"}, {"--a-flag-with-a-long-name VALUE", long}}}},
		More:      "More flags: --help-all",
		ExitCodes: []string{"0  done", "130  " + long + " " + long},
		Examples:  []string{"salint try", "salint try -q"},
	}.String()
	want := `salint try - try it

USAGE:
   salint try [FLAGS]

It tries it.

Then:
  as written   here
it ends.

COMMANDS:
   one            do one

OUTPUT:
   -q, --quiet                 print nothing
   --a-flag-with-a-long-name VALUE
                               word word word word word word word word word word word word word word word word
                               word word word word end

More flags: --help-all

EXIT CODES:
   0   done
   130 word word word word word word word word word word word word word word word word word word word word end
       word word word word word word word word word word word word word word word word word word word word end

EXAMPLES:
   salint try
   salint try -q
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
