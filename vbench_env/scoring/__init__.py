"""The three-gate evaluator. Start reading at `scorer.score_case`."""
