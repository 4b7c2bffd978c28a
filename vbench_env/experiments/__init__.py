"""Runs: what to play, how models are called, and what is kept of it."""
