"""The actions of people with miniatures: moves with one or several, corrections and mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lab.simulation.person import LOOK_AT_IT, Person


def clean(person: Person) -> None:
    """One move: lift, carry, set down."""
    for unit, goal in person.intended():
        person.carry(unit, goal)


def slide(person: Person) -> None:
    """One move over one to four sensors on the way."""
    for unit, goal in person.intended():
        person.slide(unit, goal)


def hover(person: Person) -> None:
    """Hold a miniature over the goal and touch it a few times before setting it down."""
    for unit, goal in person.intended():
        person.lift(unit)
        for _ in range(person.random.randint(1, 4)):
            person.pause(30, 900)
            person.put(unit, goal)
            # Shorter than a miniature needs to come to rest.
            person.pause(3, 60)
            person.lift(unit)
        person.pause(30, 600)
        person.put(unit, goal)


def again(person: Person) -> None:
    """Set a miniature down elsewhere for a moment, then on its goal or back."""
    for unit in person.movers(1):
        home = str(person.hands.places[unit])
        person.lift(unit)
        for _ in range(person.random.randint(1, 2)):
            person.pause(150, 800)
            person.put(unit, person.random.choice(person.near(home, 3) or person.anywhere()))
            person.pause(5, 60)
            person.lift(unit)
        person.pause(100, 800)
        if person.random.random() < 0.5:
            person.put(unit, home)
        elif (goal := person.plan_move(unit)) is not None:
            person.put(unit, goal)
        else:
            person.put(unit, home)


def quick(person: Person) -> None:
    """Two or three moves in quick succession."""
    for _ in range(person.random.randint(2, 3)):
        for unit, goal in person.intended():
            person.lift(unit)
            person.pause(160, 600)
            person.put(unit, goal)
            # Often shorter than the first miniature needs to come to rest.
            person.pause(20, 130)


def both_hands(person: Person) -> None:
    """Two moves at once, with miniatures of different looks."""
    _two_movers(person, alike=False)


def squad_mates(person: Person) -> None:
    """Two moves at once, with miniatures of the same look."""
    _two_movers(person, alike=True)


def _two_movers(person: Person, alike: bool) -> None:
    units = person.movers(2, alike)
    goals: list[str] = []
    for unit in units:
        if (goal := person.plan_move(unit, goals)) is not None:
            goals.append(goal)
    for unit in units[: len(goals)]:
        person.lift(unit)
        person.pause(0, 400)
    person.pause(100, 600)
    for unit, goal in zip(units, goals, strict=False):
        person.put(unit, goal)
        person.pause(0, 700)


def _take_up(person: Person, units: Iterable[str]) -> None:
    for unit in units:
        person.lift(unit)
        person.pause(0, 300)


def _set_down(person: Person, units: Iterable[str], spaces: Iterable[str]) -> None:
    for unit, space in zip(units, spaces, strict=True):
        person.put(unit, space)
        person.pause(50, 500)


def think_twice(person: Person) -> None:
    """Lift two miniatures at once and set both back."""
    units = person.movers(2)
    homes = [str(person.hands.places[unit]) for unit in units]
    _take_up(person, units)
    person.pause(50, 800)
    _set_down(person, units, homes)


def swap(person: Person) -> None:
    """Swap two miniatures, which is not a move; after the correction, move one of them."""
    units = person.movers(2, alike=False)
    homes = [str(person.hands.places[unit]) for unit in units]
    _take_up(person, units)
    person.pause(100, 500)
    _set_down(person, units, homes[::-1])
    person.settle()
    for unit in units[:1]:
        if (goal := person.plan_move(unit)) is not None:
            person.carry(unit, goal)


def round_about(person: Person) -> None:
    """Move a miniature to a space that another one has just left."""
    for unit in person.movers(1):
        left = str(person.hands.places[unit])
        goal = person.plan_move(unit)
        if goal is None:
            return
        person.carry(unit, goal)
        person.pause(30, 700)
        others = [other for other in person.facts.goals if left in person.goals(other) and other != unit]
        others = [
            other for other in others if person.hands.places.get(other) and person.moves[person.facts.groups[other]] > 0
        ]
        for other in others[:1]:
            person.intend(other, left)
            person.carry(other, left)


def push(person: Person) -> None:
    """The moving hand pushes another miniature to the next space."""
    for unit, other in [person.movers(2)] if person.movers(2) else []:
        aside = person.near(str(person.hands.places[other]))
        goal = person.plan_move(unit, aside)
        if goal is None:
            return
        person.lift(unit)
        person.pause(200, 900)
        if aside:
            person.lift(other)
            person.pause(5, 70)
            person.put(other, person.random.choice(aside))
            person.pause(150, 700)
        person.put(unit, goal)


def shove(person: Person) -> None:
    """A sliding miniature pushes another one off its space, stays there for a moment, and goes on."""
    for unit in person.movers(1):
        home = str(person.hands.places[unit])
        neighbours = [other for other in person.felt() if person.hands.places[other] in person.facts.near[home]]
        if not neighbours or (goal := person.plan_move(unit)) is None:
            return
        other = person.random.choice(neighbours)
        place = str(person.hands.places[other])
        aside = [space for space in person.near(place) if space != goal]
        person.lift(unit)
        if aside:
            person.pause(20, 100)
            person.lift(other)
            # The other one leaves its sensor just before the sliding one reaches it.
            person.pause(3, 60)
            person.put(unit, place)
            person.pause(0, 60)
            person.put(other, person.random.choice(aside))
            person.pause(20, 60)
            person.lift(unit)
        person.pause(20, 300)
        person.put(unit, goal)


def drag(person: Person) -> None:
    """A miniature that slides to its goal pushes another one to the next space, on the way or next to the goal."""
    for unit, other in [person.movers(2)] if person.movers(2) else []:
        place = str(person.hands.places[other])
        goals = [goal for goal in person.goals(unit) if goal in person.bordering(place)] or person.goals(unit)
        goal = person.random.choice(goals)
        aside = [space for space in person.hands.free(person.bordering(place)) if space != goal]
        person.intend(unit, goal)
        person.lift(unit)
        person.pause(40, 900)
        last = person.random.random() < 0.5
        if last:
            person.put(unit, goal)
            person.pause(0, 60)
        if aside:
            person.lift(other)
            person.put(other, person.random.choice(aside))
        if not last:
            # On its way, the sliding miniature is detected where the other one stood.
            person.hands.report_opposite(place, person.random.randint(0, 10), person.random.randint(20, 55))
            person.pause(40, 140)
            person.put(unit, goal)


def chain(person: Person) -> None:
    """With two miniatures in the air, the first moves to the space of the second, which moves elsewhere."""
    for unit, other in [person.movers(2, alike=False)] if person.movers(2, alike=False) else []:
        left = str(person.hands.places[unit])
        adjacent = left in person.facts.near[str(person.hands.places[other])]
        if not adjacent or (goal := person.plan_move(unit)) is None:
            return
        for miniature in person.random.sample([unit, other], 2):
            person.lift(miniature)
            person.pause(100, 900)
        person.intend(other, left)
        person.put(other, left)
        person.pause(100, 2500)
        person.put(unit, goal)


def deploy_meanwhile(person: Person) -> None:
    """While a miniature is in the air, set one from the box on a space where the first could not go; then end the
    move."""
    for unit in person.movers(1):
        goal = person.plan_move(unit)
        if goal is None:
            return
        person.lift(unit)
        person.pause(200, 1200)
        _from_the_box(person, {*person.facts.goals[unit]} | person.facts.optional)
        person.pause(300, 2000)
        person.put(unit, goal)


def wrong_piece(person: Person) -> None:
    """Lift a wrong miniature and set it back; then move the right one."""
    units = person.movers(2)
    if units:
        home = str(person.hands.places[units[0]])
        person.lift(units[0])
        person.pause(100, 2500)
        person.put(units[0], home)
        person.pause(20, 500)
        if (goal := person.plan_move(units[1])) is not None:
            person.carry(units[1], goal)


def wrong_space(person: Person) -> None:
    """Set a miniature down on an illegal space; correct it when the table asks."""
    for unit in person.movers(1):
        places = [space for space in person.anywhere() if space not in person.facts.allowed(unit)]
        # Mostly a legal move was intended, which the correction then leads to.
        if person.random.random() < 0.7:
            person.plan_move(unit)
        person.carry(unit, person.random.choice(places))


def late_removal(person: Person) -> None:
    """Remove a unit on the screen, but take its miniature off only after another move."""
    units = [unit for unit in person.facts.standing if person.hands.places.get(unit)]
    gone = person.random.choice(units)
    if person.hands.on_screen(person.hands.table.removal_of(gone)):
        person.moves[person.facts.groups[gone]] -= 1
        person.pause(100, 3000)
        clean(person)
        person.hands.wait(LOOK_AT_IT)


def deploy(person: Person) -> None:
    """Set a miniature from the box down."""
    _from_the_box(person, person.facts.optional)


def _from_the_box(person: Person, occupied: Collection[str]) -> None:
    off = [unit for unit in person.facts.goals if person.facts.standing[unit] is None and person.goals(unit)]
    off = [
        unit for unit in off if person.hands.places.get(unit) is None and person.moves[person.facts.groups[unit]] > 0
    ]
    if off:
        unit = person.random.choice(off)
        if (goal := person.plan_move(unit, occupied)) is not None:
            person.put(unit, goal)


def on_screen(person: Person) -> None:
    """Move on the screen; then the miniature follows."""
    for unit in person.movers(1):
        to = person.random.choice(person.goals(unit))
        person.hands.on_screen(person.facts.legal[unit, to].command)


def end_in_air(person: Person) -> None:
    """End the turn on the screen while a miniature is in the air; then set it down."""
    for unit in person.movers(1):
        goal = person.random.choice(person.goals(unit))
        person.lift(unit)
        person.pause(100, 1500)
        if person.hands.end_turn():
            person.pause(50, 1500)
        else:
            person.intend(unit, goal)
        person.put(unit, goal)


def not_their_turn(person: Person) -> None:
    """Move miniatures in the sniper's turn."""
    if not person.hands.end_turn():
        return
    person.pause(100, 1000)
    standing = person.felt()
    for unit in person.random.sample(standing, min(len(standing), person.random.randint(1, 2))):
        person.carry(unit, person.random.choice(person.near(str(person.hands.places[unit]), 2) or person.anywhere()))
        person.pause(50, 900)


def sleeve(person: Person) -> None:
    """A sleeve pushes up to six miniatures to the next spaces, one after another."""
    standing = [unit for unit in person.facts.standing if person.hands.places.get(unit)]
    first = person.random.choice(standing)
    home = person.hands.places[first]
    # A sleeve reaches the nearest ones first.
    standing.sort(key=lambda unit: person.facts.steps(home, person.hands.places[unit]))
    for unit in standing[: person.random.randint(3, 6)]:
        aside = person.near(str(person.hands.places[unit]))
        if aside:
            person.lift(unit)
            person.pause(10, 70)
            person.put(unit, person.random.choice(aside))
            person.pause(0, 60)


def scramble(person: Person) -> None:
    """Take several miniatures off together and set them down anywhere."""
    standing = [unit for unit in person.facts.standing if person.hands.places.get(unit)]
    units = person.random.sample(standing, min(len(standing), person.random.randint(4, 6)))
    _take_up(person, units)
    person.pause(100, 600)  # a hand needs at least that long to set another miniature down
    for unit in units:
        person.put(unit, person.random.choice(person.anywhere()))
        person.pause(50, 600)
