"""An agent, a tool and a renderer that vbench-env finds through entry points."""
