"""Lines of scripts and their answers, for the worked examples and the edges of the rules."""

from __future__ import annotations

from typing import Any

BOARD = ("flop 7c 5h 2s", "turn Kd", "river As")


def seats(numbers: Any, stack: str = "") -> str:
    return "\n".join(f"seat {n} P{n} {stack}" for n in numbers)


def choices(step: dict[str, Any]) -> dict[str, int | None]:
    return {choice["word"]: choice["least"] for choice in step["choices"]}


E15 = """
seat 1 P1 40
seat 4 P4 100
seat 6 P6 160
seat 8 P8 160
seat 9 P9
button 9
deal
6 allin
8 call
9 fold
1 call
4 call
flop Kh 7c 4d
turn 2s
river Jh
show 1 Kc Ks 9d 8c
show 4 Jd Jc Ac 3h
show 6 As 3d Qc Td
show 8 6s 5h Kd Qd
push
"""
KILL_HAND_1 = f"""
{seats(range(1, 10))}
button 2
deal
5 call
fold to 8
8 raise
fold to 5
5 call
{BOARD[0]}
5 bet
8 raise
5 call
{BOARD[1]}
5 check
8 bet
5 call
{BOARD[2]}
check around
high 8
low 8
push
"""
