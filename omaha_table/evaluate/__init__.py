"""Evaluates Omaha hands: the best high and the best low of exactly two hole cards and three board
cards. Hands are integers to compare; the five cards and the name come on demand."""

from omaha_table.evaluate.classes import Category, HighClass, high_class
from omaha_table.evaluate.reader import read_hands
from omaha_table.evaluate.words import describe_high, describe_low, high_cards, low_cards

__all__ = [
    "Category",
    "HighClass",
    "describe_high",
    "describe_low",
    "high_cards",
    "high_class",
    "low_cards",
    "read_hands",
]
