package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// The names in all questions.
const (
	extensionName = "sample"
	account       = "installer"
	namespace     = "sample-system"
	elsewhere     = "watched" // a namespace that an operator watches, and is not installed in
)

// program runs salint in an empty folder.
type program struct {
	path, folder string
}

// verdict is what salint says about installing a bundle.
type verdict struct {
	// Refused is why the release does not install the bundle; Gate is set if a feature gate helps.
	Refused string
	Gate    bool
	// Unread is why salint cannot say it.
	Unread  string
	Missing []Scoped
	Notes   []string
	took    time.Duration
}

// never returns why the release does not install the bundle, whatever its gates.
func (v verdict) never() string {
	if v.Gate {
		return ""
	}
	return v.Refused
}

// growth is what salint says about an upgrade.
type growth struct {
	// Unread is why salint cannot say it.
	Unread string
	// Blocked are the definitions that block the upgrade.
	Blocked []string
	// More is what the new version requires in addition, and Installer is set if a part of it is about the installer itself.
	More      []Scoped
	Installer bool
	Notes     []string
	took      time.Duration
}

// The texts by which the verdicts of preflight are known.
const (
	refusesText    = "operator-controller refuses this bundle: "
	notInstalled   = " does not install this bundle"
	unlessGateText = " unless the feature gate "
)

// preflightArgs are the arguments of a run in which the account has no permissions.
func preflightArgs(bundle string, r release, watch, format string) []string {
	args := []string{
		"preflight", "--format", format, "--target", r.target, "--bundle", bundle, "--extension", extensionName, "--namespace", namespace,
		"--service-account", account,
	}
	if watch != "" {
		args = append(args, "--watch-namespace", watch)
	}
	return args
}

func (p program) preflight(ctx context.Context, bundle string, r release, watch string) (verdict, error) {
	var v verdict
	var unread string
	var err error
	v.took, unread, err = p.run(ctx, &v, preflightArgs(bundle, r, watch, "json"))
	if err != nil {
		return v, err
	}
	if _, reason, found := strings.Cut(unread, refusesText); found {
		v.Refused = reason
		return v, nil
	}
	v.Unread = unread
	for _, note := range v.Notes {
		if before, reason, found := strings.Cut(note, notInstalled); found && strings.HasPrefix(before, r.target) {
			v.Refused, v.Gate = reason, strings.HasPrefix(reason, unlessGateText)
		}
	}
	return v, nil
}

// manifests returns what the manifests grant that preflight prints.
func (p program) manifests(ctx context.Context, bundle string, r release, watch string) ([]Scoped, error) {
	command := exec.CommandContext(ctx, p.path, preflightArgs(bundle, r, watch, "yaml")...)
	command.Dir = p.folder
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", bundle, err)
	}
	grant := []Scoped{}
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(out), 4096)
	for {
		var role rbacv1.Role // or a ClusterRole
		err := decoder.Decode(&role)
		if errors.Is(err, io.EOF) {
			return grant, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", bundle, err)
		}
		if len(role.Rules) > 0 {
			grant = append(grant, Scoped{role.Namespace, role.Rules})
		}
	}
}

func (p program) bundleDiff(ctx context.Context, old, fresh string, r release) (growth, error) {
	var g growth
	var answer struct {
		Growth []struct {
			Part, Namespace string
			Rules           []rbacv1.PolicyRule
		}
		Blocked []struct{ Definition string }
		Notes   []string
	}
	took, unread, err := p.run(ctx, &answer, []string{"bundle-diff", "--format", "json", "--target", r.target, "--namespace", namespace, old, fresh})
	if err != nil {
		return g, err
	}
	g.took, g.Unread, g.Notes = took, unread, answer.Notes
	for _, blocked := range answer.Blocked {
		g.Blocked = append(g.Blocked, blocked.Definition)
	}
	for _, change := range answer.Growth {
		g.Installer = g.Installer || change.Part == "installer"
		if len(change.Rules) > 0 {
			g.More = append(g.More, Scoped{change.Namespace, change.Rules})
		}
	}
	slices.Sort(g.Blocked)
	return g, nil
}

// run decodes the output into a value. It returns the processor time, which other programs on the machine change little, and the error that
// salint prints if its exit code is 2.
func (p program) run(ctx context.Context, into any, args []string) (time.Duration, string, error) {
	command := exec.CommandContext(ctx, p.path, args...)
	command.Dir = p.folder
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, "", err
	}
	took := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	if command.ProcessState.ExitCode() > 1 {
		return took, strings.TrimSpace(stderr.String()), nil
	}
	if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
		return took, "", fmt.Errorf("salint %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return took, "", nil
}
