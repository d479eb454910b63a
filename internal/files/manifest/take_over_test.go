package manifest

import "testing"

func TestTakeOver(t *testing.T) {
	t.Parallel()
	const good, bad = "kind: Pod\n", "---\nkind: [\n"
	known := Scan("a.yaml", []byte("a: 1\nb: 2\n---\n"+good+bad))
	for _, doc := range known.Docs {
		_ = doc.Parse() // the last one fails
	}
	// The first document has another number of lines and the same length.
	next := Scan("a.yaml", []byte("a:   1234\n---\n"+good+bad))
	next.TakeOver(known)
	if next.Docs[0].Parsed() {
		t.Error("a document with other bytes was taken over")
	}
	if !next.Docs[1].Parsed() || next.Docs[1].Root != known.Docs[1].Root {
		t.Error("the document with the same bytes was not taken over")
	}
	if next.Docs[2].Parsed() {
		t.Error("an error was taken over, with its line")
	}
	if before, after := known.Docs[2].Parse().Error(), next.Docs[2].Parse().Error(); before == after {
		t.Errorf("both errors are %q, but the second is on another line", before)
	}
	next.TakeOver(nil)
}
