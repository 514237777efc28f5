"""What a tool raises when it cannot answer; the model reads its message."""


class ToolFailure(Exception):
    """A tool call that failed: a missing argument, a bad path, a knowledge-base miss (R14).

    The message is written for the model, which reads it as the call's result. A search that
    finds nothing is no failure: it returns a text that says so.
    """
