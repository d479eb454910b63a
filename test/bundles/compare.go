package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// answers are the answers about a bundle and a release, and the namespace to watch with which it is installed.
type answers struct {
	upstream Answer
	watch    string
	grant    []Scoped // nil if the bundle is not installed
}

// worker compares one bundle at a time.
type worker struct {
	program
	releases  []release
	upstreams []*upstream
	table     *table
}

// compare compares the bundles, then the upgrades between them.
func compare(ctx context.Context, o options, bundles []*bundle) (*table, error) {
	empty, err := os.MkdirTemp("", "salint-bundles-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(empty)
	if o.newest > 0 {
		bundles = slices.DeleteFunc(bundles, func(b *bundle) bool { return b.rank >= o.newest })
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &table{}
	workers := make([]*worker, o.workers)
	chosen := slices.DeleteFunc(slices.Clone(releases), func(r release) bool { return o.release != "" && r.target != o.release })
	for i := range workers {
		workers[i] = &worker{program: program{o.salint, empty}, releases: chosen, table: t}
		for _, r := range chosen {
			u, err := start(ctx, o.upstream, r)
			if err != nil {
				return nil, err
			}
			defer u.stop()
			workers[i].upstreams = append(workers[i].upstreams, u)
		}
	}
	each(workers, bundles, func(w *worker, b *bundle) { t.failed(b.name, w.bundle(ctx, b)) })
	each(workers, upgrades(bundles, len(chosen)), func(w *worker, u upgrade) { t.failed(u.String(), w.upgrade(ctx, u)) })
	return t, nil
}

// each calls a function for all items, on all workers.
func each[T any](workers []*worker, items []T, do func(*worker, T)) {
	queue := make(chan T)
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() {
			for item := range queue {
				do(w, item)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	all.Wait()
}

// bundle compares what each release does with a bundle.
func (w *worker) bundle(ctx context.Context, b *bundle) error {
	for i, r := range w.releases {
		v, err := w.preflight(ctx, b.path, r, "")
		if err != nil {
			return err
		}
		w.table.preflight(v.took)
		q := Question{Bundle: b.path, Extension: extensionName, Account: account, Namespace: namespace, Least: b.rank == 0}
		if q.Grant, err = w.grant(ctx, b, r, v, ""); err != nil {
			return err
		}
		answer, err := w.upstreams[i].ask(q)
		if err != nil {
			return err
		}
		w.table.add(item{"installed by default", r.target, b.name}, installed(answer, v, v.Refused))

		a := &answers{watch: watch(answer.Modes)}
		b.answers = append(b.answers, a)
		if a.watch != "" {
			if v, err = w.preflight(ctx, b.path, r, a.watch); err != nil {
				return err
			}
			if q.Grant, err = w.grant(ctx, b, r, v, a.watch); err != nil {
				return err
			}
		}
		if a.watch != "" || answer.Refused != "" { // otherwise, gates change nothing
			q.Gates, q.Watch = true, a.watch
			if answer, err = w.upstreams[i].ask(q); err != nil {
				return err
			}
		}
		a.upstream, a.grant = answer, q.Grant
		w.table.add(item{"installed with all gates", r.target, b.name}, installed(answer, v, v.never()))
		if a.grant == nil || refusal(answer) != "" {
			continue
		}
		w.table.add(item{"permissions sufficient", r.target, b.name}, sufficient(answer, v))
		if q.Least && len(answer.Missing) == 0 && answer.Unchecked == "" {
			w.table.add(item{"permissions necessary", r.target, b.name}, necessary(answer))
		}
	}
	return nil
}

// grant returns what salint lists for the account: for the newest bundle of a package, the manifests that it prints, and otherwise what it
// calls missing. It is nil if the bundle is not installed.
func (w *worker) grant(ctx context.Context, b *bundle, r release, v verdict, watch string) ([]Scoped, error) {
	switch {
	case v.never() != "" || v.Unread != "":
		return nil, nil
	case b.rank == 0:
		return w.manifests(ctx, b.path, r, watch)
	}
	return append([]Scoped{}, v.Missing...), nil
}

// watch returns the namespace with which an operator is installed.
func watch(modes []string) string {
	switch {
	case slices.Contains(modes, "AllNamespaces"):
		return ""
	case slices.Contains(modes, "OwnNamespace"):
		return namespace
	case slices.Contains(modes, "SingleNamespace"):
		return elsewhere
	}
	return ""
}

// upgrade is a bundle and the one that it replaces.
type upgrade struct {
	old, fresh *bundle
}

func (u upgrade) String() string { return u.old.name + " to " + u.fresh.name }

// upgrades returns the upgrades between bundles of the same folder, as far as they were compared with a number of releases.
func upgrades(bundles []*bundle, compared int) []upgrade {
	bundles = slices.DeleteFunc(slices.Clone(bundles), func(b *bundle) bool { return len(b.answers) < compared || compared == 0 })
	type key struct{ dir, name string }
	byName := map[key]*bundle{}
	for _, b := range bundles {
		byName[key{filepath.Dir(b.path), b.answers[0].upstream.Name}] = b
	}
	var all []upgrade
	for _, b := range bundles {
		replaces := b.answers[0].upstream.Replaces
		if old := byName[key{filepath.Dir(b.path), replaces}]; replaces != "" && old != nil && old != b {
			all = append(all, upgrade{old, b})
		}
	}
	return all
}

// upgrade compares what each release does with an upgrade.
func (w *worker) upgrade(ctx context.Context, u upgrade) error {
	for i, r := range w.releases {
		old, fresh := u.old.answers[i], u.fresh.answers[i]
		if old.grant == nil || fresh.grant == nil || refusal(old.upstream)+refusal(fresh.upstream) != "" {
			continue
		}
		g, err := w.bundleDiff(ctx, u.old.path, u.fresh.path, r)
		if err != nil {
			return err
		}
		w.table.bundleDiff(g.took)
		q := Question{
			Bundle: u.fresh.path, From: u.old.path, Extension: extensionName, Account: account, Namespace: namespace,
			Watch: fresh.watch, FromWatch: old.watch, Gates: true, Grant: old.grant,
		}
		before, err := w.upstreams[i].ask(q)
		if err != nil {
			return err
		}
		after := before
		if len(before.Missing) > 0 || before.Unchecked != "" {
			q.From, q.Grant = "", slices.Concat(old.grant, g.More)
			if after, err = w.upstreams[i].ask(q); err != nil {
				return err
			}
		}
		at := item{Release: r.target, Bundle: u.String()}
		at.Check = "upgrade blocked by definitions"
		w.table.add(at, blocked(before, g))
		at.Check = "new permissions named"
		w.table.add(at, named(before, after, g))
	}
	return nil
}

// refusal returns why a release does not install a bundle.
func refusal(a Answer) string {
	return strings.TrimSpace(strings.Join([]string{a.Dependency, a.Refused, a.Fault}, " "))
}
