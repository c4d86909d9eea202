"""The worked examples of the rules, each computed outside this project."""

from __future__ import annotations

from typing import NamedTuple


class Split(NamedTuple):
    name: str
    policy: str
    """RT: odd chip to the high half, one each; CN: left of the button, all to the first."""
    dollars: int
    high: tuple[int, ...]
    low: tuple[int, ...]
    button: int
    unit_cents: int
    expected_cents: dict[int, int]


class Read(NamedTuple):
    board: str
    hole: str
    category: str
    ranks: tuple[int, ...]
    low: tuple[int, ...] | None


class Pots(NamedTuple):
    name: str
    put_in: dict[int, int]
    folded: tuple[int, ...]
    pots: tuple[tuple[int, tuple[int, ...]], ...]
    returned: dict[int, int]


SPLITS = (
    Split("E1", "RT", 83, (2, 7), (), 5, 100, {2: 4100, 7: 4200}),
    Split("E1", "CN", 83, (2, 7), (), 5, 100, {2: 4100, 7: 4200}),
    Split("E2", "RT", 45, (7,), (3,), 1, 100, {3: 2200, 7: 2300}),
    Split("E2", "CN", 45, (7,), (3,), 1, 100, {3: 2300, 7: 2200}),
    Split("E3", "RT", 100, (4,), (4, 8), 6, 100, {4: 7500, 8: 2500}),
    Split("E3", "CN", 100, (4,), (4, 8), 6, 100, {4: 7500, 8: 2500}),
    Split("E4", "RT", 101, (4,), (4, 8), 6, 100, {4: 7600, 8: 2500}),
    Split("E4", "CN", 101, (4,), (4, 8), 6, 100, {4: 7500, 8: 2600}),
    Split("E5", "RT", 102, (2,), (5, 9), 1, 100, {2: 5100, 5: 2600, 9: 2500}),
    Split("E5", "CN", 102, (2,), (5, 9), 1, 100, {2: 5100, 5: 2600, 9: 2500}),
    Split("E6", "RT", 104, (1,), (3, 5, 8), 9, 100, {1: 5200, 3: 1800, 5: 1700, 8: 1700}),
    Split("E6", "CN", 104, (1,), (3, 5, 8), 9, 100, {1: 5200, 3: 1800, 5: 1700, 8: 1700}),
    Split("E7", "RT", 106, (1,), (3, 5, 8), 9, 100, {1: 5300, 3: 1800, 5: 1800, 8: 1700}),
    Split("E7", "CN", 106, (1,), (3, 5, 8), 9, 100, {1: 5300, 3: 1900, 5: 1700, 8: 1700}),
    Split("E7-NJ", "CN", 106, (1,), (3, 5, 8), 9, 50, {1: 5300, 3: 1800, 5: 1750, 8: 1750}),
    Split("E8", "RT", 107, (2, 6), (3, 6, 8), 5, 100, {2: 2700, 3: 1700, 6: 4500, 8: 1800}),
    Split("E8", "CN", 107, (2, 6), (3, 6, 8), 5, 100, {2: 2700, 3: 1700, 6: 4600, 8: 1700}),
    Split("E9", "RT", 45, (4,), (4,), 1, 100, {4: 4500}),
    Split("E9", "CN", 45, (4,), (4,), 1, 100, {4: 4500}),
    Split("E10", "RT", 93, (7,), (2, 4, 7), 1, 100, {2: 1600, 4: 1500, 7: 6200}),
    Split("E10", "CN", 93, (7,), (2, 4, 7), 1, 100, {2: 1700, 4: 1500, 7: 6100}),
    Split("E11", "RT", 57, (2, 5), (8,), 6, 100, {2: 1500, 5: 1400, 8: 2800}),
    Split("E11", "CN", 57, (2, 5), (8,), 6, 100, {2: 1400, 5: 1400, 8: 2900}),
    Split("E12", "RT", 315, (2,), (5,), 3, 500, {2: 16000, 5: 15500}),
    Split("E12", "CN", 315, (2,), (5,), 3, 500, {2: 15500, 5: 16000}),
    Split("E13", "RT", 80, (2,), (2, 5), 1, 100, {2: 6000, 5: 2000}),
    Split("E13", "CN", 80, (2,), (2, 5), 1, 100, {2: 6000, 5: 2000}),
    Split("E14", "RT", 120, (2,), (2, 5), 1, 100, {2: 9000, 5: 3000}),
    Split("E14", "CN", 120, (2,), (2, 5), 1, 100, {2: 9000, 5: 3000}),
    Split("E16-main", "RT", 155, (1,), (4, 6), 9, 100, {1: 7800, 4: 3900, 6: 3800}),
    Split("E16-main", "CN", 155, (1,), (4, 6), 9, 100, {1: 7800, 4: 3900, 6: 3800}),
    Split("E21-7", "RT", 9, (2,), (5,), 1, 100, {2: 500, 5: 400}),
    Split("E21-7", "CN", 9, (2,), (5,), 1, 100, {2: 500, 5: 400}),
    Split("E21-4", "RT", 11, (2,), (5,), 1, 100, {2: 600, 5: 500}),
    Split("E21-4", "CN", 11, (2,), (5,), 1, 100, {2: 600, 5: 500}),
)

READS = (
    Read("As Ks Qs Js 2d", "Ts 9d 8d 7c", "straight", (13,), None),
    Read("Ts Js Qs Ks 2h", "As 9s 2c 2d", "flush", (14, 13, 12, 11, 9), None),
    Read("9h 9c 9d 9s Kd", "As Ac 2d 3d", "full house", (9, 14), None),
    Read("5h 5c 5d Ks 2s", "5s As Kd Qc", "quads", (5, 14), None),
    Read("Ah 2c 7d Ks 9s", "As 2d 5h 6c", "two pair", (14, 2, 13), (7, 6, 5, 2, 1)),
    Read("8h 8c 7d 6s 2s", "As 3d Qh Qc", "two pair", (12, 8, 7), (7, 6, 3, 2, 1)),
    Read("8h 8c 7d 6s Ks", "As 3d Qh Qc", "two pair", (12, 8, 13), (8, 7, 6, 3, 1)),
    Read("Kh Qc 9d 4s 2s", "As 3d Ah 5c", "pair", (14, 13, 12, 9), None),
    Read("2h 3c 4d Kc Qh", "As 5d Kd Kh", "straight", (5,), (5, 4, 3, 2, 1)),
    Read("3h 4h 5h 9c Kd", "Ah 2h 6h 7c Qs", "straight flush", (6,), (5, 4, 3, 2, 1)),
    Read("Kh 7c 4d 2s Jh", "Kc Ks 9d 8c", "trips", (13, 11, 7), None),
    Read("Kh 7c 4d 2s Jh", "Jd Jc Ac 3h", "trips", (11, 13, 7), (7, 4, 3, 2, 1)),
    Read("Kh 7c 4d 2s Jh", "As 3d Qc Td", "high card", (14, 13, 12, 11, 7), (7, 4, 3, 2, 1)),
    Read("Kh 7c 4d 2s Jh", "6s 5h Kd Qd", "pair", (13, 12, 11, 7), (7, 6, 5, 4, 2)),
    Read("Ah Kh Qh 2c 3d", "Jh Ts 9s 8s 4d", "straight", (14,), (8, 4, 3, 2, 1)),
)

POTS = (
    Pots(
        "E15",
        {1: 4000, 4: 10000, 6: 16000, 8: 16000},
        (),
        ((16000, (1, 4, 6, 8)), (18000, (4, 6, 8)), (12000, (6, 8))),
        {},
    ),
    Pots("E17", {1: 4000, 6: 16000, 8: 16000}, (), ((12000, (1, 6, 8)), (24000, (6, 8))), {}),
    Pots(
        "E18",
        {2: 2500, 3: 2500, 5: 900, 7: 1600, 8: 2500},
        (2, 7),
        ((4500, (3, 5, 8)), (5500, (3, 8))),
        {},
    ),
    Pots("E19", {3: 500, 7: 1200}, (), ((1000, (3, 7)),), {7: 700}),
    Pots("E20", {1: 200, 2: 400, 5: 800}, (1, 2), ((1000, (5,)),), {5: 400}),
)

BIG_O_FEES = (
    # hands dealt, flop dealt, fee in cents
    (2, True, 300),
    (3, True, 300),
    (4, True, 300),
    (5, True, 400),
    (6, True, 400),
    (7, True, 500),
    (8, True, 500),
    (8, False, 0),
)

MAX_HANDS = {4: 11, 5: 8, 6: 7}
