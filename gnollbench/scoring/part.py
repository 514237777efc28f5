"""The base of every model that a record, a profile or a verdict is made of."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """Frozen and strict: a wrong type, an unknown field, NaN and infinity are refused.

    Python code builds parts from tuples and enum members; JSON is read with ``model_validate_json``, where
    arrays and strings take their place. NaN is written as such, so that a part that was copied past
    validation cannot lose a figure silently: what is written is read back before it counts as written.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",
        protected_namespaces=(),
    )
