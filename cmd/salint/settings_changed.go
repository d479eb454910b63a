package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/lint/judging"
)

// settingsOf returns those of the changed files that decide what counts: configurations, policies, the baseline, and ignore files.
func (l *linter) settingsOf(changed map[string]bool, base fs.FS) []judging.ChangedSetting {
	kindOf := l.settingKinds()
	var found []judging.ChangedSetting
	for file := range changed {
		if kind, ok := kindOf(file); ok {
			found = append(found, judging.ChangedSetting{File: file, Line: l.firstChange(file, base), Kind: kind})
		}
	}
	slices.SortFunc(found, func(a, b judging.ChangedSetting) int { return strings.Compare(a.File, b.File) })
	return found
}

// settingKinds returns a function that returns what a file decides in this run; ok is false if it decides nothing.
func (l *linter) settingKinds() func(file string) (kind judging.SettingKind, ok bool) {
	baselineName, _ := l.baseline()
	baseline, config := l.pathInRepository(baselineName), l.pathInRepository(l.ctx.String("config"))
	ofConfig, ownConfig := judging.SettingOfRevision, true
	if l.ctx.String("config") != "" {
		ofConfig, ownConfig = judging.SettingOfFlag, false
	}
	var policies []string
	for _, dir := range l.options.Policies {
		policies = append(policies, l.pathInRepository(dir))
	}
	return func(file string) (judging.SettingKind, bool) {
		name := path.Base(file)
		switch {
		case name == ".gitignore", name == ".helmignore":
			return judging.SettingIgnore, true
		case file == baseline:
			return judging.SettingBaseline, true
		case file == config, name == settings.FileName && ownConfig:
			return ofConfig, true
		}
		isPolicy := slices.ContainsFunc(policies, func(dir string) bool { return dir == "." || dir != "" && strings.HasPrefix(file, dir+"/") })
		return ofConfig, isPolicy
	}
}

// firstChange returns the first line of a file that differs from the base revision; 1 if one of the two cannot be read, as a file that
// is new or removed.
func (l *linter) firstChange(file string, base fs.FS) int {
	before, err := fs.ReadFile(base, file)
	if err != nil {
		return 1
	}
	after, err := l.repo.Read(file)
	if err != nil {
		return 1
	}
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	if same == len(after) && bytes.HasSuffix(after, []byte("\n")) {
		same-- // only lines at the end are missing: the last one that is left
	}
	return 1 + bytes.Count(after[:max(same, 0)], []byte("\n"))
}

// pathInRepository returns a path of the command line relative to the repository, with slashes; "" if it is not in it.
func (l *linter) pathInRepository(name string) string {
	if name == "" {
		return ""
	}
	if inside, err := l.inRepository(name); err == nil {
		return inside
	}
	rel, err := filepath.Rel(l.repo.Root, l.abs(name)) // it no longer exists
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// readConfigFrom reads the configuration, its policies, and its baseline as they are at the revision of --config-from.
func (l *linter) readConfigFrom(rev string) error {
	base, err := l.repo.Git.BaseFS(l.ctx.Context, rev)
	if err != nil {
		return fmt.Errorf("--config-from: %w", err)
	}
	l.config, err = l.limited(l.ctx, func(given settings.GivenLimits) (*settings.Config, error) {
		return l.configAt(base, given)
	})
	if err != nil {
		return fmt.Errorf("--config-from %s: %w", rev, err)
	}
	l.configBase = base
	l.options.OpenPolicies = func(dir string, limit int64) (regular.Dir, error) {
		inside := l.pathInRepository(dir)
		if inside == "" {
			return l.repo.OpenNamed(dir, limit)
		}
		sub, err := fs.Sub(base, inside)
		if err == nil {
			_, err = fs.Stat(sub, ".")
		}
		return treeOfRevision{sub}, err
	}
	return nil
}

// configAt reads the configuration of the repository in a revision; if there is none, it returns the defaults.
func (l *linter) configAt(base fs.FS, given settings.GivenLimits) (*settings.Config, error) {
	file := l.configIn(base)
	if file == "" {
		return settings.Default(), nil
	}
	data, err := fs.ReadFile(base, file)
	if err != nil {
		return nil, err
	}
	config, err := settings.Parse(filepath.Join(l.repo.Root, filepath.FromSlash(file)), data)
	if err != nil {
		return nil, err
	}
	config = config.RelativeTo(l.root())
	return config, errors.Join(config.CheckInside(), config.CheckLimits(given))
}

// configIn returns the nearest configuration file of a revision, as settings.Find does in the work tree; "" if there is none.
func (l *linter) configIn(base fs.FS) string {
	for dir := l.pathInRepository(l.repo.ConfigDir()); dir != ""; dir = path.Dir(dir) {
		file := path.Join(dir, settings.FileName)
		if _, err := fs.Stat(base, file); err == nil {
			return file
		}
		if dir == "." {
			break
		}
	}
	return ""
}

// treeOfRevision is a folder in which nothing is open.
type treeOfRevision struct{ fs.FS }

// Close does nothing.
func (treeOfRevision) Close() error { return nil }
