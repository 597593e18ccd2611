"""How incidents become seeds: reading, importing and asking for them, and what is held against one."""
