"""Tasks from other people's data, which stays where it is: an importer reads a layout, one rule decides what is a task.

from vbench_env.importers import IMPORTERS, import_corpus
report = import_corpus(IMPORTERS.get("pairs"), Path("edits.jsonl"), Path("my-corpus"))
"""

from vbench_env.importers import pairs, svgeditbench, svgenius, vector_bench
from vbench_env.importers.base import IMPORTERS, Importer, Row
from vbench_env.importers.corpus import Imported, Outcome, Terms, import_corpus, self_check, task_of
from vbench_env.importers.derive import MEANING, Refused, derive

__all__ = [
    "IMPORTERS",
    "MEANING",
    "Imported",
    "Importer",
    "Outcome",
    "Refused",
    "Row",
    "Terms",
    "derive",
    "import_corpus",
    "pairs",
    "self_check",
    "svgeditbench",
    "svgenius",
    "task_of",
    "vector_bench",
]
