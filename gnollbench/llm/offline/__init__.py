"""The embedded models: deterministic, in this process, without a language model, a key or a network.

They exercise every part of a run as a provider's models would. Their answers, verdicts and rulings come
from comparing words; figures of a run with them say nothing about any language model.

Each is a pure function of the request. ``retriever`` is a candidate; ``terms`` and ``trigrams`` are panel
members, ``numbers`` a reader; ``lookup`` is a claim verifier, ``figures`` a report writer.
"""

from collections.abc import Callable

from gnollbench.llm.messages import Reply, Request
from gnollbench.llm.offline.figures import figures
from gnollbench.llm.offline.graders import numbers, terms, trigrams
from gnollbench.llm.offline.lookup import lookup
from gnollbench.llm.offline.retriever import retriever

MODELS: dict[str, Callable[[Request], Reply]] = {
    "retriever": retriever,
    "terms": terms,
    "trigrams": trigrams,
    "numbers": numbers,
    "lookup": lookup,
    "figures": figures,
}
