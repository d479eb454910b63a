package loader

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Resolve sets the targets of the bases that kustomizations fetch from repositories of a workspace by their addresses. What is not a folder with
// a kustomization there stays remote. A path from one repository into another one is a problem: it exists in these checkouts only. It also
// follows symbolic links, as kustomize does.
func Resolve(all []*objects.Kustomization, members []gitops.Member, links pathset.Links, has func(file string) bool) {
	for _, k := range all {
		if len(links) > 0 {
			k.Follow(links.Real)
		}
		if len(members) == 0 {
			continue
		}
		for _, e := range k.Resources {
			if from, to := gitops.MemberOf(members, k.Path), gitops.MemberOf(members, e.Target); !e.Remote() && to != "" && from != to {
				k.Problems = append(k.Problems, objects.Problem{Position: e.Position, Message: fmt.Sprintf(
					"%s: %q leads into the repository %s, which is beside this one only in this workspace: name its address", e.Field, e.Value, to)})
			}
		}
		k.Resolve(func(address string) (dir, doubt string, ok bool) {
			dir, doubt, ok = gitops.BaseOf(members, address)
			return dir, doubt, ok && slices.ContainsFunc(objects.KustomizationNames(), func(name string) bool { return has(path.Join(dir, name)) })
		})
	}
}

// filesOf returns the files of a tree as input of builds. In the kustomizations of a workspace, a base of one of its repositories has the path of
// its folder instead of the address.
func filesOf(fsys fs.FS, members []gitops.Member) render.Files {
	files := render.FromFS(fsys)
	if len(members) == 0 {
		return files
	}
	return workspaceFiles{files, fsys, members}
}

type workspaceFiles struct {
	render.Files
	fsys    fs.FS
	members []gitops.Member
}

// ReadLink makes a tree with symbolic links, as [render.Files] requires.
func (w workspaceFiles) ReadLink(name string) (string, error) {
	if links, ok := w.fsys.(fs.ReadLinkFS); ok {
		return links.ReadLink(name)
	}
	return "", fs.ErrInvalid
}

func (w workspaceFiles) ReadFile(name string) ([]byte, error) {
	data, err := w.Files.ReadFile(name)
	if err != nil || !objects.IsKustomizationFile(name) || !bytes.Contains(data, []byte("/")) {
		return data, err
	}
	for _, doc := range manifest.Scan(name, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		if k, err := objects.ReadKustomization(doc); err == nil {
			Resolve([]*objects.Kustomization{k}, w.members, nil, func(file string) bool { _, err := fs.Stat(w.fsys, file); return err == nil })
			return k.Bytes(), nil
		}
	}
	return data, nil
}
