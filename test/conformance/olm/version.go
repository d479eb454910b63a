package olm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// module is the Go module of operator-controller, whose releases contain their manifests.
const module = "github.com/operator-framework/operator-controller"

// Version is a release of operator-controller.
type Version struct {
	// Name is the tag of the release.
	Name string

	variable string // names the environment variable with the path of the program
	sum      string // of the module, as in go.sum
	replaced []string
}

// Changed returns the release with other manifests, in which pairs of texts are replaced. The first one of each pair must
// be in the manifests once.
func (v Version) Changed(replaced ...string) Version {
	v.replaced = append(slices.Clone(v.replaced), replaced...)
	return v
}

// The releases of the stories: v1.10 acts as the account of an extension, and v1.11 as its own.
var (
	V1_10 = Version{Name: "v1.10.0", variable: "OPERATOR_CONTROLLER_V1_10", sum: "h1:ohJju0MgZf3jisT05QOag0VMKs1EFp1N4jRDGlQ15qw="}
	V1_11 = Version{Name: "v1.11.0", variable: "OPERATOR_CONTROLLER_V1_11", sum: "h1:I1isTdEJ5mT5WHV+o3DPI3bI+eO0xls4gaVbx8kS/Mg="}
)

// Program returns the path of the program. The error describes how it is built.
func (v Version) Program() (string, error) {
	file := os.Getenv(v.variable)
	if file == "" {
		file = filepath.Join("..", "..", "..", "bin", "conformance", "operator-controller-"+v.Name)
	}
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 == 0) {
		err = fmt.Errorf("%s is not a program", file)
	}
	switch {
	case err != nil && v.isNamed():
		return "", fmt.Errorf("%s must be the absolute path of operator-controller %s: %w", v.variable, v.Name, err)
	case err != nil:
		return "", fmt.Errorf("operator-controller %s is not built: run `make conformance-olm-build`, or name the program in %s: %w",
			v.Name, v.variable, err)
	}
	return filepath.Abs(file)
}

// isNamed reports whether the user names the program.
func (v Version) isNamed() bool { return os.Getenv(v.variable) != "" }

// manifests reads one of the release's files of manifests, such as standard.yaml, from the module.
func (v Version) manifests(file string) ([]byte, error) {
	folder, err := v.source()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "manifests", file))
	if err != nil {
		return nil, err
	}
	for pair := range slices.Chunk(v.replaced, 2) {
		if n := bytes.Count(text, []byte(pair[0])); n != 1 {
			return nil, fmt.Errorf("%s of %s contains %d times, not once, %q", file, v.Name, n, pair[0])
		}
		text = bytes.Replace(text, []byte(pair[0]), []byte(pair[1]), 1)
	}
	return text, nil
}

// source returns the folder of the module in Go's cache, into which it is downloaded if it is not there.
func (v Version) source() (string, error) {
	// Outside of a module, so that no go.mod decides about the version.
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+v.Name)
	cmd.Dir = os.TempDir()
	out, failure := cmd.Output()
	var answer struct{ Dir, Sum, Error string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", fmt.Errorf("go mod download %s@%s: %w", module, v.Name, errors.Join(failure, err))
	}
	if answer.Error != "" {
		return "", errors.New(answer.Error)
	}
	if answer.Sum != v.sum {
		return "", fmt.Errorf("%s@%s has the checksum %s, expected %s", module, v.Name, answer.Sum, v.sum)
	}
	return answer.Dir, nil
}
