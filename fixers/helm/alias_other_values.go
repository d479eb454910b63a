package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/pods"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/block"
)

// checkOtherValues refuses a key that may belong to something other than a pod with unknown values.
func (k *aliasKey) checkOtherValues(byHand string) error {
	ran := map[string]bool{}
	for _, pod := range k.pods {
		if err := pod.checkKind(byHand); err != nil {
			return err
		}
		for _, call := range pod.origin.Calls {
			ran[callKey(call)] = true
		}
	}
	name := k.Scope.Define()
	if name == "" {
		return nil
	}
	for _, r := range k.renderings {
		if err := r.checkCallers(ran, name, "a pod", byHand); err != nil {
			return err
		}
	}
	return nil
}

// checkKind refuses a pod whose object has another kind with other values.
func (p aliasPod) checkKind(byHand string) error {
	kind, err := p.rendering.reader.Scalar(p.template, p.form().Text(), p.form().At(manifest.Path{"kind"}))
	if err != nil {
		return refuseUncertain(err, byHand)
	}
	if strings.Contains(kind.Text, "{{") {
		return engine.Refuse("the kind of %s is %s, and something else with other values: %s", engine.NameOf(p.object), kind.Text, byHand)
	}
	return nil
}

// checkImplied refuses a pod that would lose its account with other values: serviceAccountName must be set whenever
// serviceAccount is and, unless serviceAccount is dropped, to the same value.
func (p aliasPod) checkImplied(drop bool) error {
	reader, doc := p.rendering.reader, p.form().Text()
	name, err := reader.Key(p.template, doc, p.path(pods.PodAccountField))
	if err != nil {
		return refuseUncertain(err, dropByHand)
	}
	isImplied := name.Source.Name == p.origin.Source.Name && sameCalls(name, p.origin) &&
		name.Scope.File.Implies(p.origin.Span.Start, name.Span.Start)
	if !isImplied {
		line, column := p.origin.Scope.File.Position(p.origin.Span.Start)
		return engine.Refuse("%s:%d:%d: serviceAccountName is in a separate block, and may be missing with other values: %s",
			p.origin.Source.File, line, column, dropByHand)
	}
	if drop {
		return nil
	}
	return p.checkEqual()
}

// checkEqual refuses two names that are equal only with the known values. A literal serviceAccountName takes precedence in
// any case.
func (p aliasPod) checkEqual() error {
	var texts [2]block.Scalar
	for i, field := range []string{pods.PodAccountField, pods.AccountAlias} {
		scalar, err := p.rendering.reader.Scalar(p.template, p.form().Text(), p.path(field))
		if err != nil {
			return refuseUncertain(err, dropByHand)
		}
		texts[i] = scalar
	}
	name, alias := texts[0], texts[1]
	isLiteral := !strings.Contains(name.Text, "{{")
	isSame := withoutTrimMarkers(name.Text) == withoutTrimMarkers(alias.Text) ||
		withoutTrimMarkers(name.Bare) == withoutTrimMarkers(alias.Bare) && name.Bare != ""
	if isLiteral || isSame && sameDots(name.Origin, alias.Origin) {
		return nil
	}
	line, column := alias.Scope.File.Position(alias.Span.Start)
	return engine.Refuse("%s:%d:%d: serviceAccount is %s and serviceAccountName is %s, which are equal only with the known "+
		"values: %s",
		alias.Source.File, line, column, alias.Text, name.Text, dropByHand)
}

var (
	accountNameKey  = lazyregexp.New(`(?m)(?:^|[\s{,"'-])serviceAccountName["']?[ \t]*:`)
	templateComment = lazyregexp.New(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`)
	yamlComment     = lazyregexp.New(`(?m)(^|\s)#.*$`)
)

// checkNotBoth refuses a pod that may also get serviceAccountName with unknown values: after the rename, it would have the
// field twice.
func (k *aliasKey) checkNotBoth() error {
	for _, pod := range k.pods {
		places := []block.Call{{Source: k.Source, Span: k.Span}}
		all, narrowed := pod.rendering.sources(), map[string]string{}
		for _, place := range append(places, pod.origin.Calls...) {
			for _, s := range all.files {
				if s.key != sourceName(place.Source.File, place.Source.Inside) || s.file == nil {
					continue
				}
				own := all.renderedWith(s, place.Span.Start)
				if name := s.file.Scope(place.Span.Start).Define(); name != "" {
					narrowed[name] = own
				}
				text := templateComment().ReplaceAllString(all.withHelpersIn(own, narrowed), "")
				if accountNameKey().MatchString(yamlComment().ReplaceAllString(text, "")) {
					return k.refuse("with other values, serviceAccountName may be written there too: %s", renameByHand)
				}
			}
		}
	}
	return nil
}

// renderedWith returns the text of the document or definition around a byte, without what is never rendered together with it. Several calls of a
// definition in one document can render different texts.
func (c *chartSources) renderedWith(s *chartSource, at int) string {
	region := s.region(at)
	text := []byte(s.text[region.Start:region.End])
	if name := s.file.Scope(at).Define(); name != "" && !c.isCalledOnceEach(name) {
		return string(text)
	}
	others := s.file.Excluded(at, region.Start)
	if !c.changesValues() {
		others = append(others, s.file.Complements(at, region)...)
	}
	for _, other := range others {
		for i := max(other.Start, region.Start); i < min(other.End, region.End); i++ {
			text[i-region.Start] = ' '
		}
	}
	return string(text)
}

// changing matches the functions of templates that change values, so that a condition can have another result later.
var changing = lazyregexp.New(`\b(?:set|unset|merge|mergeOverwrite|mustMerge|mustMergeOverwrite)\b`)

// changesValues reports whether a template of the chart may change values.
func (c *chartSources) changesValues() bool {
	return slices.ContainsFunc(c.files, func(s *chartSource) bool { return changing().MatchString(s.text) })
}

// isCalledOnceEach reports whether each document includes a definition at most once: no other definition includes it, and no loop of a document
// repeats the include.
func (c *chartSources) isCalledOnceEach(name string) bool {
	for _, s := range c.files {
		called := map[manifest.Span]bool{}
		for at, of := range s.includes {
			region := s.region(at)
			switch {
			case of == "":
				return false // any
			case of != name:
			case called[region], s.file.Scope(at).Define() != "", s.file.Repeats(at, region.Start):
				return false
			default:
				called[region] = true
			}
		}
	}
	return true
}
