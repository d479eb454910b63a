package listing

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/olm"
)

// releaseCommands are the commands that print which release a cluster runs.
var releaseCommands = []jsonCommand{
	{"OLM v1 from upstream: the tag of the image is the release", olm.UpstreamReleaseCommand},
	{"OpenShift", olm.OpenShiftReleaseCommand},
	{"any cluster: the schema shows the model", olm.SchemaCommand},
}

// Targets prints the targets as a table.
func Targets(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TARGET\tMODEL\tSOURCE")
	for _, t := range olm.Targets() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", t.Name, t.Model, t.Source)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nWhich release does a cluster run?")
	for _, c := range releaseCommands {
		fmt.Fprintf(w, "  %s\n    %s\n", c.Cluster, c.Command)
	}
	_, err := fmt.Fprintf(w, "\nThe name of a release has no patch version: the image tag v1.10.2 is olm-1.10, and OpenShift 4.20.1 is ocp-4.20.\n\nSet it with --target, or with `target:` in .salint.yaml. Without a target, salint detects it from the repository; if nothing there\n"+
		"shows it, the model is unknown, and only what is wrong on every shipped release is reported. See %s.\n", olm.TargetsPage)
	return err
}

type (
	jsonTargets struct {
		SchemaVersion string        `json:"schemaVersion"`
		Targets       []jsonTarget  `json:"targets"`
		Commands      []jsonCommand `json:"commands"`
	}
	jsonTarget struct {
		Name     string `json:"name"`
		Model    string `json:"model"`
		Proposed bool   `json:"proposed"`
		Source   string `json:"source"`
	}
	// jsonCommand is a command that prints the release of a kind of cluster.
	jsonCommand struct {
		Cluster string `json:"cluster"`
		Command string `json:"command"`
	}
)

// TargetsJSON prints the targets as JSON.
func TargetsJSON(w io.Writer) error {
	list := jsonTargets{SchemaVersion: "1", Commands: releaseCommands}
	for _, t := range olm.Targets() {
		list.Targets = append(list.Targets, jsonTarget{t.Name, string(t.Model), t.Proposed, t.Source})
	}
	return safetext.JSON(w, list)
}
