"""The audit: drawings rewritten without a change must pass, drawings with a change must not.

    from vbench_env.audit import AuditConfig, audit
    report = audit(AuditConfig(corpus="vbench-40", cases=3000, seed=1))

`rewriters` keep what a drawing is, `mutators` change one thing that a user could mind. Every case is judged; a
sample is drawn too, and where picture and verdict part, the reason is named.
"""

from vbench_env.audit.run import AuditConfig, AuditReport, audit

__all__ = ["AuditConfig", "AuditReport", "audit"]
