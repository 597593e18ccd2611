"""The stages of the compiler, each a folder: contract, scenario, blueprint, realize; authoring is the embedded author."""
