"""What the environment and the command line say of settings, laid over those of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from askfirst.documents import pointer_to
from askfirst.errors import InputError, UsageError
from askfirst.settings.secrets import is_key_like, names_a_key

PREFIX = "ASKFIRST_"
_ROLES = ("author", "expander", "drafter")
_OF_A_MODEL = ("base", "key_variable", "mode", "timeout")


def fault(message: str, where: str, hint: str | None = None) -> InputError | UsageError:
    """An error in a value; of a flag it is one of usage."""
    return (UsageError if where.startswith("--") else InputError)(message, where=where, hint=hint)


@dataclass
class Layers:
    """Plain settings, as they are laid over each other, and where each value came from."""

    data: dict[str, Any]
    sources: dict[str, str]
    """JSON pointer of every value that is set to where it came from."""

    def put(self, keys: tuple[str, ...], value: Any, origin: str) -> None:
        """Set one part, in the place of all that was there."""
        place = self.data
        for key in keys[:-1]:
            if not isinstance(place.get(key), dict):
                place[key] = {}
            place = place[key]
        place[keys[-1]] = value
        pointer = "".join(pointer_to("", key) for key in keys)
        for inside in [known for known in self.sources if f"{known}/".startswith(f"{pointer}/")]:
            del self.sources[inside]
        self.sources |= dict.fromkeys((pointer + inside for inside, _ in leaves(value)), origin)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no mapping or list, or an empty one, with its JSON pointer."""
    if isinstance(value, dict | list) and value:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, pointer_to(pointer, key))
    else:
        yield pointer, value


Lay = Callable[[Layers, Any, str], None]
"""Lays one value, from the place that is named, over what is there."""


def _model(role: str) -> Lay:
    """Another model is one with nothing set: address, parameters and price were those of the model before it."""

    def lay(layers: Layers, value: Any, origin: str) -> None:
        known = layers.data.get(role)
        if isinstance(known, dict) and known.get("model") == value:
            layers.put((role, "model"), value, origin)
        else:
            layers.put((role,), {"model": value}, origin)

    return lay


def _panel(layers: Layers, value: Any, origin: str) -> None:
    """A model that was in the panel before keeps what was set for it."""
    names = [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else list(value)
    before = _models(layers)
    kept: dict[str, str] = {}
    models: list[Any] = []
    for place, name in enumerate(names):
        old = next((number for number, entry in enumerate(before) if entry.get("model") == name), None)
        models.append({"model": name} if old is None else before[old])
        prefix = f"/critics/models/{old}/"
        kept |= {
            f"/critics/models/{place}/{pointer.removeprefix(prefix)}": source
            for pointer, source in layers.sources.items()
            if pointer.startswith(prefix) and pointer != f"{prefix}model"
        }
    layers.put(("critics", "models"), models, origin)
    layers.sources |= kept


def _models(layers: Layers) -> list[dict[str, Any]]:
    panel = layers.data.get("critics") or {}
    return list(panel.get("models") or [])


def _of_model(role: str, field: str) -> Lay:
    def lay(layers: Layers, value: Any, origin: str) -> None:
        if not isinstance(layers.data.get(role), dict):
            model = f"{PREFIX}{role.upper()}"
            raise fault(
                f"no {role} is set that this could be for.", origin, f"Set {model} to a model too, or unset it."
            )
        layers.put((role, field), value, origin)

    return lay


def _of_panel(field: str) -> Lay:
    def lay(layers: Layers, value: Any, origin: str) -> None:
        models = _models(layers)
        if not models:
            raise fault("no critics are set that this could be for.", origin, f"Set {PREFIX}CRITICS too, or unset it.")
        layers.data["critics"]["models"] = [{**entry, field: value} for entry in models]
        layers.sources |= {f"/critics/models/{number}/{field}": origin for number in range(len(models))}

    return lay


def _value(*keys: str) -> Lay:
    def lay(layers: Layers, value: Any, origin: str) -> None:
        layers.put(keys, value, origin)

    return lay


VARIABLES: dict[str, Lay] = {
    **{f"{PREFIX}{role.upper()}": _model(role) for role in _ROLES},
    f"{PREFIX}CRITICS": _panel,
    **{f"{PREFIX}{role.upper()}_{field.upper()}": _of_model(role, field) for role in _ROLES for field in _OF_A_MODEL},
    **{f"{PREFIX}CRITICS_{field.upper()}": _of_panel(field) for field in _OF_A_MODEL},
    f"{PREFIX}CRITICS_RULE": _value("critics", "rule"),
    f"{PREFIX}CRITICS_VOTES": _value("critics", "votes"),
    f"{PREFIX}REPAIRS": _value("repairs"),
    f"{PREFIX}MAX_COST": _value("budget", "max_cost"),
    f"{PREFIX}MAX_TOKENS": _value("budget", "max_tokens"),
    f"{PREFIX}MAX_CALLS": _value("budget", "max_calls"),
}
"""Every variable of the environment that is read, in the order in which they are: models before what is set of them."""

FLAGS: dict[str, Lay] = {
    "--author-model": _model("author"),
    "--critic-model": _panel,
    "--drafter-model": _model("drafter"),
    "--max-cost": _value("budget", "max_cost"),
    "--max-tokens": _value("budget", "max_tokens"),
    "--max-calls": _value("budget", "max_calls"),
}
"""Every flag that stands for a setting; they go before the environment, which goes before the file."""


def overrides(environ: Mapping[str, str], flags: Mapping[str, Any]) -> Iterator[tuple[str, Any, Lay]]:
    """What is set, in the order in which it is to be laid on: where it comes from, its value, and how it is laid.

    Models come first, from wherever, so that what the environment says of a role is said of the model it gets.
    An empty variable is one that is not set. Raises InputError for a variable that there is not, and for a value that
    looks like a key.
    """
    set_here = {name: value for name, value in environ.items() if name.startswith(PREFIX) and value.strip()}
    _refuse_unknown(set_here)
    given = {name: value for name, value in flags.items() if value is not None and value not in ((), [])}
    found = [(name, set_here[name].strip(), lay) for name, lay in VARIABLES.items() if name in set_here]
    found += [(name, given[name], lay) for name, lay in FLAGS.items() if name in given]
    for name, value, _ in found:
        if is_key_like(str(value)):
            raise fault(
                "this looks like a key.", name, "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or the like to it instead."
            )
    yield from sorted(found, key=lambda one: not _names_models(one[0]))


def _names_models(name: str) -> bool:
    return name in {
        "--author-model",
        "--critic-model",
        "--drafter-model",
        *(f"{PREFIX}{role.upper()}" for role in (*_ROLES, "critics")),
    }


def _refuse_unknown(names: Mapping[str, str]) -> None:
    for name in sorted(names):
        if name in VARIABLES:
            continue
        if names_a_key(name):
            hint = "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or the variable that `key_variable` names instead."
            raise InputError("this variable is not read.", where=name, hint=hint)
        near = [f"did you mean {known}?" for known in get_close_matches(name, VARIABLES, n=1, cutoff=0.8)]
        told = "; ".join(["this variable is not read", *near])
        raise InputError(told if near else f"{told}.", where=name, hint="Correct it, or unset it.")
