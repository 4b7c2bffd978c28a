"""Surgical SVG editing as an environment: episodes, edit tools and a deterministic three-gate reward.

Public names load on first use, so that `import vbench_env` stays light: no model client, no renderer, no
Gymnasium beyond the registration that the `vbench_env:` prefix of `gymnasium.make` asks for.
"""
