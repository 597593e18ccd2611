"""The drawing of the graph for the docs."""

from __future__ import annotations

from askfirst.graph.build import build_graph

_INTRO = """# The compile graph

Drawn from the code by `make docs`; a test fails when it is stale.

```mermaid
{drawing}
```
"""


def drawing() -> str:
    """The page docs/graph.md."""
    return _INTRO.format(drawing=build_graph().get_graph().draw_mermaid().strip())
