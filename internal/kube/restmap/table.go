package restmap

import (
	_ "embed"
	"strings"
	"sync"
)

// kubernetesTable lists what an API server of Kubernetes v1.34.4 serves, its groups in the order in which discovery
// names them, the core group first: by this order kubectl prefers one of several resources of a name.
//
// Both tables hold groups, each a paragraph: its name, then lines of kind, plural, scope and short names. The singular is the
// kind in lower case.
//
//go:embed kubernetes.txt
var kubernetesTable string

// extensionTable lists kinds of other projects that bundles and the repositories around them use, by group: those of OLM,
// OpenShift, cert-manager, the Prometheus operator and others, from their published definitions.
//
//go:embed extensions.txt
var extensionTable string

// core is the name of the core group in the tables, where it is otherwise empty.
const core = "core"

// base is the start of every map. It is built on first use, and never changed.
var base = sync.OnceValue(func() *index {
	known := newIndex()
	rank := 0
	for _, group := range paragraphs(kubernetesTable) {
		rank++
		known.addGroup(group, rank)
	}
	for _, group := range paragraphs(extensionTable) {
		known.addGroup(group, extensionRank)
	}
	return known
})

func paragraphs(table string) []string {
	return strings.Split(strings.TrimSpace(table), "\n\n")
}

func (x *index) addGroup(paragraph string, rank int) {
	group, lines, _ := strings.Cut(paragraph, "\n")
	if group == core {
		group = ""
	}
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		x.add(Resource{
			Group: group, Kind: fields[0], Plural: fields[1], Singular: strings.ToLower(fields[0]),
			Namespaced: fields[2] == "namespaced", Short: fields[3:],
		}, rank)
	}
}
