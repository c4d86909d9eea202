"""The review as a Textual app: the front door for keys, the questions, and what runs beside it.

Keys are handed out one by one and wait while a page or a dialog is being put up, or something is
being recorded: typed ahead, they act as if they had been typed slowly, and no digit of a PIN can
land on the page below.
"""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

from textual import events
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.message import Message
from textual.widgets import Input

from omaha_table.dealer.screen.textual_private import (
    NoTracebackApp,
    forget_painted,
    in_ascii,
    press_bound,
    teach_pad,
)
from omaha_table.journal.faults import Away, JournalFault
from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.ledger import not_recorded
from omaha_table.review.screens.actions import APP, bindings
from omaha_table.review.screens.dialogs import Dialog
from omaha_table.review.screens.hands import Hands
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.themes import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.await_complete import AwaitComplete
    from textual.screen import Screen

    from omaha_table.review.screens.actions import Action
    from omaha_table.review.screens.desk import Desk

T = TypeVar("T")
CHECK_AGAIN: Final = 60.0
"""Seconds from one check of the chain to the next, while a table deals on."""
WATCH_AGAIN: Final = 10.0
"""The same where the check is of what somebody else has checked: an alarm is seen soon."""
_PLAIN: Final = {
    **{f"kp_{digit}": digit for digit in "0123456789"},
    **dict.fromkeys(("add", "kp_add"), "plus"),
    **dict.fromkeys(("subtract", "kp_subtract", "hyphen"), "minus"),
    **dict.fromkeys(("multiply", "kp_multiply"), "asterisk"),
    **dict.fromkeys(("divide", "kp_divide"), "slash"),
    **dict.fromkeys(("decimal", "kp_decimal", "separator"), "full_stop"),
    **dict.fromkeys(("return", "kp_enter", "ctrl+m", "ctrl+j"), "enter"),
    **dict.fromkeys(("begin", "kp_begin"), "5"),
}
"""The pad's keys under the Kitty protocol, by the names that all other terminals have for them."""
_CHARACTERS: Final = {"plus": "+", "minus": "-", "asterisk": "*", "slash": "/", "full_stop": "."}


class Left(Exception):  # noqa: N818 - leaving a dialog is no error
    """A dialog was left, and with it all that was to follow."""


@dataclass
class KeysMayGoOn(Message):
    """Nothing has to be waited for any more."""


class Actions(Provider):
    """The command palette: all that can be done on this page, in words."""

    @property
    def _actions(self) -> tuple[Action, ...]:
        page = self.screen
        here = page.ACTIONS if isinstance(page, Page) else ()
        return (*here, *APP)

    def _run(self, action: Action) -> Callable[[], Any]:
        node = self.app if action in APP else self.screen
        return partial(self.app.run_action, action.method, node)

    async def discover(self) -> Hits:
        for action in self._actions:
            yield DiscoveryHit(action.label, self._run(action), help=action.tooltip)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action in self._actions:
            score = max(matcher.match(action.label), matcher.match(action.tooltip))
            if score:
                yield Hit(
                    score, matcher.highlight(action.label), self._run(action), help=action.tooltip
                )


class Review(NoTracebackApp, inherit_bindings=False):
    CSS_PATH = "review.tcss"
    BINDINGS = bindings(APP)
    COMMANDS: ClassVar[set[type[Provider]]] = {Actions}  # type: ignore[assignment]
    COMMAND_PALETTE_DISPLAY = "^p"

    def __init__(
        self, desk: Desk, *, letters: bool = False, plain: bool = False, light: bool = False
    ) -> None:
        super().__init__()
        teach_pad()
        self.animation_level = "none"
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = LIGHT.name if light else DARK.name
        if plain:
            in_ascii(self)
        self.desk = desk
        self.letters = letters or plain
        """Suits as letters: the terminal draws their signs two columns wide, or not at all."""
        self.said, self.level = "", "info"
        self.just_said = ""
        """What was said when the last key came."""
        self._holds, self._early = 1, list[events.Key]()
        self._deaf = False
        """While a PIN is checked, keys are not kept for later."""
        self._checking: threading.Thread | None = None
        self._checked, self._stale = 0.0, False
        """When the chain was last checked, and whether there is more by now."""

    def get_default_screen(self) -> Screen[None]:
        return Hands()

    def on_mount(self) -> None:
        self.call_after_refresh(self.let_go)
        self._check_again()
        self.set_interval(2.0, self.keep_up)
        self.set_interval(0.5, self._look_for_more)

    # The front door

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            event.stop()
            event.prevent_default()
            if not self.app_focus:
                # A browser says late, or never, that its page has the focus again.
                self.app_focus = True
            if self._deaf:
                self.bell()
                return
            self._early.append(event)
            await self.on_keys_may_go_on()
            return
        await super().on_event(event)

    def hold(self, *, deaf: bool = False) -> None:
        """Keys wait until `let_go`; or do not count until the work that follows is done."""
        self._holds += 1
        self._deaf = deaf

    def let_go(self) -> None:
        self._holds -= 1
        if not self._holds and self._early:
            self.post_message(KeysMayGoOn())

    @property
    def held(self) -> bool:
        """Whether a key is still to have its effect."""
        return bool(self._holds or self._early)

    async def on_keys_may_go_on(self) -> None:
        while self._early and not self._holds and not self.crash:
            await self._press(self._early.pop(0))

    async def _press(self, event: events.Key) -> None:
        key = _PLAIN.get(event.key, event.key)
        character = event.character if event.is_printable and event.character else ""
        if key != event.key:
            character = _CHARACTERS.get(key, key if len(key) == 1 else "")
        self.just_said = self.said
        if self.said:
            self.say("")
        screen, focused = self.screen, self.focused
        if isinstance(screen, Dialog) and screen.press(key, character):
            return
        if await press_bound(self, key, priority=True):
            return
        if character and isinstance(focused, Input):
            focused.insert_text_at_cursor(character)
        elif not await press_bound(self, key) and isinstance(screen, Page):
            self.refuse("That key does nothing here. F1 shows the keys.")
        if isinstance(screen, Dialog) and screen.is_current:
            screen.typed()

    # Pages and questions

    def go_to(self, kind: type[Page]) -> None:
        """Puts up a page of which there is one. It is made the first time and then kept, which is
        quicker, and it is as it was left."""
        if not self.is_screen_installed(kind.TITLE):
            self.install_screen(kind(), kind.TITLE)
        page = cast("Page", self.get_screen(kind.TITLE))
        page.is_stale = True
        self.enter(page)

    def enter(self, page: Page) -> None:
        """Puts up a page; keys wait until it is there."""
        self.hold()
        self.push_screen(page)
        page.call_after_refresh(self.let_go)

    def pop_screen(self) -> AwaitComplete:
        popped = super().pop_screen()
        forget_painted()
        return popped

    def leave(self) -> None:
        """Back to the page before."""
        self.pop_screen()
        self.page.edges()

    def flow(self, steps: Coroutine[Any, Any, None]) -> None:
        """Asks one thing after the other; keys wait wherever nothing is being asked."""
        self.hold()
        self.run_worker(self._flow(steps))

    async def _flow(self, steps: Coroutine[Any, Any, None]) -> None:
        try:
            await steps
        except Left:
            pass
        except OfficeRefused as refused:
            self._dropped(refused.message)
        except JournalFault as fault:
            self._dropped(not_recorded(fault))
        except Away as away:
            self._dropped(f"Nothing was recorded. {away.message}")
        finally:
            self.let_go()

    def _dropped(self, why: str) -> None:
        """Keys that waited were meant for what did not happen."""
        self._early.clear()
        self.refuse(why)

    async def ask(self, dialog: Dialog[T]) -> T:
        """What was answered; raises Left. Only inside a flow."""
        answer: asyncio.Future[T | None] = self.push_screen(dialog, wait_for_dismiss=True)
        dialog.call_after_refresh(self.let_go)
        given = await answer
        if given is None:
            raise Left
        return given

    async def work(self, job: Callable[[], T], said: str) -> T:
        """Something slow in a thread. Only inside a flow: it raises what the job raises."""
        self.say(said)
        self.desk.recording = True
        try:
            found = await asyncio.to_thread(job)
        finally:
            self._deaf = self.desk.recording = False
            self.say("")
        return found

    @property
    def page(self) -> Page:
        """The page that is seen, below whatever is asked."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, Page))

    def say(self, text: str, level: str = "info") -> None:
        self.said, self.level = text, level
        self.page.edges()

    def refuse(self, text: str) -> None:
        self.bell()
        self.say(text, "refused")

    def copy(self, text: str) -> None:
        """Into the clipboard of the terminal, if it takes it."""
        self.copy_to_clipboard(text)
        self.say(f"Copied: {text}")

    def refreshed(self) -> None:
        """What is listed may say something else now; pages below show it when they are seen."""
        for screen in self.screen_stack:
            if isinstance(screen, Page):
                screen.is_stale = True
        self.page.catch_up()

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        if event.path is None:
            self.say("Saved by the browser.")
            return
        with suppress(OSError):
            event.path.chmod(0o600)  # it has names and notes
        self.say(f"Saved as {event.path}")

    def on_delivery_failed(self, event: events.DeliveryFailed) -> None:
        why = getattr(event.exception, "strerror", None) or event.exception
        self.refuse(f"The file could not be saved: {why}.")

    # Actions of every page

    def action_help(self) -> None:
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        else:
            self.action_show_help_panel()

    def action_theme(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name
        self.refreshed()

    def action_leave(self) -> None:
        self.exit()

    # Time

    def keep_up(self) -> None:
        if self.held or not isinstance(self.screen, Page) or not self.screen.is_there:
            return
        if self.desk.keep_up():
            self._stale = True
            self.refreshed()
        again = WATCH_AGAIN if self.desk.watches else CHECK_AGAIN if self._stale else None
        if again is not None and time.monotonic() - self._checked > again:
            self._check_again()

    def _look_for_more(self) -> None:
        page = self.screen
        if self.held or not isinstance(page, Page) or not page.is_there:
            return
        if page.found_more():
            page.show_more()
        if self.desk.reading:
            page.edges()

    def _check_again(self) -> None:
        if self.desk.check is None or (self._checking is not None and self._checking.is_alive()):
            return
        self._stale, self._checked = False, time.monotonic()
        self._checking = threading.Thread(target=self._check, daemon=True)
        self._checking.start()

    def _check(self) -> None:
        """In a thread of its own; the page shows what it says once it is there."""
        assert self.desk.check is not None
        try:
            found = self.desk.check()
        except Away:
            return  # the page says that the room is away; what was found before stays
        except Exception:
            found = False, "The chain could not be checked: 'omaha-table verify' can"
        self.desk.checked(*found)
        if self.is_running:
            self.call_later(self._show_edges)

    def _show_edges(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Page):
                screen.edges()
