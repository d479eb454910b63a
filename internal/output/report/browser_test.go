package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/output/page/browsertest"
	"github.com/salint/salint/internal/output/picture"
)

// TestPagesInABrowser opens pages wide and narrow, in light and dark themes, in print, and with the keyboard.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for _, test := range []struct {
		name   string
		result *finding.Result
		graph  *picture.Graph
	}{
		{"mixed", mixed(t), nil},
		{"fixed", fixed(t), pictured(3, "argocd")},
		{"hostile", hostile(t), pictured(3, "<script>alert(1)</script>]]>|```\u202e\x1b")},
		{"clean", clean(t), pictured(1, "")},
		{"many", many(t, 3000), pictured(300, "extension")},
	} {
		file := filepath.Join(t.TempDir(), test.name+".html")
		if err := os.WriteFile(file, render(t, "html", test.result, Options{Graph: test.graph}), 0o600); err != nil {
			t.Fatal(err)
		}
		// The browser is started once, for this test.
		tab := browser.Open(file, 1280, 900)
		checkThemes(t, test.name, tab)
		checkPicture(t, test.name, tab, test.graph)
		checkNumbers(t, test.name, tab)
		tab.Resize(380, 800)
		checkNumbers(t, test.name, tab)
		var over int
		tab.Eval(`document.documentElement.scrollWidth - innerWidth`, &over)
		if over > 0 {
			t.Errorf("%s: a narrow page is %d pixels too wide", test.name, over)
		}
		if pdf := tab.PDF(); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Errorf("%s: it does not print", test.name)
		}
		for _, complaint := range tab.Complaints() {
			t.Errorf("%s: %s", test.name, complaint)
		}
	}
}

// checkThemes checks that text is light on dark in the dark theme, and dark on light in the light theme.
func checkThemes(t *testing.T, name string, tab *browsertest.Tab) {
	t.Helper()
	const brightness = `(property => getComputedStyle(document.body)[property].match(/\d+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0))`
	for _, theme := range []string{browsertest.Light, browsertest.Dark} {
		tab.Theme(theme)
		var text, back int
		tab.Eval(brightness+`("color")`, &text)
		tab.Eval(brightness+`("backgroundColor")`, &back)
		if dark := text > back; dark != (theme == browsertest.Dark) {
			t.Errorf("%s: the theme %s has text of %d on %d", name, theme, text, back)
		}
	}
}

// checkNumbers checks that no number or word at the top of the page is broken into two lines.
func checkNumbers(t *testing.T, name string, tab *browsertest.Tab) {
	t.Helper()
	var broken []string
	tab.Eval(`[...document.querySelectorAll(".facts dd")].filter(dd => {
		const range = document.createRange();
		range.selectNodeContents(dd.firstChild);
		return range.getClientRects().length !== 1 || dd.scrollWidth > dd.clientWidth;
	}).map(dd => dd.firstChild.textContent)`, &broken)
	if len(broken) > 0 {
		t.Errorf("%s: broken, or too wide: %q", name, broken)
	}
}

// checkPicture checks that the graph is visible: every box has a size and lies in its drawing, with its labels inside, and
// the keyboard can reach it.
func checkPicture(t *testing.T, name string, tab *browsertest.Tab, g *picture.Graph) {
	t.Helper()
	var pictures int
	tab.Eval(`document.querySelectorAll("svg").length`, &pictures)
	if g == nil || len(g.Nodes) == 0 {
		if pictures > 0 {
			t.Errorf("%s: %d empty drawings", name, pictures)
		}
		return
	}
	var seen struct {
		Width, Height float64
		Boxes         int
		Faults        []string
		Focused       bool
	}
	tab.Eval(`(() => {
		const svg = document.querySelector("svg"), frame = svg.getBoundingClientRect(), faults = [];
		const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
		const boxes = [...svg.querySelectorAll("g.box")];
		for (const box of boxes) {
			const border = box.querySelector("rect").getBoundingClientRect();
			if (border.width < 20 || border.height < 10 || !inside(border, frame)) faults.push("no room for " + box.textContent);
			for (const label of box.querySelectorAll("text")) if (!inside(label.getBoundingClientRect(), border)) faults.push("sticks out: " + label.textContent);
			for (const other of boxes) {
				const b = other.querySelector("rect").getBoundingClientRect();
				if (other !== box && border.left < b.right && b.left < border.right && border.top < b.bottom && b.top < border.bottom) faults.push("overlap: " + box.textContent);
			}
		}
		for (const link of document.querySelectorAll("svg a, nav a")) if (!document.getElementById(link.getAttribute("href").slice(1))) faults.push("leads nowhere: " + link.textContent);
		const first = svg.querySelector("a");
		first.focus();
		return {width: frame.width, height: frame.height, boxes: boxes.length, faults, focused: document.activeElement === first};
	})()`, &seen)
	if seen.Width < 100 || seen.Height < 40 || seen.Boxes == 0 || !seen.Focused {
		t.Errorf("%s: the drawing is not visible: %+v", name, seen)
	}
	for _, fault := range seen.Faults {
		t.Errorf("%s: %s", name, fault)
	}
}

// pictured returns a graph of n extensions, each with its own identity and binding, and a role that all share.
func pictured(n int, name string) *picture.Graph {
	if name == "" {
		return &picture.Graph{}
	}
	g := &picture.Graph{Units: []picture.Unit{{Root: "prod", Kind: objects.KustomizationUnit}}}
	add := func(node picture.Node) string {
		node.ID = fmt.Sprintf("n%d", len(g.Nodes))
		node.Position = objects.Position{File: "prod/" + name + ".yaml", Line: len(g.Nodes) + 1}
		g.Nodes = append(g.Nodes, node)
		return node.ID
	}
	role := add(picture.Node{Kind: picture.Role, Object: "ClusterRole", Name: "cluster-admin", Admin: true})
	for i := range n {
		named := fmt.Sprintf("%s-%d-%s", name, i, strings.Repeat("long", i%20))
		extension := add(picture.Node{Kind: picture.Extension, Object: "ClusterExtension", Name: named, Note: "target synthetic"})
		identity := add(picture.Node{Kind: picture.Identity, Object: "User", Name: "olm:clusterextension:" + named, Note: "synthetic identity", Change: picture.Added})
		binding := add(picture.Node{Kind: picture.Binding, Object: "ClusterRoleBinding", Name: named, Admin: true, Change: picture.Added})
		g.Edges = append(g.Edges, picture.Edge{From: extension, To: identity, Kind: picture.ActsAs}, picture.Edge{From: identity, To: binding, Kind: picture.BoundBy},
			picture.Edge{From: binding, To: role, Kind: picture.Grants, Change: picture.Added})
	}
	return g
}

// many returns a result with n findings.
func many(t *testing.T, n int) *finding.Result {
	t.Helper()
	r := fixed(t)
	for i := range n {
		f := deprecated(t)
		f.Rule, f.Fix, f.Message = fmt.Sprintf("custom/rule-%02d", i%40), nil, strings.Repeat("a long message ", 20)
		f.Resource.Name = fmt.Sprint(i)
		r.Findings = append(r.Findings, f)
	}
	for i := range 500 {
		r.Changes = append(r.Changes, finding.Change{
			File: fmt.Sprintf("prod/file-%d.yaml", i), Before: []byte(strings.Repeat("old\n", 100)), After: []byte(strings.Repeat("new\n", 100)),
		})
	}
	r.Summary.Count(r.Findings)
	return r
}

// The size of a page is limited, so that browsers and mail servers accept it, and left-out parts are counted.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	page := render(t, "html", many(t, 20_000), Options{Graph: pictured(300, "extension")})
	if len(page) > 3<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"of this rule are not shown", "more rules are not shown", "more files are not shown", "Not drawn: "} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not contain: %s", want)
		}
	}
}
