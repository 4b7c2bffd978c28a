"""Corpora and runs in the formats of others: data sets, trajectories, logs, task folders.

Each exporter reads tasks or a run folder and writes files; nothing is sent anywhere.
"""
