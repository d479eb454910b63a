# What the operator-controller of the target does, by its release and its feature gates.
package salint.helpers.olm

# runtime is what the target does with the identity of an extension. It is undefined if that is unknown.
runtime := salint.runtime(input.target.name, gates)

# gates holds the feature gates that the signals of the deployment unit set. If signals contradict each other, the one that
# turns the gate on counts.
gates[name] := true in states if {
	some signal in salint.signs()
	some name, _ in signal.gates
	states := {other.gates[name] | some other in salint.signs()}
}

# gate is the state of synthetic identities by the signals of the deployment unit: on, off, or unknown. It is unknown if
# they contradict each other; target-conflict reports that.
default gate := "unknown"

gate := "on" if gate_states == {true}

gate := "off" if gate_states == {false}

gate_states contains gate_of(signal) if some signal in gate_signals

# gate_signals lists the signals that turn synthetic identities on or off.
gate_signals := [signal | some signal in salint.signs(); is_boolean(gate_of(signal))]

# gate_of returns whether a signal turns the gate on, or null. AllAlpha sets the gates that are not set by name.
gate_of(signal) := object.get(signal.gates, synthetic_gate, object.get(signal.gates, "AllAlpha", null))
