package consumers

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/commands"
)

// inputsOf are the programs that build or apply files and that salint does not build, each with a function that returns the files and folders that a
// command gives to it.
var inputsOf = map[string]func(*commands.Command) []string{
	"ytt":                 flag("f", "file"),
	"kbld":                flag("f", "file"),
	"imgpkg":              only(flag("f", "file"), "push"),
	"kapp":                kapp,
	"kpt":                 kpt,
	"flux":                only(flags([2]string{"p", "path"}, [2]string{"f", "path"}), "push", "build artifact"),
	"oras":                only(withoutTypes(positionals("-a", "--annotation", "-u", "-p", "--config", "--artifact-type")), "push"),
	"cue":                 only(positionals("-e", "-o", "-l", "-t", "--out", "--outfile"), "export", "eval", "def", "import", "cmd"),
	"timoni":              only(positionals("-n", "--namespace", "-o"), "apply", "build"),
	"jsonnet":             flags([2]string{"", "ext-str-file"}, [2]string{"", "tla-str-file"}, [2]string{"", "ext-code-file"}, [2]string{"", "tla-code-file"}),
	"kubecfg":             flags([2]string{"", "ext-str-file"}, [2]string{"", "tla-str-file"}),
	"gomplate":            flags([2]string{"", "input-dir"}),
	"spruce":              only(positionals("--prune", "--cherry-pick"), "merge"),
	"kcl":                 only(positionals("-o", "--output", "-D", "--argument", "-S", "-O", "-Y", "--setting", "-E"), "run"),
	"crane":               only(flag("f", "new_layer"), "append"),
	"argocd-vault-plugin": only(positionals("-c", "--config-path", "-s", "--secret-name"), "generate"),
	"aws":                 upload("s3", "cp", "sync", "mv"),
	"gsutil":              upload("", "cp", "rsync", "mv"),
	"gcloud":              upload("storage", "cp", "rsync", "mv"),
	"mc":                  upload("", "cp", "mirror", "mv"),
	"s3cmd":               upload("", "put", "sync"),
	"rclone":              upload("", "copy", "sync"),
	"az":                  only(flags([2]string{"s", "source"}, [2]string{"f", "file"}), "upload", "upload-batch"),
}

// uploads are the programs that copy files into a store. They count if the repository takes objects from one.
var uploads = []string{"aws", "gsutil", "gcloud", "mc", "s3cmd", "rclone", "az", "oras"}

func flag(short, long string) func(*commands.Command) []string { return flags([2]string{short, long}) }

func flags(names ...[2]string) func(*commands.Command) []string {
	return func(c *commands.Command) (found []string) {
		for _, name := range names {
			for _, value := range c.Flag(name[0], name[1]) {
				_, value = cutKey(value)
				found = append(found, strings.Split(value, ",")...)
			}
		}
		return found
	}
}

// cutKey splits KEY=FILE, as in --ext-str-file KEY=FILE.
func cutKey(value string) (key, file string) {
	if key, file, is := strings.Cut(value, "="); is {
		return key, file
	}
	return "", value
}

func positionals(withValue ...string) func(*commands.Command) []string {
	return func(c *commands.Command) []string {
		if found := c.Positionals(withValue...); len(found) > 0 {
			return found[1:]
		}
		return nil
	}
}

// withoutTypes returns inputs without the media types that oras takes behind them, as in FILE:TYPE.
func withoutTypes(inputs func(*commands.Command) []string) func(*commands.Command) []string {
	return func(c *commands.Command) (found []string) {
		for _, input := range inputs(c) {
			file, _, _ := strings.Cut(input, ":")
			found = append(found, file)
		}
		return found
	}
}

// only returns inputs for commands with one of some sub-commands.
func only(inputs func(*commands.Command) []string, subcommands ...string) func(*commands.Command) []string {
	return func(c *commands.Command) []string {
		line := " " + strings.Join(c.Args, " ") + " "
		if !slices.ContainsFunc(subcommands, func(s string) bool { return strings.Contains(line, " "+s+" ") }) {
			return nil
		}
		return inputs(c)
	}
}

// upload returns the files that a command copies into a store: all but its last argument.
func upload(group string, verbs ...string) func(*commands.Command) []string {
	return func(c *commands.Command) []string {
		words := c.Positionals("--profile", "--region", "--exclude", "--include", "-x")
		if group != "" && (len(words) == 0 || words[0] != group) {
			return nil
		}
		at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(verbs, w) })
		if at < 0 || len(words) < at+3 {
			return nil
		}
		return words[at+1 : len(words)-1]
	}
}

func kapp(c *commands.Command) []string {
	if !c.Has("deploy") {
		return nil
	}
	return append(c.Flag("f", "file"), c.Flag("d", "directory")...)
}

func kpt(c *commands.Command) []string {
	words := c.Positionals("-i", "--image", "-o", "--output", "--fn-config", "-e", "--exec", "--results-dir", "--match-kind", "--match-name")
	if len(words) < 2 || !slices.Contains([]string{"fn render", "fn eval", "fn source", "live apply"}, words[0]+" "+words[1]) {
		return nil
	}
	if len(words) == 2 {
		return []string{"."}
	}
	return words[2:3]
}
