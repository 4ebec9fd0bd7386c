"""What everyone except the sniper can see, hear, fetch, measure or find, whatever the sniper does in secret."""
