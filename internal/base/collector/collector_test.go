package collector

import "testing"

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
