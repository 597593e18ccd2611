"""The stages of the compiler, a folder each; `authoring` is the embedded author, which needs no model."""
