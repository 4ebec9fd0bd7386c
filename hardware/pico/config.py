"""The wiring: the number of sensors and lamps, and their pins. The only file to change."""

SENSORS = 144
LAMPS = 144

# The chain of 74HC165. Sensor 8k+n is input Dn of chip k; chip 0 is next to the Pico.
CHAIN_SPI = 0
CHAIN_CLOCK = 18
CHAIN_DATA = 16
CHAIN_LOAD = 17
CHAIN_UNUSED = 19  # the SPI's data output: to SER of the last chip, which closes the loop
CHAIN_LOOP = True  # whether that wire exists; then each scan is checked, and a broken chain is located
CHAIN_HZ = 1000000
DOWN_IS_LOW = True  # reeds and Hall switches pull their input to ground

STRIP_PIN = 2
STRIP_CHIP = "WS2812"  # also WS2812B, SK6812 and most others; "WS2811" for the slow ones with 12 V
LIMIT_MA = 3000  # what the strip's supply can deliver; the host cannot set more

# The voltage behind the Pico's own diode, a third of it at this pin. None on a Pico W, whose radio uses the pin.
SUPPLY_PIN = 29
SUPPLY_LOW_MV = 4300

# The lamps' own 5 V, half of it at this pin (47 kOhm from 5 V, 47 kOhm to ground). None without these two resistors.
LAMP_SUPPLY_PIN = 26
LAMP_SUPPLY_LOW_MV = 4500
