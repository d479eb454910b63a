package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// release is a release of operator-controller of which there is a program.
type release struct {
	target, program string
}

// releases are the releases with which salint is compared.
var releases = []release{{"olm-1.10", "upstream-v1.10.0"}, {"olm-1.3", "upstream-v1.3.0"}}

// upstream is a running program of build.sh.
type upstream struct {
	in      io.WriteCloser
	encoder *json.Encoder
	decoder *json.Decoder
	process *exec.Cmd
}

func start(ctx context.Context, folder string, r release) (*upstream, error) {
	program := filepath.Join(folder, r.program)
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("%w: run make bundles-build", err)
	}
	command := exec.CommandContext(ctx, program)
	command.Stderr = io.Discard // warnings of libraries
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &upstream{in: in, encoder: json.NewEncoder(in), decoder: json.NewDecoder(out), process: command}, command.Start()
}

// ask asks one question.
func (u *upstream) ask(q Question) (Answer, error) {
	var a Answer
	if err := u.encoder.Encode(q); err != nil {
		return a, fmt.Errorf("%s: %w", q.Bundle, err)
	}
	if err := u.decoder.Decode(&a); err != nil {
		return a, fmt.Errorf("%s: %w", q.Bundle, err)
	}
	return a, nil
}

func (u *upstream) stop() error {
	u.in.Close()
	return u.process.Wait()
}
