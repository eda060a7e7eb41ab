"""Slow, plain references in double precision, written from the formulas."""
