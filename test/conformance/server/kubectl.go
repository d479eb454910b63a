package server

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/salint/salint/test/conformance/world"
)

// Admin is the identity that is not restricted; Kubectl acts as it without impersonation.
var Admin = world.Identity{}

// Kubectl runs kubectl as an identity and returns its output. The error contains its error output.
func (s *Server) Kubectl(ctx context.Context, who world.Identity, input string, args ...string) (string, error) {
	return s.KubectlWith(ctx, adminToken, input, append(impersonating(who), args...)...)
}

func impersonating(who world.Identity) (flags []string) {
	if who.User != "" {
		flags = append(flags, "--as="+who.User)
		for _, group := range who.Groups {
			flags = append(flags, "--as-group="+group)
		}
	}
	return flags
}

// KubectlWarnings runs kubectl as an identity and returns its error output, which has the warnings of the API server.
func (s *Server) KubectlWarnings(ctx context.Context, who world.Identity, input string, args ...string) (string, error) {
	_, warnings, err := s.kubectlWith(ctx, adminToken, input, append(impersonating(who), args...)...)
	return warnings, err
}

// KubectlWith runs kubectl with a token and returns its output. The error contains its error output.
func (s *Server) KubectlWith(ctx context.Context, token, input string, args ...string) (string, error) {
	out, _, err := s.kubectlWith(ctx, token, input, args...)
	return out, err
}

func (s *Server) kubectlWith(ctx context.Context, token, input string, args ...string) (out, errors string, err error) {
	all := []string{"--server=" + s.Config.Host, "--token=" + token, "--insecure-skip-tls-verify"}
	cmd := exec.CommandContext(ctx, s.kubectl, append(all, args...)...)
	// The machine's own configuration is not used, and kubectl's cache is removed with the folder.
	cmd.Env = []string{"HOME=" + s.home, "KUBECACHEDIR=" + filepath.Join(s.home, "cache"), "KUBECONFIG=/dev/null"}
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), stderr.String(), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), stderr.String(), nil
}

// Apply applies manifests as an identity, with server-side apply.
func (s *Server) Apply(ctx context.Context, who world.Identity, manifests string) error {
	_, err := s.Kubectl(ctx, who, manifests, "apply", "--server-side", "--filename=-")
	return err
}

// Delete deletes the objects of manifests, as an administrator. A missing object is no error.
func (s *Server) Delete(ctx context.Context, manifests string) error {
	_, err := s.Kubectl(ctx, Admin, manifests, "delete", "--ignore-not-found", "--wait=false", "--filename=-")
	return err
}
