// Builtin prints the roles that API servers create for themselves, or the bindings of those that are not of controllers, as
// internal/kube/rbac embeds them:
//
//	go run ./builtin >../../internal/kube/rbac/builtin_roles.json
//	go run ./builtin bindings >../../internal/kube/rbac/builtin_bindings.json
//
// It reads them in the source of each version from kubeversion.Oldest to kubeversion.Newest, which it downloads. What the
// first patch release of a version has holds for all of them: the bootstrap policy changes with minor versions.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/test/conformance/kube"
)

func main() {
	text, err := roles()
	if len(os.Args) > 1 && os.Args[1] == "bindings" {
		text, err = bindings()
	}
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func roles() ([]byte, error) {
	files, err := sources(kube.RolesFiles...)
	if err != nil {
		return nil, err
	}
	return kube.BuiltinJSON(files)
}

func bindings() ([]byte, error) {
	files, err := sources(kube.BindingsFile)
	if err != nil {
		return nil, err
	}
	first := map[kubeversion.Version][]byte{}
	for version, contents := range files {
		first[version] = contents[0]
	}
	return kube.BuiltinBindingsJSON(first)
}

// sources returns files of Kubernetes' source for every version.
func sources(names ...string) (map[kubeversion.Version][][]byte, error) {
	files := map[kubeversion.Version][][]byte{}
	for version := kubeversion.Oldest; version <= kubeversion.Newest; version++ {
		folder, err := download("k8s.io/kubernetes@v" + version.String() + ".0")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			files[version] = append(files[version], content)
		}
	}
	return files, nil
}

// download returns the folder of a module.
func download(module string) (string, error) {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Stderr = os.Stderr
	output, err := command.Output()
	var answer struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(output, &answer); jsonErr == nil && answer.Error != "" {
		return "", fmt.Errorf("%s: %s", module, answer.Error)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", module, err)
	}
	return answer.Dir, nil
}
