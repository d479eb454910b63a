package collector

import "testing"

func TestPercentOf(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0: 3900, firstHeap: 3900, 20 << 20: 700, 40 << 20: 300, 79 << 20: 102, 80 << 20: defaultPercent, 1 << 40: defaultPercent,
	} {
		if got := percentOf(live); got != want {
			t.Errorf("%d bytes: %d, want %d", live, got, want)
		}
	}
	if live() == smallHeap {
		t.Error("the live bytes are unknown")
	}
}
