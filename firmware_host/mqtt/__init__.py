"""The table at an MQTT broker: public facts for the house, commands with the house PIN, and the other tables of a club.

Nothing here is imported where no broker is set but `checks.py` and `club.py`. Only `client.py` and `line.py` know the
MQTT library. docs/mqtt.md describes topics and payloads.
"""
