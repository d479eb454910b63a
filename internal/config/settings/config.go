package settings

import (
	"time"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/testfiles"
)

// FileName is the name of the configuration file.
const FileName = ".salint.yaml"

// Config is everything that .salint.yaml can set; the tags are its keys. What the file leaves out has the value of Default.
type Config struct {
	// Path is the file that the configuration was read from, "" for the defaults.
	Path string `json:"-"`

	// Target is auto, a model or a release; Validate checks it.
	Target string `json:"target"`
	// FailOn is the minimum severity that fails a run; Off means never.
	FailOn finding.Severity `json:"failOn"`
	// Grant is carry-over, least-privilege, group or role=NAME.
	Grant string `json:"grant"`
	// Exclude are the paths that are not linted.
	Exclude []glob.Path `json:"exclude"`
	// Tests add files to the data of tests, and take others out of it.
	Tests []testfiles.Pattern `json:"tests"`
	// Vendored also reports on files in folders of dependencies: vendor and node_modules.
	Vendored bool `json:"vendored"`
	// Rules set severities; Overrides set them for some paths.
	Rules     []RuleSetting `json:"rules"`
	Overrides []Override    `json:"overrides"`
	// Bundles are the bundle folders by the name of their extension.
	Bundles map[string]string `json:"bundles"`
	// Clusters are the paths of the roots of what each cluster gets, by its name, where the repository does not show it.
	Clusters map[string][]string `json:"clusters"`
	// Helm sets how charts are rendered, by the path of the chart's folder.
	Helm map[string]Chart `json:"helm"`
	// PodSpecs are additional kinds that embed a pod template.
	PodSpecs []PodSpec `json:"podSpecs"`
	// Embedded are additional kinds that hold manifests of other objects.
	Embedded []EmbeddedKind `json:"embedded"`
	// Creators are additional kinds for whose objects an operator creates accounts and roles.
	Creators []Creator `json:"creators"`
	Tokens   Tokens    `json:"tokens"`
	Grafana  Grafana   `json:"grafana"`
	Limits   Limits    `json:"limits"`
	// Policies are folders and bundles with the user's own rules; a bundle with a digest is FILE@sha256:DIGEST.
	Policies []string `json:"policies"`
	// Baseline is the file with known findings, or "".
	Baseline string `json:"baseline"`
	// Cache is the folder for results of builds; "" keeps none on disk.
	Cache string `json:"cache"`
	// Extends is the file that narrows the settings, relative to the folder of the file; "" for none.
	Extends string  `json:"extends"`
	Ignores Ignores `json:"ignores"`

	// narrowedBy are the configurations that narrow this one, and required the rules of their policies.
	narrowedBy []*Config
	required   []RuleSetting
	// ofCommand is returned by OfCommand.
	ofCommand bool

	// joined are the configurations that this one joins. A configuration with hasOtherRules can name rules of policies that are not read.
	joined        []*Config
	hasOtherRules bool

	// keysAt are the keys that the file sets.
	keysAt     map[string]position
	extendsAt  position
	ignoresAt  map[string]position
	patterns   []PathPattern
	targetAt   position
	baselineAt position
	bundlesAt  map[string]position
	policiesAt []position
	cacheAt    position
	helmAt     map[string]position
	limitsAt   map[string]limitPlace
}

// BundleAt returns the line of the file that sets the bundle of an extension, or 0 if there is none.
func (c *Config) BundleAt(extension string) int { return c.bundlesAt[extension].line }

// HelmAt returns the line of the file that configures a chart, or 0 if there is none.
func (c *Config) HelmAt(chart string) int { return c.helmAt[chart].line }

// RuleSetting sets the severity of the rules that match a pattern, where Off turns them off, and their parameters.
type RuleSetting struct {
	Pattern  string
	Severity finding.Severity
	// SameSeverity is set if only the parameters are set.
	SameSeverity bool
	// With are the parameters; nil if they are not set.
	With map[string]any

	at position
}

// Override changes settings for the files that match one of its patterns.
type Override struct {
	Paths  []glob.Path   `json:"paths"`
	Target string        `json:"target"`
	Rules  []RuleSetting `json:"rules"`

	targetAt position
}

// Chart sets how a chart is rendered.
type Chart struct {
	// Values are the sets of values files; the chart is rendered once with each set.
	Values      [][]string `json:"values"`
	APIVersions []string   `json:"apiVersions"`
	KubeVersion string     `json:"kubeVersion"`
}

// PodSpec is a kind that embeds a real pod template at a path such as spec.template.
type PodSpec struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
}

// EmbeddedKind is a kind that holds manifests of other objects at a path such as spec.resources.*, which a controller applies.
type EmbeddedKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
}

// Tokens is what fixes write where a pod needs a token.
type Tokens struct {
	// Audience is the audience of the tokens; "" is the API server if AudienceGiven shows that the file sets it.
	Audience          string `json:"audience"`
	AudienceGiven     bool   `json:"-"`
	ExpirationSeconds int64  `json:"expirationSeconds"`
}

// Grafana is what fixes write into GrafanaServiceAccounts.
type Grafana struct {
	TokenLifetime time.Duration `json:"tokenLifetime"`
}

// Default returns the configuration of a repository without a configuration file.
func Default() *Config {
	return &Config{
		Target:  "auto",
		FailOn:  finding.Warning,
		Grant:   "carry-over",
		Tokens:  Tokens{ExpirationSeconds: 3600},
		Grafana: Grafana{TokenLifetime: 90 * day},
		Limits:  defaultLimits(),
	}
}

// TestPatterns returns the patterns that make files data of tests, as text.
func (c *Config) TestPatterns() []string {
	var out []string
	for _, p := range c.Tests {
		if !p.Not {
			out = append(out, p.Path.String())
		}
	}
	return out
}

// ExcludePatterns returns the excluded paths as text.
func (c *Config) ExcludePatterns() []string {
	out := make([]string, len(c.Exclude))
	for i, p := range c.Exclude {
		out[i] = p.String()
	}
	return out
}
