"""GnollBench: measures the Gnoll Overseer's chat the way its users meet it.

The environment switches below keep the libraries from calling out, reading a stray ``.env`` or
cutting logged values. They must stand before the first import of litellm or mlflow.
"""

import os

__version__ = "0.1.0"
HARNESS_VERSION = 45

_SWITCHES = {
    "LITELLM_OFFLINE_MODE": "true",  # no price map, header or tokenizer download at import
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",  # DEV would load a .env found upward of the package
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_TRUNCATE_LONG_VALUES": "false",  # a value too long is an error, not a cut
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",  # a dead server is said at once, not after minutes
}
for _name, _value in _SWITCHES.items():
    os.environ.setdefault(_name, _value)
for _name in (
    "USE_LITELLM_PROXY",
    "DISABLE_AIOHTTP_TRANSPORT",
):  # would send calls past this program's transport
    os.environ[_name] = "False"
_direct = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
for _name in ("no_proxy", "NO_PROXY"):  # what is on this machine is reached by no proxy
    os.environ[_name] = ",".join(filter(None, (_direct, "localhost,127.0.0.1,::1")))
