"""The table at an MQTT broker: public facts, commands with the admin PIN, and the other tables of a club.

The daemon imports this package only if a broker is set. Only `client.py` and `connection.py` use the MQTT library.
docs/mqtt.md describes topics and payloads.
"""
