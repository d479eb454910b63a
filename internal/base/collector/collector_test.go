package collector

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPercentOf(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0: 3900, firstHeap: 3900, 20 << 20: 700, 40 << 20: 300, 79 << 20: 102, 80 << 20: 100, 1 << 40: 100,
	} {
		if got := usual.percentOf(live); got != want {
			t.Errorf("%d bytes: %d, want %d", live, got, want)
		}
	}
	for live, want := range map[uint64]int{0: 1100, 8 << 20: 500, 12 << 20: 300, 16 << 20: 200, 1 << 40: 200} {
		if got := confined.percentOf(live); got != want {
			t.Errorf("%d bytes in a confined process: %d, want %d", live, got, want)
		}
	}
	if live() == usual.small {
		t.Error("the live bytes are unknown")
	}
}

// TestSpare checks that the limit is lower until much is live, and that the user's limit has precedence. It is not parallel, because the
// limit is that of the process.
func TestSpare(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	usual := limit()
	defer debug.SetMemoryLimit(usual)
	t.Setenv("GOMEMLIMIT", "1GiB")
	if Spare(); limit() != usual {
		t.Errorf("the limit of the user is replaced by %d", limit())
	}
	t.Setenv("GOMEMLIMIT", "")
	Spare()
	for range 3 {
		runtime.GC()
	}
	if limit() != sparedMemory {
		t.Errorf("the limit is %d", limit())
	}
	held := make([]byte, crowded+1)
	for range 1000 { // finalizers run some time after the collection
		if runtime.GC(); limit() == softMemory {
			break
		}
	}
	if limit() != softMemory {
		t.Errorf("the limit is %d with %d live bytes", limit(), len(held))
	}
	runtime.KeepAlive(held)
}
