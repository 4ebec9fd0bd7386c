#!/bin/sh
# The first start of a table: unpack the project from the card and install it. sniperboard-first-start.service runs this
# as root until it succeeds: at each start, and after a failure ten times within an hour.
set -u

card=${SNIPERBOARD_CARD:-/boot/firmware/sniperboard}
source=${SNIPERBOARD_SOURCE:-/opt/sniperboard-source}
secret=${SNIPERBOARD_SECRET:-/etc/sniperboard/hotspot-password}
log=$card/first-start.log

install_table() {
  mkdir -p "$source" && tar -xzf "$card/project.tar.gz" -C "$source" || return 1
  set -- --hotspot
  [ "$(cat "$secret" 2> /dev/null || echo make-one-up)" = make-one-up ] || set -- "$@" --hotspot-password "$secret"
  # Options chosen when the card was written, for example: --board simulated --power-button
  [ ! -f "$card/options" ] || set -- "$@" $(cat "$card/options")
  if [ -d "$card/wheels" ]; then
    # The table's packages are on the card, so no network is needed; those of extras are not.
    export PIP_FIND_LINKS="$card/wheels"
    case " $* " in
      *" --with "*) ;;
      *) export PIP_NO_INDEX=1 ;;
    esac
  fi
  python3 "$source/tools/bootstrap.py" install "$@"
}

# The log is on the card, so that any computer can read it if the table has no screen.
if (install_table) > "$log" 2>&1; then
  echo "The table is installed." >> "$log"
  rm -f "$secret"
  systemctl disable sniperboard-first-start.service > /dev/null 2>&1 || true
else
  echo "The table could not be installed; what is wrong stands above. It is tried again after a minute, ten times in all, and at the next start." >> "$log"
  exit 1
fi
