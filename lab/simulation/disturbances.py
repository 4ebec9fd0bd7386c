"""Disturbances of moves: stray or weak magnets, and sensors that are dead, stuck or chatter."""

from __future__ import annotations

from lab.simulation.moves import clean
from lab.simulation.person import LOOK_AT_IT, Person

WAND, MARKER = "wand", "sniper"
LONGEST_OVERLAP = 150
"""Milliseconds for which two sensors may detect the same sliding miniature."""


def nudge(person: Person) -> None:
    """Up to three standing miniatures are not detected for a while; then one miniature moves."""
    standing = [unit for unit in person.facts.standing if person.hands.places.get(unit)]
    for unit in person.random.sample(standing, min(len(standing), person.random.randint(1, 3))):
        length = person.random.choice((60, 400, 2000))
        person.hands.report_opposite(str(person.hands.places[unit]), 0, person.random.randint(5, length))
        person.pause(0, 300)
    person.hands.wait(LOOK_AT_IT)
    clean(person)


def marker(person: Person) -> None:
    """The sniper's miniature is set on its space, and then a unit moves.

    Never at the moment when a neighbour is lifted, because sensors cannot distinguish that from a slide.
    """
    spaces = person.hands.free(sorted(person.facts.optional))
    for space in spaces[:1]:
        person.put(MARKER, space)
        person.pause(LONGEST_OVERLAP, 800)
    clean(person)


def wand(person: Person) -> None:
    """A spare magnet touches a space where no miniature from the box may go, and then a unit moves."""
    space = person.random.choice(person.elsewhere())
    person.put(WAND, space)
    person.pause(20, 400)
    person.lift(WAND)
    person.pause(50, 700)
    clean(person)


def weak(person: Person) -> None:
    """A weak magnet drops out a few times while another miniature moves."""
    for unit, other in [person.movers(2)] if person.movers(2) else []:
        place = str(person.hands.places[other])
        goal = person.plan_move(unit)
        if goal is None:
            return
        person.lift(unit)
        for _ in range(person.random.randint(1, 5)):
            person.hands.report_opposite(place, person.random.randint(0, 80), person.random.randint(3, 90))
            person.pause(180, 500)
        person.put(unit, goal)
        for _ in range(person.random.randint(0, 2)):
            person.hands.report_opposite(place, person.random.randint(0, 80), person.random.randint(3, 90))
            person.pause(180, 300)


def ghost(person: Person) -> None:
    """For a moment, a sensor next to the goal also detects the magnet."""
    for unit, goal in person.intended():
        person.lift(unit)
        person.pause(200, 1000)
        neighbours = person.near(goal)
        person.put(unit, goal)
        if neighbours:
            space = person.random.choice(neighbours)
            person.hands.report_opposite(space, person.random.randint(0, 20), person.random.randint(2, 50))


def dead(person: Person) -> None:
    """A free sensor is dead, and a unit slides to another space."""
    space = person.random.choice(person.anywhere())
    person.hands.break_sensor(space, down=False)
    for unit, goal in person.intended([space]):
        person.slide(unit, goal)


def stuck(person: Person) -> None:
    """A free sensor reports a miniature for some seconds while a unit moves.

    Never on a space where a miniature from the box may go, or at the moment when a neighbour is lifted, because sensors
    cannot distinguish these cases.
    """
    space = person.random.choice(person.elsewhere())
    person.hands.break_sensor(space, down=True)
    person.pause(LONGEST_OVERLAP, 2000)
    for unit, goal in person.intended([space]):
        person.carry(unit, goal)
    person.hands.wait(LOOK_AT_IT)
    person.hands.heals(space)


def chatter(person: Person) -> None:
    """A free sensor chatters for some seconds while a unit moves."""
    space = person.random.choice(person.elsewhere())
    after = 0
    while after < 4000:
        length = person.random.randint(2, 40)
        person.hands.report_opposite(space, after, length)
        after += length + person.random.randint(2, 40)
    person.hands.wait(1500, 2500)
    for unit, goal in person.intended([space]):
        person.carry(unit, goal)
    person.hands.wait(12_000)
