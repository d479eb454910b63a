package consumers

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/commands"
)

// clients are the programs that apply what they read.
var clients = []string{"kubectl", "oc", "kapp", "k", "kubecolor"}

// applies reports whether a command applies its input, or the output of a command in its arguments.
func applies(c *commands.Command) bool {
	creates := c.Has("create") && len(c.Flag("f", "filename")) > 0 // and not a token, or a binding
	isClient := slices.Contains(clients, c.Name) && (creates || c.Has("apply", "replace", "deploy")) || c.Has("apply") && c.Has("-f", "-f-")
	return isClient && !slices.ContainsFunc(c.Args, func(a string) bool { return strings.HasPrefix(a, "--dry-run") && a != "--dry-run=none" })
}

// appliedFiles are the files that the commands of a text apply, as it spells them.
func appliedFiles(all []*commands.Command) map[string]bool {
	found := map[string]bool{}
	for _, c := range all {
		if !applies(c) {
			continue
		}
		for _, file := range append(c.Flag("f", "filename"), c.Flag("k", "kustomize")...) {
			found[path.Clean(file)] = true
		}
	}
	return found
}

// isApplied reports whether what a command prints is applied: by a command behind it, or from the file into which it is written.
func isApplied(c *commands.Command, applied map[string]bool) bool {
	after := c.After()
	if slices.ContainsFunc(after, applies) {
		return true
	}
	return slices.ContainsFunc(redirectedTo(c), func(file string) bool {
		return applied[path.Clean(file)] || applied[path.Dir(file)] && path.Dir(file) != "."
	})
}

// redirectedTo returns the files into which the output of a command is written.
func redirectedTo(c *commands.Command) []string {
	last := c
	if after := c.After(); len(after) > 0 {
		last = after[len(after)-1]
	}
	if last.Name == "tee" || last.Name == "sponge" {
		return last.Positionals()
	}
	if last.Output == "" {
		return nil
	}
	return []string{last.Output}
}

// sourcesOf returns the files that reach a command through its pipeline: those of the first commands, which read or build them.
func sourcesOf(c *commands.Command) (files []string, built bool) {
	if c.Input != "" {
		files = append(files, c.Input)
	}
	for _, before := range c.Before() {
		if before.Input != "" {
			files = append(files, before.Input)
		}
		switch before.Name {
		case "cat", "envsubst", "tail", "head", "tac", "bat":
			files = append(files, before.Positionals("-n")...)
		case "kustomize":
			files, built = append(files, builtFolder(before)...), true
		case "kubectl", "oc":
			if before.Has("kustomize") {
				files, built = append(files, before.Positionals("-o", "--output")[1:]...), true
			}
		default:
			if read, is := changers[before.Name]; is {
				files = append(files, read(before).files...)
			}
			if inputs, is := inputsOf[before.Name]; is {
				files = append(files, inputs(before)...)
			}
		}
	}
	return files, built
}

// builtFolder returns the folder of kustomize build.
func builtFolder(c *commands.Command) []string {
	words := c.Positionals("-o", "--output", "--load-restrictor", "--env", "-e", "--mount", "--helm-command", "--network-name", "--reorder")
	if len(words) == 0 || words[0] != "build" {
		return nil
	}
	if len(words) == 1 {
		return []string{"."}
	}
	return words[1:2]
}

// writers are the programs that print or write manifests, each with the flags of the file or folder into which they write them.
var writers = map[string][]string{
	"kustomize": {"-o", "--output"}, "helm": {"--output-dir"}, "ytt": {"--output-files", "--output-directory"}, "cue": {"-o", "--outfile"},
	"jsonnet": {"-o", "--output-file", "-m", "--multi"}, "timoni": nil, "cdk8s": {"-o", "--output"}, "kompose": {"-o", "--out"}, "kpt": {"-o", "--output"},
	"tk": nil, "jrsonnet": nil, "kubecfg": nil, "dhall-to-yaml": nil, "kubectl": nil, "oc": nil,
}

// generates are the words without which a command of a writer prints no manifests.
var generates = map[string][]string{
	"kustomize": {"build"}, "helm": {"template"}, "cue": {"export", "eval"}, "timoni": {"build"}, "cdk8s": {"synth"}, "kompose": {"convert"},
	"kpt": {"render", "source"}, "tk": {"show", "export"}, "kubecfg": {"show"}, "kubectl": {"kustomize"}, "oc": {"kustomize", "process"},
}

// outputsOf returns the files and folders into which a command writes manifests.
func outputsOf(c *commands.Command) (files []string, program string) {
	chain := append(slices.Clone(c.Before()), c)
	if len(c.After()) > 0 {
		return nil, ""
	}
	for _, one := range chain {
		names, is := writers[one.Name]
		if !is || generates[one.Name] != nil && !one.Has(generates[one.Name]...) {
			continue
		}
		for _, name := range names {
			files = append(files, one.Flag(short(name), long(name))...)
		}
		files = append(files, c.Output)
		if c.Name == "tee" || c.Name == "sponge" {
			files = append(files, c.Positionals()...)
		}
		return files, one.Name
	}
	return nil, ""
}

func short(flag string) string {
	if strings.HasPrefix(flag, "--") {
		return ""
	}
	return strings.TrimPrefix(flag, "-")
}

func long(flag string) string {
	if name, is := strings.CutPrefix(flag, "--"); is {
		return name
	}
	return ""
}
