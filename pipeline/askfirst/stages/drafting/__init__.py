"""What is common to drafts, whoever writes them: holding them against the catalogue, and what follows from them."""
