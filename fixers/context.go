package fixers

import (
	"sync"
	"time"

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
