// Package salint runs `salint build` and reads what it prints.
package salint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

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
	NotKnown  []problem
	Objects   []struct {
		Object map[string]any
	}
}

type problem struct{ Message string }

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
	printed, err := build(program, dir)
	return printed.world(), err
}

func build(program, dir string) (printed output, err error) {
	command := exec.Command(program, "build", "--format", "json")
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	data, err := command.Output()
	if err != nil {
		return printed, fmt.Errorf("salint build: %w\n%s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(data, &printed); err != nil {
		return printed, fmt.Errorf("salint build: %w\n%s", err, data)
	}
	return printed, nil
}

func (o output) world() applied.World {
	world := applied.World{}
	for _, unit := range o.Units {
		for _, application := range unit.AppliedBy {
			world[application] = append(world[application], unit.result())
		}
	}
	return world
}

// ofSecrets are the beginnings of what salint says about values that are in Secrets.
var ofSecrets = []string{"values encrypted with ", "the variables of Secret ", "the value of the variable ", "the values of variables in "}

// WithoutSecrets returns what Applied does, with what is not known because it is in a Secret as it is written, and all objects of the repository.
func WithoutSecrets(program, dir string) (world applied.World, objects []*unstructured.Unstructured, err error) {
	printed, err := build(program, dir)
	for i, u := range printed.Units {
		printed.Units[i].NotKnown = slices.DeleteFunc(u.NotKnown, func(p problem) bool {
			return slices.ContainsFunc(ofSecrets, func(text string) bool { return strings.HasPrefix(p.Message, text) })
		})
		objects = append(objects, u.result().Objects...)
	}
	return printed.world(), objects, err
}
