"""The engine and tracking protocols on standard input and output."""
