"""The only door for `web_panel` and `mqtt`: interfaces, held seats, rights and maps as pictures."""
