"""The candidate: the chat's own prompt and options around one question (R1, R13, R14)."""

from dataclasses import dataclass
from pathlib import Path

from gnollbench.corpus.tools import Toolset
from gnollbench.errors import Refusal
from gnollbench.llm.messages import Message, Request
from gnollbench.records.canonical import hash_text
from gnollbench.records.launch import Chat, ModelConfig
from gnollbench.records.suite import Snapshot
from gnollbench.roles.templates import render


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The candidate's system prompt.

    Attributes
    ----------
    text : str
        As sent.
    keyed : str
        The same without the knowledge topics and the tool policy, which have keys of their own and are
        written into the template; an exported prompt stands as it is, whatever the corpora hold.
    """

    text: str
    keyed: str

    @property
    def hash(self) -> str:
        """Fingerprint of the keyed text."""
        return hash_text(self.keyed)


def system_prompt(chat: Chat, topics: str, policy: str, snapshot: Snapshot | None) -> SystemPrompt:
    """Build the system prompt from the shipped templates, or from a prompt exported from production.

    Parameters
    ----------
    topics : str
        The knowledge base's topic list, one line a topic.
    policy : str
        The tool policy with the text of the parallel setting.

    Raises
    ------
    Refusal
        If an exported prompt cannot be read, or lacks its first part.
    """
    frozen, stable = chat.prompt.frozen, chat.prompt.stable
    if frozen is not None:
        text = "\n".join(_exported(path) for path in (frozen, stable) if path)
        return SystemPrompt(text, text)
    if stable is not None:
        raise Refusal(
            "chat.prompt.stable is refused", "it is the second part of a prompt", "set chat.prompt.frozen too"
        )
    return SystemPrompt(_template(chat, topics, policy, snapshot), _template(chat, "", "", snapshot))


def candidate_request(
    model: ModelConfig, prompt: SystemPrompt, snapshot: Snapshot | None, question: str, toolset: Toolset
) -> Request:
    """Build the request of one question: prompt, snapshot as game context, one user message (R13)."""
    context = f"\n\n{render('snapshot.md.j2', text=snapshot.text)}" if snapshot else ""
    messages = (Message("system", prompt.text + context), Message("user", question))
    return Request(model, messages, tuple(toolset.declarations), cache_prefix=1)


def _template(chat: Chat, topics: str, policy: str, snapshot: Snapshot | None) -> str:
    values = {**chat.options(), "topics": topics, "policy": policy, "snapshot": snapshot is not None}
    return f"{render('chat_frozen.md.j2', **values)}\n\n{render('chat_stable.md.j2', **values)}".strip()


def _exported(path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(
            f"the exported prompt {path} cannot be read", type(error).__name__, "name a UTF-8 text file"
        ) from error
