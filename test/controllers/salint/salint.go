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
	Units []unit
}

type unit struct {
	AppliedBy []string
	Namespace string
	Built     bool
	NotKnown  []struct {
		Message string
	}
	Objects []struct {
		Object map[string]any
	}
}

// result returns what the unit says is applied. If something of it is not known, nothing is compared.
func (u unit) result() applied.Result {
	var all []*unstructured.Unstructured
	for _, o := range u.Objects {
		all = append(all, &unstructured.Unstructured{Object: o.Object})
	}
	applied.InNamespace(all, u.Namespace)
	result := applied.Result{Objects: all}
	for _, problem := range u.NotKnown {
		result.Err = errors.New(problem.Message)
	}
	if !u.Built {
		result.Err = errors.New("not built")
	}
	return result
}

// Applied returns what the program says is applied from the repository in dir.
func Applied(program, dir string) (applied.World, error) {
	command := exec.Command(program, "build", "--format", "json")
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
		for _, application := range unit.AppliedBy {
			world[application] = append(world[application], unit.result())
		}
	}
	return world, nil
}
