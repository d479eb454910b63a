package session

import (
	"context"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/fixing"
)

// TestOutcomeKeepsNoUnits checks that nothing of a round but its result stays in memory: a large repository would otherwise be kept
// once for each round.
func TestOutcomeKeepsNoUnits(t *testing.T) {
	t.Parallel()
	s, err := NewSession(context.Background(), Options{
		PolicyCache: policies, Tree: loadertest.Repository{Tree: tree{"cache/extension.yaml": extension, "cache/rbac.yaml": account}},
		Config: settings.Default(), Target: "synthetic", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Fixes: fixing.Fixes{Apply: true, Preview: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, err := s.round(context.Background(), s.options.Tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Writes) == 0 {
		t.Fatal("the round fixes nothing")
	}
	unit, object := firstOf(s.snapshot.Units)
	s.snapshot = nil
	for range 3 { // pools keep what they hold through two collections
		runtime.GC()
	}
	if unit.Value() != nil || object.Value() != nil {
		t.Errorf("after a round its units are kept: %t, its objects: %t", unit.Value() != nil, object.Value() != nil)
	}
	runtime.KeepAlive(out)
}

func firstOf(units []*objects.Unit) (weak.Pointer[objects.Unit], weak.Pointer[objects.Object]) {
	return weak.Make(units[0]), weak.Make(units[0].Objects[0])
}
