"""PHH hands played through the real engine into a journal of their own.

Every hand begins a game: the table is emptied, the rules and stakes of the file are set, its
players sit down, the button is placed. A hand is first played on paper, on the table as it stands;
only if the rules allow all of it, it is played into the journal. So a journal never has half a
hand. The identities of cards that nobody tabled are left behind, as at a table without a shoe.

What a new game cannot begin with is refused: a kill, a straddle, a late or dead post, a missing
small blind. A file without `_fee` is played without a fee.

The journal's own times are those of the import: they only go forward, and say when a row was
written. When a hand was played, as its file says, is a note before its start, and the exports give
that time again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.cards import CardError, parse_cards, require_distinct
from omaha_table.floor import Staff
from omaha_table.hand import Refused
from omaha_table.hand import commands as play
from omaha_table.hand.events import HandEnded, HandStarted
from omaha_table.hand.phases import Phase, Street
from omaha_table.money import MoneyError, format_dollars, parse_dollars
from omaha_table.review.exchange.phh_read import PhhError
from omaha_table.review.exchange.phh_rules import rules_for
from omaha_table.review.index.hands import IMPORTED
from omaha_table.session import Session
from omaha_table.table import TableState, commands, decide
from omaha_table.table.seating import unused_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.review.exchange.phh_read import Action, PhhHand
    from omaha_table.rules import Limit, Profile
    from omaha_table.table.commands import TableCommand

TABLE: Final = "import"
_STREETS: Final = (Street.FLOP, Street.TURN, Street.RIVER)


class Importer:
    """Takes hands one by one; the journal is made with the first that can be played."""

    def __init__(self, folder: Path, rules: Profile | None = None) -> None:
        self._folder, self._rules = folder, rules
        self._session: Session | None = None

    def take(self, hand: PhhHand) -> HandEnded:
        """Plays a hand into the journal; raises PhhError, and then nothing is written."""
        profile, limit = rules_for(hand, self._rules)
        if self._session is None:
            on_paper = Session(profile, limit).state
            _Player(hand, profile, limit, on_paper).play()
            self._session = Session.on_journal(self._folder, TABLE, profile, limit, Staff())
        player = _Player(hand, profile, limit, self._session.state)
        ended = player.play()
        for command in player.commands:
            done = self._session.do(command)
            if done.refusal is not None:
                raise PhhError(hand.where, done.refusal.message)
        return ended

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


class _Player:
    """Plays a hand on paper and keeps the commands that it took."""

    def __init__(self, hand: PhhHand, profile: Profile, limit: Limit, state: TableState) -> None:
        self.hand, self.profile, self.limit, self.state = hand, profile, limit, state
        self.commands: list[TableCommand] = []
        self.hole: dict[int, list[str]] = {seat: [] for seat in hand.seats}
        self.seen: list[Card] = []
        self.dealt = False
        self.early: list[tuple[str, TableCommand]] = []
        self.ended: HandEnded | None = None

    def play(self) -> HandEnded:
        self._set_up()
        for action in self.hand.actions:
            try:
                self._action(action)
            except (CardError, MoneyError) as error:
                raise PhhError(action.where, str(error)) from None
        where = f"{self.hand.where}, after the last action"
        self._deal(where)
        self._readings()
        hand = self.state.hand
        if hand is not None and hand.phase is not Phase.PUSH:
            raise PhhError(where, f"the hand is not finished: {_missing(self.state)}")
        self._do(where, play.Push())
        assert self.ended is not None
        return self.ended

    def _do(self, where: str, command: TableCommand) -> None:
        try:
            decision = decide(self.state, command)
        except Refused as refusal:
            raise PhhError(where, refusal.message) from None
        self.state = decision.state
        for event in decision.events:
            if isinstance(event, HandStarted):
                self._check_start(event)
            elif isinstance(event, HandEnded):
                self.ended = event
        self.commands.append(command)

    def _set_up(self) -> None:
        """A new game, with the players, stakes and button of the file."""
        hand, where = self.hand, self.hand.where
        for seat in self.state.seats:
            self._do(where, commands.Leave(seat))
        if (self.profile, self.limit) != (self.state.profile, self.state.limit):
            self._do(where, commands.ImportRules(self.profile))
        for seat, name, stack in zip(hand.seats, hand.names, hand.stacks, strict=True):
            self._do(where, commands.SeatPlayer(seat, self._unused(name), stack))
        for seat in hand.no_hand:
            self._do(where, commands.SeatPlayer(seat, self._unused(f"Seat {seat}")))
        self._do(where, commands.ImportButton(hand.button))
        self._do(where, commands.NoteDevice("import", "phh", where.rpartition("/")[2]))
        if hand.played:
            self._do(where, commands.NoteDevice(*IMPORTED, hand.played))
        self._do(where, commands.StartHand())

    def _unused(self, name: str) -> str:
        """A file may have two players of one name."""
        return unused_name((at.name for at in self.state.seats.values()), name)

    def _check_start(self, started: HandStarted) -> None:
        """The table has given everybody the place that the file has."""
        hand = self.hand
        live = dict.fromkeys(hand.seats, 0)
        for post in started.posts:
            if post.kind != "ante" and post.seat in live:
                live[post.seat] += post.amount
        if list(started.dealt) != hand.seats or started.button != hand.button:
            raise PhhError(
                hand.where, "the players or the button are not where the rules place them"
            )
        if list(live.values()) != hand.blinds:
            raise PhhError(
                hand.where, "blinds_or_straddles: not the posts of a new game by these rules"
            )

    def _action(self, action: Action) -> None:
        where, players = action.where, self.hand.players
        match action.words:
            case "d", "dh", player, cards if player in players:
                self._hole(where, players[player], cards)
            case "d", "db", cards:
                self._deal(where)
                self._board(where, cards)
            case player, "f" if player in players and action.early:
                self._act(where, play.FoldOutOfTurn(players[player]))
            case player, "f" if player in players:
                self._act(where, play.Act("fold", seat=players[player]))
            case player, "cc" if player in players:
                self._act(where, play.Act("call", seat=players[player]))
            case player, "cbr", amount if player in players:
                self._act(where, play.Act("raise", parse_dollars(amount), players[player]))
            case player, "sm" if player in players:
                self._claim(where, play.Muck(players[player]))
            case player, "sm", cards if player in players:
                seat = players[player]
                self._claim(where, play.Show(seat, self._shown(where, seat, cards)))
            case _:
                raise PhhError(where, "not an action of Omaha in PHH")

    def _act(self, where: str, command: TableCommand) -> None:
        self._deal(where)
        self._do(where, command)

    def _claim(self, where: str, command: TableCommand) -> None:
        """PHH may tell of all-in hands as soon as they lie open; the engine, after the river."""
        hand = self.state.hand
        if hand is not None and hand.phase is Phase.BOARD and len(hand.able) < 2:
            self.early.append((where, command))
        else:
            self._act(where, command)

    def _hole(self, where: str, seat: int, text: str) -> None:
        cards = [text[at : at + 2] for at in range(0, len(text), 2)]
        if self.dealt:
            raise PhhError(where, "hole cards after the betting has begun")
        if len(self.hole[seat]) + len(cards) > self.hand.hole_cards:
            raise PhhError(where, f"more than {self.hand.hole_cards} hole cards")
        self._see(*parse_cards("".join(card for card in cards if card != "??")))
        self.hole[seat] += cards

    def _deal(self, where: str) -> None:
        """The hole cards are out, once something else happens."""
        if self.dealt:
            return
        for player, seat in self.hand.players.items():
            if len(self.hole[seat]) != self.hand.hole_cards:
                raise PhhError(where, f"{player} was not dealt {self.hand.hole_cards} hole cards")
        self.dealt = True
        self._do(where, play.Deal())

    def _board(self, where: str, text: str) -> None:
        cards = parse_cards(text)
        hand = self.state.hand
        board = 0 if hand is None else len(hand.board)
        if board == 5:
            raise PhhError(where, "the board has five cards already")
        street = _STREETS[0 if board == 0 else board - 2]
        if len(cards) != street.board_cards:
            many = "three cards" if street is Street.FLOP else "one card"
            raise PhhError(where, f"the {street.word} has {many}")
        self._see(*cards)
        self._do(where, play.Board(street, cards))
        if street is Street.RIVER:
            for at, command in self.early:
                self._do(at, command)

    def _shown(self, where: str, seat: int, text: str) -> tuple[Card, ...]:
        """The cards of a tabled hand, which are those that were dealt where that is known."""
        known = [card for card in self.hole[seat] if card != "??"]
        if "??" in text or (text == "-" and len(known) != self.hand.hole_cards):
            raise PhhError(where, "a tabled hand has unknown cards")
        cards = parse_cards("".join(known) if text == "-" else text)
        dealt = parse_cards("".join(known))
        if not set(dealt) <= set(cards):
            raise PhhError(where, "the tabled cards are not those that were dealt")
        self._see(*(card for card in cards if card not in dealt))
        return cards

    def _see(self, *cards: Card) -> None:
        require_distinct([*self.seen, *cards])
        self.seen += cards

    def _readings(self) -> None:
        for text in self.hand.readings:
            where = f"{self.hand.where}, _readings ({text[:40]})"
            side, *names = text.split() or [""]
            pot = None
            if names[-2:-1] == ["pot"] and names[-1].isdecimal():
                *names, _, number = names
                pot = int(number[:3])
            seats = [self.hand.players[name] for name in names if name in self.hand.players]
            if side not in ("high", "low") or len(seats) != len(names) - names.count("none"):
                raise PhhError(where, "not a reading, such as 'high p1' or 'low none'")
            self._do(where, play.Read("high" if side == "high" else "low", tuple(seats), pot))


def differs(hand: PhhHand, ended: HandEnded) -> str:
    """How the result in a file differs from the one by the rules; empty: it does not.

    A rake that was taken elsewhere, or another house's odd chip: worth a word, no fault.
    """
    after = [ended.stacks.get(seat) for seat in hand.seats]
    won = [ended.awards.get(seat, 0) for seat in hand.seats]
    for name, told, found in (
        ("finishing_stacks", hand.finishing, after),
        ("winnings", hand.winnings, won),
    ):
        if told is not None and None not in found and told != found:
            return f"{name}: the file has {_amounts(told)}, the rules give {_amounts(found)}"
    return ""


def _amounts(cents: Sequence[Cents | None]) -> str:
    return ", ".join(format_dollars(amount or 0) for amount in cents)


def _missing(state: TableState) -> str:
    hand = state.hand
    if hand is None:
        return "its last actions are missing"
    if hand.phase is Phase.BETTING:
        return f"seat {hand.actor} is to act"
    if hand.phase is Phase.BOARD:
        return f"the {hand.street.following.word} is missing"
    return "somebody has neither tabled nor mucked"
