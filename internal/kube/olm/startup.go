package olm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/files/manifest"
)

// startFlag is a flag of operator-controller, with the upstream releases (1.x) that have it; last is 0 for one that still exists.
type startFlag struct {
	name        string
	first, last int
}

// The flags whose values decide whether operator-controller starts.
const (
	certFlag    = "tls-cert"
	keyFlag     = "tls-key"
	metricsFlag = "metrics-bind-address"
	secretFlag  = "global-pull-secret"
)

// startFlags are flags that not every release has, and those whose values are checked. Source: cmd/manager/main.go at v1.0.0 and v1.1.0,
// cmd/operator-controller/main.go at v1.2.0 to v1.11.0, and internal/shared/util/tlsprofiles/flags.go.
var startFlags = []startFlag{
	{name: "ca-certs-dir", last: 1},
	{name: certFlag, first: 1}, {name: keyFlag, first: 1}, {name: metricsFlag}, {name: secretFlag},
	{name: "catalogd-cas-dir", first: 2}, {name: "pull-cas-dir", first: 2},
	{name: "pprof-bind-address", first: 3},
	{name: "tls-profile", first: 6}, {name: "tls-custom-ciphers", first: 6}, {name: "tls-custom-curves", first: 6}, {name: "tls-custom-version", first: 6},
}

// Start is what decides whether operator-controller starts with a command line.
type Start struct {
	// Gates are those of the signal, and Invalid the parts of --feature-gates that are neither on nor off.
	Gates   map[string]bool
	Invalid []string
	// Flags are values of flags, by their names.
	Flags map[string]string
}

// readStart reads what decides whether a container starts, except its gates. Flags with values that are substituted later count as set.
func readStart(container *manifest.Node, start *Start) {
	start.Flags = map[string]string{}
	for _, key := range []string{"command", "args"} {
		list := items(container.Get(key))
		for i, word := range list {
			name, value, _ := strings.Cut(strings.TrimPrefix(word.String(), "--"), "=")
			if !strings.HasPrefix(word.String(), "--") || !slices.ContainsFunc(startFlags, func(f startFlag) bool { return f.name == name }) {
				continue
			}
			if !strings.Contains(word.String(), "=") && i+1 < len(list) {
				value = list[i+1].String()
			}
			start.Flags[name] = value
		}
	}
}

// StartFault returns that operator-controller of a target does not start with a command line, and why, as a clause; "" if nothing shows that.
func StartFault(target Target, s Start) string {
	faults := slices.Concat(gateFaults(target, s), flagFaults(target, s.Flags))
	if len(faults) == 0 {
		return ""
	}
	name := target.Name
	if _, release := parseRelease(name); !release {
		name = controllerName
	}
	return fmt.Sprintf("%s does not start with %s: no extension is installed, upgraded, or removed", name, words.First(shownFaults, faults))
}

// shownFaults is how many faults a message has.
const shownFaults = 2

func gateFaults(target Target, s Start) []string {
	var faults []string
	unknown := UnknownGates(target, s.Gates)
	switch len(unknown) {
	case 0:
	case 1:
		faults = append(faults, "the unknown gate "+unknown[0])
	default:
		faults = append(faults, "the unknown gates "+words.And(unknown))
	}
	for _, text := range s.Invalid {
		faults = append(faults, fmt.Sprintf("the value %q of --feature-gates", text))
	}
	return faults
}

func flagFaults(target Target, flags map[string]string) []string {
	var faults []string
	minor, known := upstreamMinor(target)
	for _, f := range startFlags {
		if _, set := flags[f.name]; set && known && (minor < f.first || f.last != 0 && minor > f.last) {
			faults = append(faults, "the unknown flag --"+f.name)
		}
	}
	cert, key := flags[certFlag] != "", flags[keyFlag] != ""
	switch {
	case known && minor == 0: // v1.0 serves metrics without TLS
	case cert && !key:
		faults = append(faults, "--tls-cert without --tls-key")
	case key && !cert:
		faults = append(faults, "--tls-key without --tls-cert")
	case !cert && flags[metricsFlag] != "":
		faults = append(faults, "--metrics-bind-address without --tls-cert and --tls-key")
	}
	if secret := flags[secretFlag]; secret != "" && !isTemplate(secret) && strings.Count(secret, "/") != 1 {
		faults = append(faults, fmt.Sprintf("--global-pull-secret %s, which is not NAMESPACE/NAME", secret))
	}
	return faults
}

// StartFaults returns, in sentences, why operator-controller of a target does not start with the command lines of signals.
func StartFaults(target Target, signals []Signal) []string {
	var faults []string
	for _, s := range signals {
		if fault := StartFault(target, s.Start); fault != "" {
			faults = words.AddOnce(faults, s.Description+". "+fault)
		}
	}
	return faults
}
