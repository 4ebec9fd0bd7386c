"""Debouncing on the board: a sensor is believed when it has been steady for a while. Time is handed in."""


class Debounce:
    """`raw` is the last scan and `settled` what is believed: bitmaps, bit 0 of byte 0 is sensor 0."""

    def __init__(self, sensors):
        self.raw = bytearray((sensors + 7) // 8)
        self.settled = bytearray(len(self.raw))
        self.down_ms = 10
        self.up_ms = 25
        self._since = {}  # sensor -> when it began to say the contrary of what is believed
        self._begun = False

    def feel(self, scan, now):
        """Take a scan; whether anything settled. The very first is believed at once, for there is nothing before."""
        if not self._begun:
            self._begun = True
            self.raw[:] = scan
            self.settled[:] = scan
            return True
        settled = bool(self._since) and self._ripen(now)
        if scan != self.raw:
            self._notice(scan, now)
        return settled

    def forget(self):
        """Scans were missed: whatever had begun to change must be steady anew."""
        if self._begun:
            self._since.clear()
            self.raw[:] = self.settled

    def _notice(self, scan, now):
        for at in range(len(scan)):
            changed = scan[at] ^ self.raw[at]
            bit = 0
            while changed:
                if changed & 1:
                    self._turn(8 * at + bit, (scan[at] ^ self.settled[at]) >> bit & 1, now)
                changed >>= 1
                bit += 1
        self.raw[:] = scan

    def _turn(self, sensor, contrary, now):
        if contrary:
            self._since[sensor] = now
        else:
            self._since.pop(sensor, None)

    def _ripen(self, now):
        ripe = [sensor for sensor, since in self._since.items() if now - since >= self._patience(sensor)]
        for sensor in ripe:
            del self._since[sensor]
            self.settled[sensor >> 3] ^= 1 << (sensor & 7)
        return bool(ripe)

    def _patience(self, sensor):
        return self.up_ms if self.settled[sensor >> 3] >> (sensor & 7) & 1 else self.down_ms
