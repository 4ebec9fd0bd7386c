"""Devices that tests pass on: a page with a warm cache and process loads in half of a new one's CPU time.

What a test has done to a device is undone. If that cannot be undone, the device is closed instead.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from playwright.sync_api import Browser, BrowserContext, Error, Page

from tools.tour import PATIENCE

MOST = 6
"""Devices that wait for the next test in each worker. Each is a process."""
FORGET = "localStorage.clear(); sessionStorage.clear(); window.name = ''"
LASTING = (
    "emulate_media",
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "once",
    "set_extra_http_headers",
)
"""What a test can do to a page or its context that outlasts the page."""

_changed: WeakSet[BrowserContext] = WeakSet()
_undo: list[Callable[[], None]] = []
"""What takes back what a test has done to its devices."""
_lent: list[Device] = []
_waiting: list[Device] = []


def _context(thing: Page | BrowserContext) -> BrowserContext:
    return thing.context if isinstance(thing, Page) else thing


def _noted(real: Callable[..., Any]) -> Callable[..., Any]:
    def note(thing: Page | BrowserContext, *args: Any, **more: Any) -> Any:
        _changed.add(_context(thing))
        return real(thing, *args, **more)

    return note


def _undone(real: Callable[..., Any], undo: Callable[..., None]) -> Callable[..., Any]:
    """Return a method that `undo` undoes. It gets the page or context, what the method returned, and the arguments."""

    def do(thing: Page | BrowserContext, *args: Any, **more: Any) -> Any:
        result = real(thing, *args, **more)
        _undo.append(lambda: undo(thing, result, *args))
        return result

    return do


def _unroute(thing: Page | BrowserContext, *_: Any) -> None:
    thing.unroute_all(behavior="ignoreErrors")


for kind in (Page, BrowserContext):
    kind.on = _undone(kind.on, lambda thing, _, *args: thing.remove_listener(*args))  # type: ignore[method-assign]
    kind.route = _undone(kind.route, _unroute)  # type: ignore[method-assign]
    kind.add_init_script = _undone(kind.add_init_script, lambda _, script, *__: script.close())  # type: ignore[method-assign]
    for name in LASTING:
        if real := getattr(kind, name, None):
            setattr(kind, name, _noted(real))
    kind.clock = property(_noted(kind.clock.fget))  # type: ignore[attr-defined, method-assign, assignment]

_set_offline, _new_session = BrowserContext.set_offline, BrowserContext.new_cdp_session
BrowserContext.set_offline = _undone(_set_offline, lambda thing, *_: _set_offline(thing, False))  # type: ignore[method-assign]
BrowserContext.new_cdp_session = _undone(_new_session, lambda _, session, *__: session.detach())  # type: ignore[method-assign]


class Device:
    """A browser of its own with one page, whose errors it collects."""

    def __init__(self, browser: Browser, traits: dict[str, Any]) -> None:
        self.traits = traits
        context = browser.new_context(**traits)
        context.set_default_timeout(PATIENCE)  # also for the windows that its pages open
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        _undo.pop()
        _changed.discard(context)

    def forgets(self) -> bool:
        """Forget all that it has done; return whether it is as new."""
        page, context = self.page, self.page.context
        if context in _changed or context.pages != [page]:
            return False
        try:
            if page.url != "about:blank":
                page.evaluate(FORGET)
                page.mouse.move(0, 0)
                page.goto("about:blank")
        except Error:  # on the page of an error
            return False
        context.clear_cookies()
        return True


def borrow(browser: Browser, size: tuple[int, int], script: str, traits: dict[str, Any]) -> Device:
    """Return a device without data. `script` runs first in each page."""
    same = (device for device in reversed(_waiting) if device.traits == traits)
    if device := next(same, None):
        _waiting.remove(device)
        device.faults = []
    else:
        device = Device(browser, traits)
    # A blank page has no storage for the script.
    device.page.context.add_init_script(f'if (location.href !== "about:blank") {{\n{script}\n}}')
    device.page.set_viewport_size({"width": size[0], "height": size[1]})
    _lent.append(device)
    return device


def give_back(browser: Browser) -> None:
    """Let the latest unchanged devices wait for the next test, and close everything else."""
    while _undo:
        with suppress(Error):  # it is closed
            _undo.pop()()
    _waiting.extend(device for device in _lent if device.forgets())
    _lent.clear()
    del _waiting[:-MOST]
    kept = {device.page.context for device in _waiting}
    for context in set(browser.contexts) - kept:
        context.close()
