"""Agents that ship with vbench-env."""
