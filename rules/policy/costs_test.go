package policy

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/child"
)

func init() { LimitCosts() } // before any test evaluates something

// Calls that nothing could stop are refused, and others with the same functions are not.
func TestExpensiveCalls(t *testing.T) {
	t.Parallel()
	limit := 5 * time.Second
	if child.RaceDetector {
		limit = time.Minute
	}
	const mega = `m := concat("", ["x" | some _ in numbers.range(1, 100000)]) `
	for body, refused := range map[string]bool{
		`report := bits.lsh(1, 1000000000000)`:                                  true,
		`report := bits.lsh(1, 64)`:                                             false,
		mega + `report := count(replace(m, "", m))`:                             true,
		mega + `report := count(regex.replace(m, "x", m))`:                      true,
		mega + `report := count(strings.replace_n({"x": m}, m))`:                true,
		mega + `report := count(sprintf("%s%[1]s%[1]s", [concat(m, [m,m,m])]))`: false,
		`report := count(sprintf("%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d%999999d", [1]))`: true,
		`report := sprintf("%s needs arn:aws:iam::111111111111:role/app, 99999999999999.", ["a"])`:                                                                                  false,
		`report := count(sprintf("` + strings.Repeat("%*d", 17) + `", array.concat([1000000, 1], [x | some i in numbers.range(1, 40); x := 999999])))`:                              true,
		`report := sprintf("%[1]*[2]d %5.2f 100%", [4, 7])`:                              false,
		mega + `report := regex.match(m, m)`:                                             true,
		`report := units.parse("1e1000000000")`:                                          true,
		`report := [units.parse("1Gi"), units.parse_bytes("1.5GB"), units.parse("1e3")]`: false,
		`report := concat(", ", ["a", "b"])`:                                             false,
	} {
		start := time.Now()
		module, err := Parse("m.rego", []byte("package m\n\n"+strings.ReplaceAll(body, " report :=", "\n\nreport :=")))
		if err != nil {
			t.Fatal(err)
		}
		compiler, err := Compile(map[string]*ast.Module{"m.rego": module}, nil)
		if err != nil {
			t.Fatal(err)
		}
		query, err := Prepare(context.Background(), compiler, "data.m.report", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		value, err := query.Evaluate(context.Background(), ast.NullValue, nil, Limits{Time: limit, Memory: 1 << 29})
		if refused != (err != nil && strings.Contains(err.Error(), "costs too much")) || !refused && (err != nil || value == nil) {
			t.Errorf("%s: %v, %v", body, value != nil, err)
		}
		if took := time.Since(start); took > limit {
			t.Errorf("%s took %v", body, took)
		}
	}
}

// A run whose heap grows too much ends.
func TestLimitMemory(t *testing.T) {
	ctx, stop := limitMemory(context.Background())
	defer stop()
	large := make([]byte, testMemory+64<<20)
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
	}
	if reason := new(LimitError); !errors.As(context.Cause(ctx), &reason) {
		t.Errorf("%d bytes: %v", len(large), context.Cause(ctx))
	}
	runtime.KeepAlive(large)
}
