#!/bin/sh
# The first start on Raspberry Pi OS of Debian 12 (bookworm), which has no cloud-init. The kernel's command line runs
# this once, before the network is up. It sets name, country and password; a service does the rest.
set -u

# Edit these three lines, as in user-data.
NAME=sniperboard
PASSWORD=make-one-up
COUNTRY=PL

boot=${SNIPERBOARD_BOOT:-/boot/firmware}
etc=${SNIPERBOARD_ETC:-/etc}

raspi-config nonint do_hostname "$NAME"
raspi-config nonint do_wifi_country "$COUNTRY"
mkdir -p "$etc/sniperboard"
(umask 077 && printf '%s\n' "$PASSWORD" > "$etc/sniperboard/hotspot-password")
cp "$boot/sniperboard/first-start.service" "$etc/systemd/system/sniperboard-first-start.service"
systemctl enable sniperboard-first-start.service
# Run only once, and remove this file: every user can read it, and it contains the password.
sed -i 's| systemd\.[^ ]*||g' "$boot/cmdline.txt"
# Without this file, a command line that still names it would stop each start.
sync
rm -f "$boot/firstrun.sh"
exit 0
