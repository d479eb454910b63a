//go:build !linux

package olm

import (
	"errors"
	"os/exec"
)

const tokenFile = "run/secrets/kubernetes.io/serviceaccount/token"

// Main does nothing: only Linux has private mounts.
func Main() {}

func privateMounts() error {
	return errors.New("operator-controller needs a token in /var/run/secrets, and only on Linux can a process have its own mounts")
}

func withToken(*exec.Cmd, string) error { return privateMounts() }
