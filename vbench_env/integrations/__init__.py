"""Adapters: an episode behind the interfaces of trainers, evaluation harnesses and protocols.

Each adapter is one module, wraps a `Session` and adds no rules. The package that it serves is an extra of its own
and is imported by that module alone, when it is used.
"""
