"""The maker's tools, for the bench and for bad days: `sniperboard hw …` and `sniperboard doctor`.

They open the very drivers that the table uses, and all of them work on the simulated board too.
"""
