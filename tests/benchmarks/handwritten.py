"""The base game written by hand in plain Python: the yardstick for a kernel that plays the same rules from data.

It is what a good programmer would write who needs this one game and nothing else: hands as counts by kind, one state
machine, a list of legal actions built on demand. It has no views, no memory, no saves and no other cards. Windows are
settled: only those who hold a Nope are asked, lowest seat first. Pairs and triples may be of any title but a kitten;
whoever is robbed must hold a card; a triple names any kind.
"""

from __future__ import annotations

from random import Random

(
    ATTACK, BEARD, CATTERMELON, DEFUSE, KITTEN, FAVOR, POTATO, NOPE, RAINBOW, FUTURE, SHUFFLE, SKIP, TACOCAT,
) = range(13)  # fmt: skip
KINDS = 13
DECK = {
    ATTACK: 4, BEARD: 4, CATTERMELON: 4, FAVOR: 4, POTATO: 4, NOPE: 5, RAINBOW: 4, FUTURE: 5, SHUFFLE: 4, SKIP: 4,
    TACOCAT: 4,
}  # fmt: skip
DEFUSES = 6
SIMPLE = (ATTACK, FUTURE, SHUFFLE, SKIP)  # played without a target
COMBINABLE = tuple(kind for kind in range(KINDS) if kind != KITTEN)

# What is being asked.
MOVE, WINDOW, EXPLOSION, PLACE, GIFT, OVER = range(6)
# The first member of an action; what follows depends on it.
DRAW, PLAY, PAIR, TRIPLE, PASS, ANSWER, CHOOSE = range(7)

Action = tuple[int, ...]
"""(DRAW,), (PLAY, kind) with a victim for a Favor, (PAIR, kind, victim), (TRIPLE, kind, victim, named), (PASS,),
(ANSWER,) with a Nope or a Defuse, (CHOOSE, n)."""

_DRAW: Action = (DRAW,)
_WINDOW: list[Action] = [(PASS,), (ANSWER,)]
_PLACES: list[Action] = [(CHOOSE, place) for place in range(64)]


class Game:
    """One game. Ask `asked` and `legal()`, answer with `apply(action)` until `phase` is OVER."""

    __slots__ = (
        "alive", "asked", "current", "decisions", "discard", "hands", "living", "nopes", "owed", "pending", "phase",
        "pile", "players", "rng", "sizes", "thief", "turns", "waiting",
    )  # fmt: skip

    def __init__(self, players: int, seed: int) -> None:
        self.rng = rng = Random(seed)
        self.players = players
        spare = min(2, DEFUSES - players) if players <= 3 else DEFUSES - players
        pile = [kind for kind, count in DECK.items() for _ in range(count)] + [DEFUSE] * spare
        rng.shuffle(pile)
        self.hands = [[0] * KINDS for _ in range(players)]
        for hand in self.hands:
            hand[DEFUSE] += 1
            for _ in range(7):
                hand[pile.pop()] += 1
        pile += [KITTEN] * (players - 1)
        rng.shuffle(pile)
        self.pile = pile  # the top is the end of the list
        self.discard: list[int] = []
        self.sizes = [8] * players
        self.alive = [True] * players
        self.living = players
        self.current = 0
        self.owed = 0  # turns that attacks have left to the current player; 0 in a natural turn
        self.phase = MOVE
        self.asked = 0
        self.pending: Action = _DRAW
        self.nopes = 0
        self.waiting: list[int] = []  # who still has to answer in this window, highest seat first
        self.thief = 0
        self.turns = 0
        self.decisions = 0

    # What may be done ------------------------------------------------------------------------------------------------

    def legal(self) -> list[Action]:
        """Every action of the player asked."""
        if self.phase == MOVE:
            return self._moves()
        if self.phase == PLACE:
            return _PLACES[: len(self.pile) + 1]
        if self.phase == GIFT:
            return [(CHOOSE, kind) for kind, count in enumerate(self.hands[self.asked]) if count]
        return _WINDOW

    def _moves(self) -> list[Action]:
        you = self.current
        hand = self.hands[you]
        sizes = self.sizes
        victims = [p for p in range(self.players) if p != you and self.alive[p] and sizes[p]]
        actions: list[Action] = [_DRAW]
        actions += [(PLAY, kind) for kind in SIMPLE if hand[kind]]
        if not victims:
            return actions
        if hand[FAVOR]:
            actions += [(PLAY, FAVOR, victim) for victim in victims]
        for kind in COMBINABLE:
            count = hand[kind]
            if count >= 2:
                actions += [(PAIR, kind, victim) for victim in victims]
                if count >= 3:
                    actions += [(TRIPLE, kind, victim, named) for victim in victims for named in range(KINDS)]
        return actions

    # What happens then -----------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out one of the legal actions."""
        phase = self.phase
        if phase == MOVE:
            if action is _DRAW:
                self._draw()
            else:
                self._announce(action)
        elif phase == WINDOW:
            if action[0] == PASS:
                self._next_answer()
            else:
                self._spend(self.asked, NOPE, 1)
                self.nopes += 1
                self._open_window()
        elif phase == EXPLOSION:
            if action[0] == PASS:
                self._die()
            else:
                self._spend(self.asked, DEFUSE, 1)
                if self.pile:
                    self.phase = PLACE
                else:
                    self._put_back(0)
        elif phase == PLACE:
            self._put_back(action[1])
        else:
            self._give(self.asked, self.thief, action[1])
            self._resume()

    def _spend(self, player: int, kind: int, count: int) -> None:
        self.hands[player][kind] -= count
        self.sizes[player] -= count
        self.discard += [kind] * count

    def _give(self, giver: int, taker: int, kind: int) -> None:
        self.hands[giver][kind] -= 1
        self.sizes[giver] -= 1
        self.hands[taker][kind] += 1
        self.sizes[taker] += 1

    def _announce(self, action: Action) -> None:
        self._spend(self.current, action[1], 3 if action[0] == TRIPLE else 2 if action[0] == PAIR else 1)
        self.pending = action
        self.nopes = 0
        self._open_window()

    def _open_window(self) -> None:
        hands = self.hands
        self.waiting = [p for p in range(self.players - 1, -1, -1) if hands[p][NOPE]]
        self.phase = WINDOW
        self._next_answer()

    def _next_answer(self) -> None:
        if self.waiting:
            self.asked = self.waiting.pop()
        elif self.nopes % 2:
            self._resume()
        else:
            self._resolve(self.pending)

    def _resume(self) -> None:
        self.phase = MOVE
        self.asked = self.current

    def _resolve(self, action: Action) -> None:
        you = self.current
        if action[0] == PLAY:
            kind = action[1]
            if kind == SKIP:
                self._end_turn()
            elif kind == ATTACK:
                self._pass_turn(2 + self.owed)
            elif kind == FAVOR:
                self._ask_gift(action[2])
            else:
                if kind == SHUFFLE:
                    self.rng.shuffle(self.pile)
                self._resume()
            return
        victim = action[2]
        hand = self.hands[victim]
        if action[0] == TRIPLE:
            if hand[action[3]]:
                self._give(victim, you, action[3])
        elif self.sizes[victim]:
            place = int(self.rng.random() * self.sizes[victim])
            kind = 0
            while place >= hand[kind]:
                place -= hand[kind]
                kind += 1
            self._give(victim, you, kind)
        self._resume()

    def _ask_gift(self, victim: int) -> None:
        kinds = [kind for kind, count in enumerate(self.hands[victim]) if count]
        if len(kinds) > 1:
            self.phase = GIFT
            self.asked = victim
            self.thief = self.current
            return
        if kinds:
            self._give(victim, self.current, kinds[0])
        self._resume()

    def _draw(self) -> None:
        you = self.current
        card = self.pile.pop()
        if card != KITTEN:
            self.hands[you][card] += 1
            self.sizes[you] += 1
            self._end_turn()
        elif self.hands[you][DEFUSE]:
            self.phase = EXPLOSION
        else:
            self._die()

    def _put_back(self, place: int) -> None:
        self.pile.insert(len(self.pile) - place, KITTEN)
        self._end_turn()

    def _die(self) -> None:
        you = self.current
        cards = [kind for kind, count in enumerate(self.hands[you]) for _ in range(count)]
        self.rng.shuffle(cards)
        self.discard += cards
        self.discard.append(KITTEN)
        self.hands[you] = [0] * KINDS
        self.sizes[you] = 0
        self.alive[you] = False
        self.living -= 1
        if self.living == 1:
            self.phase = OVER
        else:
            self._pass_turn(0)

    def _end_turn(self) -> None:
        if self.owed > 1:
            self.owed -= 1
            self.turns += 1
            self._resume()
        else:
            self._pass_turn(0)

    def _pass_turn(self, owed: int) -> None:
        you = self.current
        while True:
            you = (you + 1) % self.players
            if self.alive[you]:
                break
        self.current = you
        self.owed = owed
        self.turns += 1
        self._resume()


def playout(game: Game, choices: Random) -> Game:
    """Play to the end; all legal actions are equally likely. What has no alternative is not counted as a decision."""
    random = choices.random
    while game.phase != OVER:
        actions = game.legal()
        if len(actions) > 1:
            game.decisions += 1
        game.apply(actions[int(random() * len(actions))])
    return game
