"""News: every event once, for everybody, redacted when it is read. The past is a chain shared between copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernel.state import Data


class NewsItem:
    """One event. `masks` say who may know each card; `private` who may know `secret`."""

    __slots__ = ("prev", "n", "event", "by", "cards", "masks", "src", "dst", "data", "secret", "private", "redacted")

    def __init__(
        self,
        prev: NewsItem | None,
        n: int,
        event: str,
        by: int,
        cards: tuple[str, ...],
        masks: tuple[int, ...],
        src: int,
        dst: int,
        data: tuple[tuple[str, Any], ...],
        secret: tuple[tuple[str, Any], ...],
        private: int,
    ) -> None:
        self.prev = prev
        self.n = n
        self.event = event
        self.by = by
        self.cards = cards
        self.masks = masks
        self.src = src
        self.dst = dst
        self.data = data
        self.secret = secret
        self.private = private
        self.redacted: dict[int, NewsItem] | None = None  # this item and its past as one player knows them


def tell(
    s: Data,
    event: str,
    by: int = -1,
    cards: tuple[str, ...] = (),
    masks: tuple[int, ...] = (),
    src: int = -1,
    dst: int = -1,
    data: tuple[tuple[str, Any], ...] = (),
    secret: tuple[tuple[str, Any], ...] = (),
    private: int = 0,
) -> None:
    """An event happens: the version counts it, and it is written down unless the game is played quietly."""
    s.version += 1
    if not s.telling:
        return
    s.told = s.version
    s.news_tail = NewsItem(s.news_tail, s.version, event, by, cards, masks, src, dst, data, secret, private)


def collect(s: Data, since: int) -> list[NewsItem]:
    """The items after number `since`, oldest first."""
    items: list[NewsItem] = []
    item = s.news_tail
    while item is not None and item.n > since:
        items.append(item)
        item = item.prev
    return items[::-1]


def zone_label(s: Data, index: int) -> Any:
    """A zone as events name it: its name, or [name, player]."""
    if index < 0:
        return None
    name = s.book.zones[s.seats.definition[index]].name
    owner = s.seats.owner[index]
    return name if owner < 0 else [name, owner]


def render(s: Data, item: NewsItem, player: int) -> dict[str, Any]:
    """The event as JSON-able data for a player (-1: a spectator)."""
    bit = 1 << (player if player >= 0 else s.players)
    entry: dict[str, Any] = {"n": item.n, "event": item.event}
    if item.by >= 0:
        entry["by"] = item.by
    if item.cards:
        entry["cards"] = [text if mask & bit else "unknown" for text, mask in zip(item.cards, item.masks, strict=True)]
    if item.src >= 0:
        entry["from"] = zone_label(s, item.src)
    if item.dst >= 0:
        entry["to"] = zone_label(s, item.dst)
    for key, value in item.data:
        entry[key] = value
    if item.secret and item.private & bit:
        for key, value in item.secret:
            entry[key] = value
    return entry


def seal(s: Data, item: NewsItem | None, player: int) -> NewsItem | None:
    """The chain as this player knows it: what the player may not know is not in it any more."""
    bit = 1 << player
    kept = bit | 1 << s.players  # what is public stays so
    todo: list[NewsItem] = []
    done: NewsItem | None = None
    while item is not None:
        if item.redacted is not None and player in item.redacted:
            done = item.redacted[player]
            break
        todo.append(item)
        item = item.prev
    for item in reversed(todo):
        cards = tuple(t if m & bit else "unknown" for t, m in zip(item.cards, item.masks, strict=True))
        masks = tuple(m & kept for m in item.masks)
        shown = bool(item.private & bit)
        done = NewsItem(
            done,
            item.n,
            item.event,
            item.by,
            cards,
            masks,
            item.src,
            item.dst,
            item.data,
            item.secret if shown else (),
            item.private & kept,
        )
        if item.redacted is None:
            item.redacted = {}
        item.redacted[player] = done
    return done
