"""Corpora with other kinds of task are audited too: their targets are drawings like any other."""

from __future__ import annotations

from vbench_env.audit import AuditConfig, audit


def test_a_corpus_with_files_that_are_not_well_formed_is_audited() -> None:
    report = audit(AuditConfig(corpus="vbench-kinds", cases=12, seed=3, pictures=0))
    assert report.ok
