package settings

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/testfiles"
)

// config reads the whole file. The keys are the json tags of Config and the properties of schema.json.
func (d *decoder) config(c *Config) reader {
	return d.fields("the configuration", map[string]reader{
		"target":    d.located(&c.Target, &c.targetAt),
		"failOn":    scalar(d, &c.FailOn, ParseFailOn),
		"grant":     scalar(d, &c.Grant, parseGrant),
		"exclude":   d.list("exclude", d.pathPatterns(c, "exclude", &c.Exclude)),
		"tests":     d.list("tests", d.testPattern(c)),
		"vendored":  scalar(d, &c.Vendored, parseBool),
		"rules":     d.rules(&c.Rules),
		"overrides": d.list("overrides", d.override(c)),
		"bundles":   d.bundles(c),
		"clusters":  d.clusters(c),
		"helm":      d.helm(c),
		"podSpecs":  d.list("podSpecs", d.podSpec(&c.PodSpecs)),
		"embedded":  d.list("embedded", d.embeddedKind(&c.Embedded)),
		"creators":  d.list("creators", d.creator(&c.Creators)),
		"tokens": d.fields("tokens", map[string]reader{
			"audience":          d.present(&c.Tokens.AudienceGiven, d.text(&c.Tokens.Audience)),
			"expirationSeconds": scalar(d, &c.Tokens.ExpirationSeconds, parseExpiration),
		}),
		"grafana": d.fields("grafana", map[string]reader{
			"tokenLifetime": scalar(d, &c.Grafana.TokenLifetime, parseDuration),
		}),
		"limits":   d.limits(c),
		"policies": d.list("policies", d.policy(c)),
		"baseline": d.located(&c.Baseline, &c.baselineAt),
		"cache":    d.located(&c.Cache, &c.cacheAt),
		"extends":  d.located(&c.Extends, &c.extendsAt),
		"ignores": d.fields("ignores", map[string]reader{
			"max":   d.limitOfIgnores(func(n int) { c.Ignores.Max = &n }),
			"rules": d.ignoreRules(c),
		}),
	})
}

// ignoreRules reads how many findings of some rules can be silenced.
func (d *decoder) ignoreRules(c *Config) reader {
	return func(n *manifest.Node) {
		c.Ignores.Rules, c.ignoresAt = map[string]int{}, map[string]position{}
		d.each("rules", n, func(key, value *manifest.Node) {
			pattern := key.String()
			if err := glob.CheckRule(pattern); err != nil {
				d.fail(key, "%v", err)
			}
			c.ignoresAt[pattern] = d.at(key)
			d.limitOfIgnores(func(n int) { c.Ignores.Rules[pattern] = n })(value)
		})
	}
}

func (d *decoder) limitOfIgnores(set func(int)) reader {
	return func(n *manifest.Node) {
		before := len(d.errors)
		var limit int
		if scalar(d, &limit, parseCount)(n); len(d.errors) == before {
			set(limit)
		}
	}
}

func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a number of findings: write 0 or more", s)
	}
	return n, nil
}

// testPattern reads a path pattern of data of tests; with an exclamation mark, of files that are none.
func (d *decoder) testPattern(c *Config) reader {
	return func(n *manifest.Node) {
		not := false
		parse := func(s string) (glob.Path, error) {
			s, not = strings.CutPrefix(s, "!")
			return glob.ParsePath(s)
		}
		var paths []glob.Path
		if appended(d, &paths, parse)(n); len(paths) == 0 {
			return
		}
		at := d.at(n)
		c.patterns = append(c.patterns, PathPattern{paths[0], "tests", n.String(), at.line, at.column})
		c.Tests = append(c.Tests, testfiles.Pattern{Path: paths[0], Not: not})
	}
}

// located reads a text and keeps its position for Validate.
func (d *decoder) located(into *string, at *position) reader {
	return func(n *manifest.Node) {
		*at = d.at(n)
		scalar(d, into, parseName)(n)
	}
}

func (d *decoder) rules(into *[]RuleSetting) reader {
	return func(n *manifest.Node) {
		d.each("rules", n, func(key, value *manifest.Node) {
			r := RuleSetting{Pattern: key.String(), at: d.at(key)}
			if err := glob.CheckRule(r.Pattern); err != nil {
				d.fail(key, "%v", err)
			}
			if value.IsMapping() {
				d.ruleMapping(&r, value)
			} else {
				scalar(d, &r.Severity, parseSeverity)(value)
			}
			*into = append(*into, r)
		})
	}
}

// ruleMapping reads {severity: …, with: {…}}.
func (d *decoder) ruleMapping(r *RuleSetting, n *manifest.Node) {
	r.SameSeverity = n.Get("severity") == nil
	d.fields("the setting of a rule", map[string]reader{
		"severity": scalar(d, &r.Severity, parseSeverity),
		"with": func(n *manifest.Node) {
			parameters, is := n.Decode().(map[string]any)
			if !is {
				d.fail(n, "the parameters of a rule must be a mapping (key: value), not %s", kindOf(n))
				return
			}
			r.With = parameters
		},
	})(n)
	if len(n.Fields()) == 0 {
		d.fail(n, "the setting of a rule needs a severity or parameters, as in {severity: error, with: {names: [a]}}")
	}
}

func (d *decoder) override(c *Config) reader {
	return func(n *manifest.Node) {
		var o Override
		d.fields("an override", map[string]reader{
			"paths":  d.list("paths", d.pathPatterns(c, "overrides", &o.Paths)),
			"target": d.located(&o.Target, &o.targetAt),
			"rules":  d.rules(&o.Rules),
		})(n)
		if n.IsMapping() && n.Get("paths") == nil {
			d.fail(n, "an override needs paths: add the files that it applies to")
		}
		c.Overrides = append(c.Overrides, o)
	}
}

func (d *decoder) policy(c *Config) reader {
	return func(n *manifest.Node) {
		before := len(c.Policies)
		if n.IsMapping() {
			d.bundleOfPolicies(c, n)
		} else {
			appended(d, &c.Policies, parseName)(n)
		}
		if len(c.Policies) > before {
			c.policiesAt = append(c.policiesAt, d.at(n))
		}
	}
}

// sha256Form is a SHA-256 hash in hexadecimal form.
var sha256Form = lazyregexp.New(`^[0-9a-fA-F]{64}$`)

// bundleOfPolicies reads {bundle: FILE, sha256: DIGEST}, and adds FILE@sha256:DIGEST.
func (d *decoder) bundleOfPolicies(c *Config, n *manifest.Node) {
	var file, digest string
	d.fields("a bundle of policies", map[string]reader{"bundle": d.text(&file), "sha256": d.text(&digest)})(n)
	switch {
	case file == "":
		d.fail(n, "a bundle of policies needs its file, as in {bundle: policies.tar.gz, sha256: …}")
	case !strings.HasSuffix(file, ".tar.gz") && !strings.HasSuffix(file, ".tgz"):
		d.fail(n, "the name of a bundle ends with .tar.gz, and %q does not: name a folder without `bundle`", file)
	case digest == "" && n.Get("sha256") == nil:
		c.Policies = append(c.Policies, file)
	case !sha256Form().MatchString(digest):
		d.fail(n, "sha256 must have 64 hexadecimal digits, as sha256sum prints them")
	default:
		c.Policies = append(c.Policies, file+"@sha256:"+digest)
	}
}

func (d *decoder) bundles(c *Config) reader {
	return func(n *manifest.Node) {
		c.Bundles, c.bundlesAt = map[string]string{}, map[string]position{}
		d.each("bundles", n, func(key, value *manifest.Node) {
			var dir string
			var at position
			d.located(&dir, &at)(value)
			c.Bundles[key.String()], c.bundlesAt[key.String()] = dir, at
		})
	}
}

func (d *decoder) clusters(c *Config) reader {
	return func(n *manifest.Node) {
		c.Clusters = map[string][]string{}
		d.each("clusters", n, func(key, value *manifest.Node) {
			var roots []string
			d.list("a cluster", d.root(c, &roots))(value)
			c.Clusters[key.String()] = roots
		})
	}
}

// root reads the folder of a root, and keeps its place as that of the pattern of all that is in it.
func (d *decoder) root(c *Config, into *[]string) reader {
	return func(n *manifest.Node) {
		before := len(*into)
		if appended(d, into, parseRoot)(n); len(*into) == before {
			return
		}
		inside, err := glob.ParsePath(path.Join((*into)[before], "**"))
		if err != nil {
			d.fail(n, "%v", err)
			return
		}
		at := d.at(n)
		c.patterns = append(c.patterns, PathPattern{inside, "clusters", n.String(), at.line, at.column})
	}
}

// parseRoot reads the path of a folder of the repository.
func parseRoot(s string) (string, error) {
	if strings.TrimSpace(s) == "" || path.IsAbs(s) {
		return "", fmt.Errorf("%q is not the path of a folder of the repository", s)
	}
	return path.Clean(s), nil
}

func (d *decoder) helm(c *Config) reader {
	return func(n *manifest.Node) {
		c.Helm, c.helmAt = map[string]Chart{}, map[string]position{}
		d.each("helm", n, func(key, value *manifest.Node) {
			var chart Chart
			d.fields("a chart", map[string]reader{
				"values":      d.list("values", d.valueSet(&chart.Values)),
				"apiVersions": d.list("apiVersions", appended(d, &chart.APIVersions, parseName)),
				"kubeVersion": scalar(d, &chart.KubeVersion, parseName),
			})(value)
			dir := path.Clean(key.String())
			c.Helm[dir], c.helmAt[dir] = chart, d.at(key)
		})
	}
}

// valueSet reads the values of one rendering: a file, or a list of files in which a later one takes precedence.
func (d *decoder) valueSet(into *[][]string) reader {
	return func(n *manifest.Node) {
		var set []string
		if n.IsSequence() {
			d.list("a set of values", appended(d, &set, parseName))(n)
		} else {
			appended(d, &set, parseName)(n)
		}
		*into = append(*into, set)
	}
}

func (d *decoder) podSpec(into *[]PodSpec) reader {
	return func(n *manifest.Node) {
		var p PodSpec
		d.fields("a pod spec", map[string]reader{
			"group": d.text(&p.Group),
			"kind":  scalar(d, &p.Kind, parseName),
			"path":  scalar(d, &p.Path, parsePath),
		})(n)
		if n.IsMapping() && (n.Get("kind") == nil || n.Get("path") == nil) {
			d.fail(n, "a pod spec needs kind and path, as in {group: example.com, kind: Runner, path: spec.template}")
		}
		*into = append(*into, p)
	}
}

func (d *decoder) embeddedKind(into *[]EmbeddedKind) reader {
	return func(n *manifest.Node) {
		var e EmbeddedKind
		d.fields("an embedded kind", map[string]reader{
			"group": d.text(&e.Group),
			"kind":  scalar(d, &e.Kind, parseName),
			"path":  scalar(d, &e.Path, parsePath),
		})(n)
		if n.IsMapping() && (n.Get("kind") == nil || n.Get("path") == nil) {
			d.fail(n, "an embedded kind needs kind and path, as in {group: example.com, kind: Delivery, path: spec.resources.*}")
		}
		*into = append(*into, e)
	}
}

// present sets found if a key is set, even to an empty value.
func (d *decoder) present(found *bool, read reader) reader {
	return func(n *manifest.Node) {
		*found = true
		read(n)
	}
}

func parseName(s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", errors.New("the value must not be empty")
	}
	return s, nil
}

func parsePath(s string) (string, error) {
	if _, err := manifest.ParsePath(s); err != nil {
		return "", err
	}
	return parseName(s)
}

func parseBool(s string) (bool, error) {
	switch s {
	case "true", "false":
		return s == "true", nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

func parseGrant(s string) (string, error) { return s, CheckGrant(s) }

func parseSeverity(s string) (finding.Severity, error) {
	severity, err := finding.ParseSeverity(s)
	if err != nil {
		return severity, unknownName("severity", s, []string{"error", "warning", "note", "off"})
	}
	return severity, nil
}

// minExpiration is the shortest lifetime of a projected token that the API server accepts, in seconds.
const minExpiration = 600

func parseExpiration(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < minExpiration {
		return 0, fmt.Errorf("%q is not a number of seconds of at least %d, the minimum that the API server accepts", s, minExpiration)
	}
	return n, nil
}
