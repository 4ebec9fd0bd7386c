"""A replacement for NetworkManager's nmcli, with a world in a file next to it: the networks in range and the profiles.

Its output and exit codes were recorded from nmcli 1.42.4 of Debian 12, with its daemon and with python-dbusmock's. It
runs hundreds of times as a separate program, so it imports almost nothing and evaluates the world's `repr`.
"""

import os
import sys

WORLD = os.path.join(os.path.dirname(sys.argv[0]), "world.py")
HOTSPOT = "5b1de5ca-7ab1-4e0d-9a1f-70a5e0b0a2d1"
ACTIVATION = "Error: Connection activation failed: "


def end(code, sentence):
    print(sentence, file=sys.stderr)
    raise SystemExit(code)


def terse(*rows):
    for row in rows:
        print(":".join(str(cell).replace("\\", "\\\\").replace(":", "\\:") for cell in row))


def profile(world, uuid):
    if uuid not in world["profiles"]:
        end(10, f"Error: unknown connection '{uuid}'.")
    return world["profiles"][uuid]


def status(world):
    state = world["radio"]
    active = world["active"] if state == "disconnected" else ""
    name = world["profiles"][active]["name"] if active else ""
    if world["cable"]:
        terse(("eth0", "ethernet", "connected", "0c5a1f2e-0000-4000-8000-000000000001", "Wired connection 1"))
    if state:
        terse(("wlan0", "wifi", "connected" if active else state, active, name))
    terse(("lo", "loopback", "unmanaged", "", ""))


def add(world, words):
    given = dict(zip(words[::2], words[1::2], strict=True))
    uuid = f"00000000-0000-4000-8000-{len(world['calls']):012}"
    world["profiles"][uuid] = {
        "name": given["con-name"],
        "ssid": given["ssid"],
        "hidden": given.get("802-11-wireless.hidden") == "yes",
    }
    print(f"Connection '{given['con-name']}' ({uuid}) successfully added.")


def edit(world, uuid):
    found, changes = profile(world, uuid), {}
    print("\n===| nmcli interactive connection editor |===\n")
    lines = sys.stdin.read().splitlines()
    home = os.path.expanduser("~")
    if os.path.isdir(home):
        with open(os.path.join(home, ".nmcli-history"), "w") as history:
            history.write(f"[{uuid}]\n" + "\n".join(lines))
    for line in lines:
        print(f"nmcli> {line}")
        verb, _, rest = line.partition(" ")
        if verb == "set":
            name, _, value = rest.partition(" ")
            changes[name.rpartition(".")[2]] = value.strip()
        elif verb == "save":
            found |= changes
            print(f"Connection '{found['name']}' ({uuid}) successfully updated.")
        elif verb == "quit":
            return


def fits(network, found):
    if not network["password"]:
        return "psk" not in found
    management = "sae" if network["security"] == "WPA3" else "wpa-psk"
    return found.get("psk") == network["password"] and found["key-mgmt"] == management


def up(world, uuid):
    found = profile(world, uuid)
    if world["radio"] != "disconnected":
        end(4, f"{ACTIVATION}No suitable device found for this connection (device lo not available).")
    world["active"] = ""  # the radio leaves its network for the attempt
    if uuid != HOTSPOT:
        network = next((one for one in world["air"] if one["ssid"] == found["ssid"]), None)
        if network is None or (network.get("hidden") and not found["hidden"]):
            end(4, f"{ACTIVATION}The Wi-Fi network could not be found")
        if not fits(network, found):
            end(4, f"{ACTIVATION}Secrets were required, but not provided")
        if network.get("silent"):
            end(3, "Error: Timeout expired (45 seconds)")
        if network.get("dry"):
            end(4, f"{ACTIVATION}IP configuration could not be reserved (no available address, timeout, etc.)")
    world["active"] = uuid
    print("Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/ActiveConnection/2)")


def down(world, uuid):
    if world["active"] != uuid:
        print(f"Error: '{uuid}' is not an active connection.", file=sys.stderr)
        end(10, "Error: no active connection provided.")
    world["active"] = ""
    for known, found in world["profiles"].items():  # as NetworkManager does by itself a moment later
        if known != HOTSPOT and any(one["ssid"] == found["ssid"] and fits(one, found) for one in world["air"]):
            world["active"] = known


def main(world, words):
    if not world["running"]:
        end(8, "Error: NetworkManager is not running.")
    if words[:2] in (["connection", "add"], ["connection", "up"]) and world["forbidden"]:
        end(4, "Error: Failed to add 'x' connection: Insufficient privileges")
    match words:
        case ["device", "status"]:
            status(world)
        case ["device", "wifi", "list", *_]:
            hosting = world["active"] == HOTSPOT  # most radios cannot scan then
            shown = [one for one in world["air"] if not hosting]
            terse(*(("" if one.get("hidden") else one["ssid"], one["signal"], one["security"]) for one in shown))
        case ["connection", "show"]:
            terse(*((one["name"], uuid, "802-11-wireless") for uuid, one in world["profiles"].items()))
        case ["connection", "add", "type", "wifi", *rest]:
            add(world, rest)
        case ["connection", "edit", "uuid", uuid]:
            edit(world, uuid)
        case ["connection", "up", "uuid", uuid]:
            up(world, uuid)
        case ["connection", "down", "uuid", uuid]:
            down(world, uuid)
        case ["connection", "delete", "uuid", uuid]:
            profile(world, uuid)
            del world["profiles"][uuid]
            print(f"Connection '{uuid}' ({uuid}) successfully deleted.")
        case _:
            end(2, f"Error: argument '{words}' not understood.")


with open(WORLD, encoding="utf-8") as file:
    world, words = eval(file.read()), sys.argv[1:]
world["calls"].append(words)
if words[0] == "--wait":
    words = words[2:]
if words[0] == "-t":
    words = words[3:]
try:
    main(world, words)
finally:
    with open(WORLD, "w", encoding="utf-8") as file:
        file.write(repr(world))
