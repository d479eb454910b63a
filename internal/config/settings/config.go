package settings

import (
	"time"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// FileName is the name of the configuration file.
const FileName = ".salint.yaml"

// Config is everything that .salint.yaml can say; the tags are its keys. What the file leaves out has the value of
// Default.
type Config struct {
	// Path is the file it was read from, "" for the defaults.
	Path string `json:"-"`

	// Target is auto, a model or a release; Validate checks it.
	Target string `json:"target"`
	// FailOn is the severity from which on a run fails; Off stands for never.
	FailOn finding.Severity `json:"failOn"`
	// Grant is carry-over, least-privilege, group or role=NAME.
	Grant string `json:"grant"`
	// Exclude are the paths that are not looked at.
	Exclude []glob.Path `json:"exclude"`
	// Rules set severities, Overrides do so for some paths.
	Rules     []RuleSetting `json:"rules"`
	Overrides []Override    `json:"overrides"`
	// Bundles are the bundle folders by the name of their extension.
	Bundles map[string]string `json:"bundles"`
	// Helm says how to render charts, by the path of the chart's folder.
	Helm map[string]Chart `json:"helm"`
	// PodSpecs are further kinds that embed a pod template.
	PodSpecs []PodSpec `json:"podSpecs"`
	Tokens   Tokens    `json:"tokens"`
	Grafana  Grafana   `json:"grafana"`
	Limits   Limits    `json:"limits"`
	// Policies are folders with the user's own rules.
	Policies []string `json:"policies"`

	targetAt  position
	bundlesAt map[string]position
	helmAt    map[string]position
}

// BundleAt is the line of the file that names the bundle of an extension; 0 where none does.
func (c *Config) BundleAt(extension string) int { return c.bundlesAt[extension].line }

// HelmAt is the line of the file that speaks of a chart; 0 where none does.
func (c *Config) HelmAt(chart string) int { return c.helmAt[chart].line }

// RuleSetting gives the rules that a pattern matches a severity; Off silences them.
type RuleSetting struct {
	Pattern  string
	Severity finding.Severity

	at position
}

// Override changes settings for the files that one of its patterns matches.
type Override struct {
	Paths  []glob.Path   `json:"paths"`
	Target string        `json:"target"`
	Rules  []RuleSetting `json:"rules"`

	targetAt position
}

// Chart says how to render a chart.
type Chart struct {
	// Values are the sets of values files; the chart is rendered once with each.
	Values      [][]string `json:"values"`
	APIVersions []string   `json:"apiVersions"`
	KubeVersion string     `json:"kubeVersion"`
}

// PodSpec is a kind that embeds a real pod template at a path, as in spec.template.
type PodSpec struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Path  string `json:"path"`
}

// Tokens is what fixes write where a pod needs a token.
type Tokens struct {
	// Audience is who is to take the tokens; "" is the API server, if AudienceGiven tells that the file says so.
	Audience          string `json:"audience"`
	AudienceGiven     bool   `json:"-"`
	ExpirationSeconds int64  `json:"expirationSeconds"`
}

// Grafana is what fixes write into GrafanaServiceAccounts.
type Grafana struct {
	TokenLifetime time.Duration `json:"tokenLifetime"`
}

// Limits bound what one file, chart or rule may cost. Sizes are in bytes.
type Limits struct {
	FileSize     int64         `json:"fileSize"`
	RenderTime   time.Duration `json:"renderTime"`
	RenderMemory int64         `json:"renderMemory"`
	PolicyTime   time.Duration `json:"policyTime"`
}

// Default is the configuration of a repository that has none.
func Default() *Config {
	return &Config{
		Target:  "auto",
		FailOn:  finding.Warning,
		Grant:   "carry-over",
		Tokens:  Tokens{ExpirationSeconds: 3600},
		Grafana: Grafana{TokenLifetime: 90 * day},
		Limits:  Limits{FileSize: 32 << 20, RenderTime: 20 * time.Second, RenderMemory: 1 << 30, PolicyTime: 5 * time.Second},
	}
}

// ExcludePatterns gives the excluded paths as text.
func (c *Config) ExcludePatterns() []string {
	out := make([]string, len(c.Exclude))
	for i, p := range c.Exclude {
		out[i] = p.String()
	}
	return out
}
