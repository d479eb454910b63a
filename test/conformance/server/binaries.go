package server

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// BinariesVariable names the environment variable with the folder of the programs. Without it they are looked for in
// bin/conformance of the repository, where `make conformance-apiserver-build` puts them.
const BinariesVariable = "SALINT_CONFORMANCE_BINARIES"

// Binaries returns the folder with kube-apiserver, etcd and kubectl. The error says how they are built.
func Binaries() (string, error) {
	folder := os.Getenv(BinariesVariable)
	if folder == "" {
		folder = filepath.Join(root(), "bin", "conformance")
	}
	for _, program := range []string{"kube-apiserver", "etcd", "kubectl"} {
		if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
			return "", fmt.Errorf("%s is not built: run `make conformance-apiserver-build`, or name a folder in %s: %w",
				program, BinariesVariable, err)
		}
	}
	return folder, nil
}

// root is the folder of the repository: this file lies three folders below it. With -trimpath the compiler leaves no
// folder in its name, so the working directory of the test stands in.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	if !filepath.IsAbs(file) {
		file, _ = filepath.Abs("binaries.go")
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}
