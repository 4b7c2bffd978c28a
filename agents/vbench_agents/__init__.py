"""Agents that ship with vbench-env, found through the entry points of the group `vbench_env.agents`."""
