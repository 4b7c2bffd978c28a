"""`docs/corpus.md`: the corpus as a page, from the tasks themselves and from recorded results."""

from __future__ import annotations

from vbench_env.taskkit.page.corpus import PageData, corpus_page, read_page_data
from vbench_env.taskkit.page.pictures import write_pictures

__all__ = ["PageData", "corpus_page", "read_page_data", "write_pictures"]
