package consumers

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
)

var (
	lineComment  = lazyregexp.New(`(?m)^[ \t]*(?:#|//).*$|[ \t](?:#|//)[ \t].*$`)
	blockComment = lazyregexp.New(`(?s)/\*.*?\*/`)
	newlines     = lazyregexp.New(`[^\n]`)
)

// withoutComments returns a text with the same lines and without its comments.
func withoutComments(data []byte) string {
	text := blockComment().ReplaceAllStringFunc(string(data), func(comment string) string { return newlines().ReplaceAllString(comment, "") })
	return lineComment().ReplaceAllString(text, "")
}

// call is a form in which a language names files: the first group of an expression.
type call struct {
	form    func() *regexp.Regexp
	program string
}

// quoted matches a string, possibly after the name of a parameter.
const quoted = `\s*(?:\w+\s*[=:]\s*)?["']([^"'\n]+)["']`

var (
	tiltCalls = []call{
		{lazyregexp.New(`\b(?:k8s_yaml|read_file|read_yaml|read_yaml_stream|read_json|listdir|load_dynamic|k8s_custom_deploy)\(` + quoted), "Tilt"},
		{lazyregexp.New(`\bk8s_yaml\(\s*\[?(?:\s*["'][^"'\n]+["']\s*,)+` + quoted), "Tilt"},
		{lazyregexp.New(`\bk8s_yaml\(\s*\[` + quoted), "Tilt"},
		{lazyregexp.New(`\bdecode_yaml(?:_stream)?\(\s*read_file\(` + quoted), "Tilt"},
	}
	terraformCalls = []call{
		{lazyregexp.New(`\b(?:file|templatefile|filebase64|filemd5)\(\s*"([^"\n]+)"`), "Terraform"},
		{lazyregexp.New(`\b(?:pattern|filename|manifests_path)\s*=\s*"([^"\n]+\.ya?ml[^"\n]*)"`), "Terraform"},
	}
	jsonnetCalls = []call{{lazyregexp.New(`\bimport(?:str|bin)?\s*\(?\s*["']([^"'\n]+\.(?:ya?ml|json))["']`), "Jsonnet"}}
	kclCalls     = []call{{lazyregexp.New(`\bfile\.read\(\s*["']([^"'\n]+)["']`), "KCL"}}
	cueCalls     = []call{
		{lazyregexp.New(`@embed\((?:[^)\n]*,)?\s*(?:file|glob)\s*=\s*"?([^,)"\n]+)"?`), "CUE"},
		{lazyregexp.New(`\bfilename:\s*"([^"\n]+)"`), "CUE"},
		{lazyregexp.New(`\bfile\.Glob\s*&\s*\{\s*glob:\s*"([^"\n]+)"`), "CUE"},
	}
	// appliedAsIs matches the fields of Terraform that apply a file as it is.
	appliedAsIs = lazyregexp.New(`\byaml_body\s*=\s*$`)
	fileset     = lazyregexp.New(`\bfileset\(\s*(?:"([^"\n]*)"|(path\.\w+))\s*,\s*"([^"\n]+)"`)
)

// calls adds what the calls in a text name, from its folder or from the root of the repository.
func (x *Index) calls(file string, data []byte, forms []call) {
	x.callsIn(file, withoutComments(data), forms)
}

func (x *Index) callsIn(file, text string, forms []call) {
	for _, form := range forms {
		for _, m := range form.form().FindAllStringSubmatchIndex(text, -1) {
			if form.program != "Terraform" || !appliedAsIs().MatchString(text[:m[0]]) {
				x.named(file, text, m[2], form.program, text[m[2]:m[3]])
			}
		}
	}
}

// named adds the paths that a name at an offset of a text can mean.
func (x *Index) named(file, text string, offset int, program, name string) {
	name = moduleFolder().ReplaceAllString(name, "")
	name = interpolation().ReplaceAllString(name, commands.Unknown)
	if strings.Contains(name, "://") || strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "//") {
		return
	}
	consumer := at(file, 1+strings.Count(text[:offset], "\n"), program)
	x.addFiles(consumer, []string{path.Join(path.Dir(file), name), path.Clean(name)})
}

var (
	moduleFolder  = lazyregexp.New(`^\$\{(?:path\.(?:module|root|cwd)|get_(?:\w+_)?terragrunt_dir\(\)|get_repo_root\(\))\}/?`)
	interpolation = lazyregexp.New(`\$\{[^}]*\}|\{[A-Za-z_]\w*\}|%[sdv]`)
)

func (x *Index) tiltfile(file string, data []byte) { x.calls(file, data, tiltCalls) }
func (x *Index) jsonnet(file string, data []byte)  { x.calls(file, data, jsonnetCalls) }
func (x *Index) kcl(file string, data []byte)      { x.calls(file, data, kclCalls) }
func (x *Index) cue(file string, data []byte)      { x.calls(file, data, cueCalls) }

func (x *Index) terraform(file string, data []byte) {
	text := withoutComments(data)
	for _, known := range []string{"local.", ""} { // a variable can have another value than its default
		x.terraformFiles(file, x.evaluated(path.Dir(file), text, known))
	}
}

func (x *Index) terraformFiles(file, text string) {
	x.callsIn(file, text, terraformCalls)
	for _, m := range fileset().FindAllStringSubmatchIndex(text, -1) {
		folder := ""
		if m[2] >= 0 {
			folder = text[m[2]:m[3]]
		}
		x.named(file, text, m[0], "Terraform", cmp.Or(folder, ".")+"/"+text[m[6]:m[7]])
	}
}

var (
	stringOfProgram = lazyregexp.New("[\"'`]([^\"'`\\n]+)[\"'`]")
	pathLike        = lazyregexp.New(`^[\w.*/${}-]+$`)
)

// program adds what the strings of a program of Pulumi or cdk8s name: files and folders with manifests.
func (x *Index) program(file string, data []byte) {
	program, dir := x.projectOf(file)
	if program == "" {
		return
	}
	text := joinedPaths().ReplaceAllStringFunc(withoutComments(data), joinPath)
	for _, m := range stringOfProgram().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if !pathLike().MatchString(name) || !strings.ContainsAny(name, "./") || strings.Trim(name, "./*") == "" {
			continue
		}
		name = interpolation().ReplaceAllString(name, commands.Unknown)
		consumer := at(file, 1+strings.Count(text[:m[2]], "\n"), program)
		x.addFiles(consumer, []string{path.Join(dir, name), path.Join(path.Dir(file), name)})
	}
}

// projectOf returns the program that runs a file, and the folder of its project; "" if none is known.
func (x *Index) projectOf(file string) (program, dir string) {
	for dir = path.Dir(file); ; dir = path.Dir(dir) {
		for _, project := range []struct{ file, program string }{{"Pulumi.yaml", "Pulumi"}, {"Pulumi.yml", "Pulumi"}, {"cdk8s.yaml", "cdk8s"}} {
			if x.from.Paths.HasFile(path.Join(dir, project.file)) {
				return project.program, dir
			}
		}
		if dir == "." {
			return "", ""
		}
	}
}
