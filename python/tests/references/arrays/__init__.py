"""References on numpy arrays in double, by loops; nothing is shared with the package."""
