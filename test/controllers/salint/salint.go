// Package salint runs `salint build` and reads what it prints.
package salint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/salint/salint/test/controllers/applied"
)

// output is the part of the JSON of `salint build` that is compared.
type output struct {
	Units []struct {
		Name, Tool, Application, Unread string
		Objects                         []struct {
			Object map[string]any
		}
	}
}

// Applied returns what the program says is applied from the repository in dir.
func Applied(program, dir string) (applied.World, error) {
	command := exec.Command(program, "build", "-o", "json")
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	data, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("salint build: %w\n%s", err, stderr.Bytes())
	}
	var printed output
	if err := json.Unmarshal(data, &printed); err != nil {
		return nil, fmt.Errorf("salint build: %w\n%s", err, data)
	}
	world := applied.World{}
	for _, unit := range printed.Units {
		if unit.Application == "" {
			continue
		}
		result := applied.Result{}
		for _, o := range unit.Objects {
			result.Objects = append(result.Objects, &unstructured.Unstructured{Object: o.Object})
		}
		if unit.Unread != "" {
			result.Err = errors.New(unit.Unread)
		}
		world[unit.Application] = result
	}
	return world, nil
}
