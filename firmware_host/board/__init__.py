"""The board: sensors to acts (tracking/), cues to lamps and sounds (cues/), wiring and sensor health."""
