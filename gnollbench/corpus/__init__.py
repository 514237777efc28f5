"""What the tools read, and the tools: wikis, knowledge base, C source, game tables (R14)."""
