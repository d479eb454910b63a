// Builtin prints the ClusterRoles, or their bindings, that API servers make for themselves, those of their controllers aside,
// as internal/kube/rbac embeds them:
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
	write, file := kube.BuiltinJSON, kube.RolesFile
	if len(os.Args) > 1 && os.Args[1] == "bindings" {
		write, file = kube.BuiltinBindingsJSON, kube.BindingsFile
	}
	files, err := sources(file)
	var text []byte
	if err == nil {
		text, err = write(files)
	}
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sources returns a file of Kubernetes' source for every version.
func sources(file string) (map[kubeversion.Version][]byte, error) {
	files := map[kubeversion.Version][]byte{}
	for version := kubeversion.Oldest; version <= kubeversion.Newest; version++ {
		folder, err := download("k8s.io/kubernetes@v" + version.String() + ".0")
		if err != nil {
			return nil, err
		}
		if files[version], err = os.ReadFile(filepath.Join(folder, filepath.FromSlash(file))); err != nil {
			return nil, err
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
