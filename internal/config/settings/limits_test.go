package settings

import (
	"strings"
	"testing"
	"time"
)

func TestParseLimits(t *testing.T) {
	t.Parallel()
	given, err := ParseLimits([]string{"renderTime=60s, fileSize=1KiB", "", "renderTime=2m"})
	if err != nil {
		t.Fatal(err)
	}
	got := mustLoad(t, "limits: {renderTime: 1s, policyTime: 2s}\n").WithLimits(given).Limits
	want := defaultLimits()
	want.RenderTime, want.FileSize, want.PolicyTime = 2*time.Minute, 1<<10, 2*time.Second
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for text, want := range map[string]string{
		"renderTime": "NAME=VALUE", "rendertime=1s": `did you mean "renderTime"`, "runTime=1": "not a duration", "fileSize=0": "larger than zero",
	} {
		if _, err := ParseLimits([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestCheckLimits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{fileSize: 32MiB, renderTime: 20s, renderMemory: 1MiB, runTime: 1s}": "",
		"{renderTime: 21s}":                   ":1:22: limits.renderTime: 21s is above 20s",
		"{fileSize: 1 GiB}":                   "--limits fileSize=1GiB",
		"{runTime: 6m}":                       "6m is above 5m",
		"{policyTime: 9s}":                    "", // given below
		"{policyTime: 11s}":                   "11s is above 10s",
		"{renderTime: 1d, renderMemory: 1TB}": "not a size",
	} {
		c, err := load(t, "limits: "+text+"\n")
		if err == nil {
			err = c.CheckLimits(GivenLimits{"policyTime": int64(10 * time.Second), "renderTime": int64(time.Second)})
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
