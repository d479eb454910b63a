package process

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/render/protocol"
)

// ownError is an error in salint's own words, which quotes no value and no template.
type ownError string

func (e ownError) Error() string { return string(e) }

// shownMessage returns the message of an error: salint's own, or Helm's, or if the chart has a Secret and the message may quote its data, where to find it: in an
// error, templates can quote every value.
func shownMessage(err error, loaded *chart.Chart, request protocol.Chart) string {
	if own := ownError(""); errors.As(err, &own) {
		return err.Error()
	}
	message := protocol.OneLine(err.Error())
	message = quotedAnchor().ReplaceAllString(message, "unknown anchor")
	said := withoutLiterals(saysItself().ReplaceAllString(message, ""), loaded)
	words, secret := chartWords(loaded, request)
	if !words.Has(said) && !(secret && quotesKeys().MatchString(said)) {
		return message
	}
	return "the message is not shown, because the chart has a Secret and the message may quote its data: `helm template` prints it"
}

var (
	// quotedAnchor matches the only errors of the parser of YAML that quote the text.
	quotedAnchor = lazyregexp.New(`unknown anchor '[^']*' referenced`)
	// quotesKeys matches the errors of a schema that quote keys of values. Other errors name keys as templates do.
	quotesKeys = lazyregexp.New(`additional properties|additionalProperties|property name|propertyNames`)
	// saysItself are parts of Helm's messages that name a place or a function.
	saysItself = lazyregexp.New(`template: \S+:\d+(?::\d+)?: |\(\S+:\d+:\d+\)|executing "[^"]*" |error calling \w+: |nil pointer evaluating \S+`)
)

// literalMessage matches the messages that templates give to Helm's functions that end a rendering.
//
// Source: https://helm.sh/docs/howto/charts_tips_and_tricks/#using-the-required-function.
var literalMessage = lazyregexp.New(`\b(?:fail|required)\s+(?:\(\s*printf\s+)?("(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `)`)

// minLiteral is the length from which a literal text is no word of another.
const minLiteral = 8

// verb matches what a format puts in.
var verb = lazyregexp.New(`%[-+# 0]*\d*\.?\d*\w`)

// withoutLiterals removes from a message what templates give to these functions as a text: it stands in the template, and is no data.
func withoutLiterals(message string, c *chart.Chart) string {
	if c == nil {
		return message
	}
	for _, file := range c.Templates {
		for _, m := range literalMessage().FindAllSubmatch(file.Data, -1) {
			text, err := strconv.Unquote(string(m[1]))
			if err != nil {
				continue
			}
			for _, part := range verb().Split(protocol.OneLine(text), -1) {
				if part = strings.TrimSpace(part); len(part) >= minLiteral {
					message = strings.ReplaceAll(message, part, " ")
				}
			}
		}
	}
	for _, sub := range c.Dependencies() {
		message = withoutLiterals(message, sub)
	}
	return message
}

// chartWords returns whether the chart has a Secret, and the words that can be data of it. Without the chart, which cannot be loaded,
// it may have one.
func chartWords(c *chart.Chart, request protocol.Chart) (words redact.Words, secret bool) {
	words = redact.Words{}
	secret = c == nil
	for _, file := range request.Files {
		secret = secret || bytes.Contains(file.Data, []byte("Secret"))
	}
	if c != nil && !addChart(words, c) && !secret {
		return redact.Words{}, false
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
	return words, true
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
