package fixers

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Context is the repository that fixes are worked out for, and how the user wants them. It is used by one goroutine.
type Context struct {
	// Units are all deployment units of the repository.
	Units []*objects.Unit
	// Target is what an object is judged for in a unit. The unit of plain files may hold several clusters.
	Target func(*objects.Unit, *objects.Object) olm.Target
	// Read gives the bytes of a file; the error is fs.ErrNotExist where there is none.
	Read func(path string) ([]byte, error)
	// References finds names as words in the files of the repository: objects.Mentions. Pruning is refused without it.
	References func(names []string) (map[string][]objects.Mention, error)
	// Unread finds a file that was not read, or could not be, and may name one of the words: its place, and why. Nil stands
	// for a repository that was read as a whole.
	Unread func(words []string) (place, why string)
	// WriteProtected says why a file is not to be changed, as where it is not known who else applies it; "" where it may be. Nil stands for
	// a repository in which everything may be.
	WriteProtected func(file string) (why string)
	// BundleNeeds says what the bundle of an extension needs of an identity that installs it in a unit. The error is a *Refusal
	// where that is not known, as without a bundle. Nil stands for no bundles at all.
	BundleNeeds func(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (BundleNeeds, error)
	// Rebuild puts all units together again, with other contents for some files; nil is no file. In those that read one of
	// them there is everything that they apply, be it of interest or not. Of these, units for which also holds are built even
	// where they are applied as their files stand; also may be nil. Without Rebuild nothing can be proven.
	Rebuild func(contents map[string][]byte, also func(*objects.Unit) bool) ([]*objects.Unit, error)
	// Unrenderable tells of a file whether somebody may apply it in a form that nobody knows, by the place that says so and the reason,
	// and LeftOut of a new file whether it would not reach those who apply it. The place is "" where that is not so, and nil
	// stands for never.
	Unrenderable, Excluded func(file string) (place, why string)
	// PodSpecs are kinds that embed a pod, beyond those that everybody knows.
	PodSpecs []objects.PodSpecKind
	Tokens   Tokens
	Grant    Grant
	// Now is what counts as the current time, and TokenLifetime how long from then on the tokens of Grafana live that fixes
	// renew.
	Now           time.Time
	TokenLifetime time.Duration
	// Prune also removes what the removed fields kept alive; Unsafe allows what may change behaviour.
	Prune, Unsafe bool

	indexed sync.Once
	byFile  map[string][]*objects.Unit
	files   map[string]*manifest.File
	// forms are the objects that units apply, by where they come of: a document, and in it an object.
	forms map[string]map[string][]unitObject
	// builtFrom are the units that kustomizations, by their files, are part of.
	builtFrom map[string][]*objects.Unit
	// allKustomizations are the kustomizations of all units, listed their entries by file.
	allKustomizations []*objects.Kustomization
	listed            map[string][]listing
	// generatedNames are those under which this run generates something, with what that is.
	generatedNames map[nameKey]string
	// What was looked up once.
	objectsByFile map[string]map[string]*objects.Object
	sameName      map[*objects.Object][]*objects.Object
	aggregators   []*objects.Object
	refers        map[*objects.Object][]objects.Reference
	unreadParts   map[*objects.Unit]string
	renamed       map[*objects.Unit]map[string]string
	boundBy       bindingUnits
	templates     runState
}

// Request asks for the fix of one finding.
type Request struct {
	Rule string
	// Fixer is the name of the fix.
	Fixer string
	Kind  finding.FixKind
	// Object and the path inside it are where the finding points.
	Object *objects.Object
	Path   manifest.Path
	// Args are what the rule passes on.
	Args map[string]any
}

// GrantMode says which permissions a synthetic identity is given.
type GrantMode string

// The modes.
const (
	// CarryOver grants what the account had.
	CarryOver GrantMode = "carry-over"
	// LeastPrivilege grants what the bundle needs.
	LeastPrivilege GrantMode = "least-privilege"
	// GroupGrant grants what the account had to the group of all extensions.
	GroupGrant GrantMode = "group"
	// RoleGrant grants a named ClusterRole and nothing else.
	RoleGrant GrantMode = "role"
)

// Grant is how the user wants permissions to be granted. The zero value is carry-over.
type Grant struct {
	Mode GrantMode
	// Role is the ClusterRole of RoleGrant.
	Role string
}

// chosen tells whether the user says what to grant, so that it does not matter what the identity before held.
func (g Grant) chosen() bool { return g.Mode == RoleGrant || g.Mode == LeastPrivilege }

// String is the value of --grant.
func (g Grant) String() string {
	switch g.Mode {
	case RoleGrant:
		return "role=" + g.Role
	case "":
		return string(CarryOver)
	}
	return string(g.Mode)
}

// ParseGrant reads the value of --grant.
func ParseGrant(s string) (Grant, error) {
	if role, ok := strings.CutPrefix(s, "role="); ok {
		if role == "" {
			return Grant{}, errors.New("--grant role= names no role: write role=NAME with the name of a ClusterRole")
		}
		return Grant{RoleGrant, role}, nil
	}
	switch mode := GrantMode(s); mode {
	case "", CarryOver:
		return Grant{Mode: CarryOver}, nil
	case GroupGrant, LeastPrivilege:
		return Grant{Mode: mode}, nil
	}
	return Grant{}, fmt.Errorf("unknown grant %q: use carry-over, least-privilege, group or role=NAME", s)
}

// index prepares the look-ups by file.
func (c *Context) index() {
	c.byFile, c.listed, c.files = map[string][]*objects.Unit{}, map[string][]listing{}, map[string]*manifest.File{}
	c.forms, c.builtFrom = map[string]map[string][]unitObject{}, map[string][]*objects.Unit{}
	seen := map[*objects.Kustomization]bool{}
	for _, unit := range c.Units {
		for _, object := range unit.Objects {
			c.addForm(unitObject{unit, object})
		}
		files := map[string]bool{}
		for _, object := range slices.Concat(unit.Objects, unit.Sources) {
			if !files[object.File] {
				files[object.File] = true
				c.byFile[object.File] = append(c.byFile[object.File], unit)
				if object.InFile() {
					c.files[object.File] = object.Doc.File
				}
			}
		}
		for _, k := range unit.Kustomizations {
			c.builtFrom[k.Path] = append(c.builtFrom[k.Path], unit)
			if !seen[k] {
				seen[k] = true
				c.addKustomization(k)
			}
		}
	}
}

func (c *Context) addKustomization(k *objects.Kustomization) {
	c.allKustomizations = append(c.allKustomizations, k)
	c.files[k.Path] = k.Doc.File
	for _, entry := range k.Resources {
		c.listed[entry.Target] = append(c.listed[entry.Target], listing{k, entry})
	}
}

// unitsOf lists the units in which the objects of a file are applied.
func (c *Context) unitsOf(file string) []*objects.Unit {
	c.indexed.Do(c.index)
	return c.byFile[file]
}

// kustomizations lists every kustomization of the repository once.
func (c *Context) kustomizations() []*objects.Kustomization {
	c.indexed.Do(c.index)
	return c.allKustomizations
}

// unitsWith lists the units in which an object is applied.
func (c *Context) unitsWith(o *objects.Object) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range c.unitsOf(o.File) {
		if unit.Object(o.Ref()) != nil {
			units = append(units, unit)
		}
	}
	return units
}

// file gives a file as the units were read from it; others are read now. It is nil when there is none.
func (c *Context) file(path string) (*manifest.File, error) {
	c.indexed.Do(c.index)
	if file := c.files[path]; file != nil {
		return file, nil
	}
	data, err := c.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file := manifest.Scan(path, data)
	c.files[path] = file
	return file, nil
}
