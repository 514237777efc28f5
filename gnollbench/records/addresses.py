"""How an address is shown: without what lets somebody in."""

import re

_USER_INFORMATION = re.compile(r"(?<=://)[^/?#\s]*@")
_SECRET_PARAMETER = re.compile(r"(?i)(?<=[?&])(password|passwd|pwd|token|secret|sslpassword)=[^&\s]*")


def public_uri(uri: str) -> str:
    """Return a URI without user information and secret parameters."""
    return _SECRET_PARAMETER.sub(r"\1=…", _USER_INFORMATION.sub("", uri))
