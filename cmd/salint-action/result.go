package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// result is the part of salint's JSON report that outputs and summary use.
type result struct {
	Findings []struct {
		Rule    string `json:"rule"`
		Message string `json:"message"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Fix     *struct {
			Kind    string `json:"kind"`
			Applied bool   `json:"applied"`
		} `json:"fix"`
	} `json:"findings"`
	Summary struct {
		Files      int `json:"files"`
		Documents  int `json:"documents"`
		Errors     int `json:"errors"`
		Warnings   int `json:"warnings"`
		Notes      int `json:"notes"`
		Suppressed int `json:"suppressed"`
		Fixed      int `json:"fixed"`
	} `json:"summary"`
}

func readResult(file string) (*result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var r result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("reading salint's JSON report: %w", err)
	}
	return &r, nil
}

// left returns the number of findings that remain after the run.
func (r *result) left() int {
	return r.Summary.Errors + r.Summary.Warnings + r.Summary.Notes
}

// fixable returns the number of findings that `fix: true` would resolve.
func (r *result) fixable() int {
	n := 0
	for _, f := range r.Findings {
		if f.Fix != nil && f.Fix.Kind == "safe" && !f.Fix.Applied {
			n++
		}
	}
	return n
}
