package main

import "testing"

func TestPercentOf(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0: 2300, firstHeap: 2300, 12 << 20: 700, 24 << 20: 300, 47 << 20: 104, 48 << 20: defaultPercent, 1 << 40: defaultPercent,
	} {
		if got := percentOf(live); got != want {
			t.Errorf("%d bytes: %d, want %d", live, got, want)
		}
	}
	if live() == smallHeap {
		t.Error("the live bytes are unknown")
	}
}
