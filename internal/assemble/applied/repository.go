package applied

import (
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Repository are the deployment units and files of a repository, with lookups by file, by document, and by object. It remembers
// answers, so one goroutine uses it at a time.
type Repository struct {
	// Units are all deployment units of the repository.
	Units []*objects.Unit
	// Read returns the bytes of a file. The error is fs.ErrNotExist if there is none.
	Read func(path string) ([]byte, error)

	indexed sync.Once
	byFile  map[string][]*objects.Unit
	files   map[string]*manifest.File // nil for a file that does not exist
	// forms are the objects that units apply, by their source: the document, and the path in it.
	forms map[string]map[string][]Form
	// builtFrom lists the units that a kustomization is part of, by its file.
	builtFrom map[string][]*objects.Unit
	// allKustomizations are the kustomizations of all units; listed are their entries, by the file that they list.
	allKustomizations []*objects.Kustomization
	listed            map[string][]Listing

	// Answers that are kept.
	objectsByFile map[string]map[string]*objects.Object
	sameName      map[identity][]*objects.Object
	extensions    map[string][]*objects.Object // by namespace
	unreadParts   map[*objects.Unit]string
	affixes       []affix
}

// index prepares the lookups by file.
func (r *Repository) index() {
	r.byFile, r.listed, r.files = map[string][]*objects.Unit{}, map[string][]Listing{}, map[string]*manifest.File{}
	r.forms, r.builtFrom = map[string]map[string][]Form{}, map[string][]*objects.Unit{}
	seen := map[*objects.Kustomization]bool{}
	for _, unit := range r.Units {
		for _, object := range unit.Objects {
			r.addForm(Form{unit, object})
		}
		files := map[string]bool{}
		for _, object := range slices.Concat(unit.Objects, unit.Sources) {
			if !files[object.File] {
				files[object.File] = true
				r.byFile[object.File] = append(r.byFile[object.File], unit)
				if object.InFile() {
					r.files[object.File] = object.Doc.File
				}
			}
		}
		for _, k := range unit.Kustomizations {
			r.builtFrom[k.Path] = append(r.builtFrom[k.Path], unit)
			if !seen[k] {
				seen[k] = true
				r.addKustomization(k)
			}
		}
	}
}

func (r *Repository) addKustomization(k *objects.Kustomization) {
	r.allKustomizations = append(r.allKustomizations, k)
	r.files[k.Path] = k.Doc.File
	for _, entry := range k.Resources {
		r.listed[entry.Target] = append(r.listed[entry.Target], Listing{k, entry})
	}
}

// UnitsOf returns the units that apply objects of a file.
func (r *Repository) UnitsOf(file string) []*objects.Unit {
	r.indexed.Do(r.index)
	return r.byFile[file]
}

// UnitsBuiltFrom returns the units that a kustomization is part of.
func (r *Repository) UnitsBuiltFrom(k *objects.Kustomization) []*objects.Unit {
	r.indexed.Do(r.index)
	return r.builtFrom[k.Path]
}

// Kustomizations returns every kustomization of the repository once.
func (r *Repository) Kustomizations() []*objects.Kustomization {
	r.indexed.Do(r.index)
	return r.allKustomizations
}

// UnitsWith returns the units that apply an object.
func (r *Repository) UnitsWith(o *objects.Object) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range r.UnitsOf(o.File) {
		if unit.Object(o.Ref()) != nil {
			units = append(units, unit)
		}
	}
	return units
}

// File returns a file as the units were read from it; a file that no unit holds is read now. It returns nil if there is none.
func (r *Repository) File(path string) (*manifest.File, error) {
	r.indexed.Do(r.index)
	if file, known := r.files[path]; known {
		return file, nil
	}
	data, err := r.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.files[path] = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file := manifest.Scan(path, data)
	r.files[path] = file
	return file, nil
}

// UnitThatHas returns the unit that an object belongs to, or nil.
func (r *Repository) UnitThatHas(o *objects.Object) *objects.Unit {
	for _, unit := range r.UnitsOf(o.File) {
		for _, other := range unit.Objects {
			if other == o {
				return unit
			}
		}
	}
	return nil
}

// Listing is the entry of a kustomization for a file.
type Listing struct {
	Kustomization *objects.Kustomization
	Entry         objects.Entry
}

// Listings returns the entries of all kustomizations for a file.
func (r *Repository) Listings(file string) []Listing {
	r.indexed.Do(r.index)
	return r.listed[file]
}
