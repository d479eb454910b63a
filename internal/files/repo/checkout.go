package repo

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/ignore"
	"github.com/salint/salint/internal/files/worktree"
)

// checkout is what git's index has and the working tree lacks, or has in another form; nil for a complete checkout.
type checkout struct {
	*git.Checkout
	blobs *git.Blobs
	// unread is why links of the index could not be read; "" if all were read.
	unread string
}

// openCheckout asks git what the checkout leaves out, and lets the repository read it from the index.
func (r *Repo) openCheckout(ctx context.Context) error {
	found, err := r.Git.Checkout(ctx)
	if found == nil || err != nil {
		return err
	}
	r.checkout = &checkout{Checkout: found}
	links := map[string]string{}
	for name := range found.TextLinks {
		// The text in the working tree is the link: it can have been changed.
		if target, err := r.Tree.Read(name); err == nil && len(target) <= maxTarget {
			links[name] = string(target)
		}
	}
	if len(found.LeftOut.Files)+len(found.LeftOut.Links) > 0 {
		if r.checkout.blobs, err = r.Git.Blobs(ctx); err != nil {
			return err
		}
		found.LeftOut.Read = r.checkout.blobs.Read
		for name, link := range found.LeftOut.Links {
			target, err := r.checkout.blobs.Read(link.Object)
			if err != nil {
				r.checkout.unread = fmt.Sprintf("the checkout leaves it out, and it cannot be read from the index: %v", err)
				continue
			}
			links[name] = string(target)
		}
	}
	r.Overlay = &worktree.Overlay{Files: found.LeftOut, Links: links}
	return nil
}

// maxTarget is the length of the path in a symbolic link, as on Linux.
const maxTarget = 4096

// LeftOut returns the number of files and links that a sparse checkout leaves out of the working tree.
func (r *Repo) LeftOut() int {
	if r.checkout == nil {
		return 0
	}
	return len(r.checkout.LeftOut.Files) + len(r.checkout.LeftOut.Links)
}

func (c *checkout) close() {
	if c != nil && c.blobs != nil {
		c.blobs.Close()
	}
}

// isTextLink reports whether a file is a symbolic link that the checkout has as text.
func (c *checkout) isTextLink(p string) bool { return c != nil && c.TextLinks[p] != nil }

// foldedWith returns the path that is one file with another one, because the file system ignores case; "" without one.
func (c *checkout) foldedWith(p string) string {
	if c == nil {
		return ""
	}
	return c.Folded[p]
}

// leftOut visits the files and symbolic links that the checkout leaves out, with the rules of Walk. It returns the files that cannot be read.
func (w *walker) leftOut(o WalkOptions) ([]Skip, error) {
	r, visit := w.repo, w.visit
	c := r.checkout
	if c == nil {
		return nil, nil
	}
	skips := c.otherSpellings(r)
	if c.blobs == nil {
		return skips, nil
	}
	read := map[string]bool{}
	index := &revisionWalk{
		Revision: &Revision{repo: r, tree: c.LeftOut, blobs: c.blobs, limit: r.Limit, links: map[string]string{}},
		exclude:  w.exclude, options: o, visit: func(f File) { read[f.Path] = true; visit(f) },
	}
	index.list(".", ignore.Rules{}, false)
	err := index.readFiles()
	if err != nil && !git.IsMissing(err) {
		return nil, err
	}
	skips = append(skips, index.skips...)
	for name := range c.LeftOut.Links {
		if _, known := r.Overlay.Links[name]; !known {
			skips = append(skips, Skip{Path: name, Reason: c.unread, NotCheckedOut: true})
			continue
		}
		if !w.exclude.match(name) {
			w.link(name)
		}
	}
	return append(skips, r.unreadFolders(index.found, read, err)...), w.ctx.Err()
}

// unreadFolders returns the files that could not be read from the index: for many of them, the folders that the working tree lacks.
func (r *Repo) unreadFolders(found []foundFile, read map[string]bool, err error) []Skip {
	var skips []Skip
	for _, f := range found {
		if read[f.path] || f.isText {
			continue
		}
		at := f.path
		for dir := path.Dir(at); dir != "." && r.LacksFile(dir); dir = path.Dir(dir) {
			at = dir
		}
		skips = append(skips, Skip{
			Path: at, NotCheckedOut: true,
			Reason: fmt.Sprintf("the checkout leaves it out, and it cannot be read from the index: %v", err),
		})
	}
	sortSkips(skips)
	return slices.Compact(skips)
}

// otherSpellings returns the files that the working tree cannot have beside others, because the file system ignores case.
func (c *checkout) otherSpellings(r *Repo) []Skip {
	var skips []Skip
	for p := range c.Folded {
		if !r.spelledSo(p) {
			skips = append(skips, c.foldedSkip(p))
		}
	}
	return skips
}

// spelledSo reports whether the working tree has a file or folder under exactly this name.
func (r *Repo) spelledSo(p string) bool {
	entries, err := worktree.ReadDir(filepath.Join(r.Root, filepath.FromSlash(path.Dir(p))))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == path.Base(p) })
}

func (c *checkout) foldedSkip(p string) Skip {
	return Skip{
		Path: p, NotCheckedOut: true,
		Reason: "git has it and " + c.Folded[p] + ", which are one file on this file system: rename one of them",
	}
}
