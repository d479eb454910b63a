package process

import (
	"bytes"
	"path"
	"regexp"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/render/protocol"
)

// shownMessage returns Helm's message, or if the chart has a Secret and the message may quote its data, where to find it: in an
// error, templates can quote every value.
func shownMessage(message string, loaded *chart.Chart, request protocol.Chart) string {
	message = quotedAnchor.ReplaceAllString(message, "unknown anchor")
	if !chartWords(loaded, request).Has(saysItself.ReplaceAllString(message, "")) {
		return message
	}
	return "the message is not shown, because the chart has a Secret and the message may quote its data: `helm template` prints it"
}

var (
	// quotedAnchor matches the only errors of the parser of YAML that quote the text.
	quotedAnchor = regexp.MustCompile(`unknown anchor '[^']*' referenced`)
	// saysItself are parts of Helm's messages that name a place or a function.
	saysItself = regexp.MustCompile(`template: \S+:\d+(?::\d+)?: |\(\S+:\d+:\d+\)|executing "[^"]*" |error calling \w+: |nil pointer evaluating \S+`)
)

// chartWords returns the words that can be data of a Secret of the chart; none if it has no Secret. Without the chart, which cannot
// be loaded, it may have one.
func chartWords(c *chart.Chart, request protocol.Chart) redact.Words {
	words := redact.Words{}
	secret := c == nil
	for _, file := range request.Files {
		secret = secret || bytes.Contains(file.Data, []byte("Secret"))
	}
	if c != nil && !addChart(words, c) && !secret {
		return redact.Words{}
	}
	for _, file := range request.Files {
		if base := path.Base(file.Name); base == "values.yaml" {
			words.AddValues(file.Name, file.Data)
		}
	}
	for _, file := range request.Values {
		words.AddValues(file.Name, file.Data)
	}
	if request.Inline != nil {
		words.AddValues("", request.Inline.Data)
	}
	return words
}

// addChart adds the words of the templates and values of a chart and its subcharts, and returns whether one has a Secret.
func addChart(words redact.Words, c *chart.Chart) bool {
	secret := false
	for _, file := range c.Raw {
		if path.Base(file.Name) == "values.yaml" {
			words.AddValues(file.Name, file.Data)
		}
	}
	for _, file := range c.Templates {
		secret = secret || bytes.Contains(file.Data, []byte("Secret"))
		words.AddTemplate(file.Name, file.Data)
	}
	for _, sub := range c.Dependencies() {
		secret = addChart(words, sub) || secret
	}
	return secret
}
