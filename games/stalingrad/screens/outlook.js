// The odds of a turn, from what everyone can see: the cards that may lie face down, and what they would do.

const CAP = 9;
const FACES = 10;

// Returns the odds of the cards that are next for the player whose turn it is: that a `danger` is among them, that all
// dangers are evaded without Aids (`unhurt`), and the `stars` to expect. Null if no cards are next. `cards` has the
// facts of every card.
export function turnOdds(view, cards) {
  const number = view.phase === "hunt" ? Math.min(view.value, view.counts.deck) : view.counts.facedown;
  const pool = unseenCards(view, cards);
  if (!number || !["hunt", "reveal"].includes(view.phase) || number > pool.length) return null;
  const chances = rollChances(view, cards);
  const dangers = pool.filter(({ kind }) => kind === "danger").map(chances);
  const hits = pool.filter(({ kind }) => kind === "target").reduce((sum, it) => sum + it.stars * chances(it), 0);
  // A target counts if it is reached: no danger before it ended the turn.
  const reached = Array.from({ length: number }, (_, before) => evadeChance(dangers, pool.length - 1, before));
  const never = dangers.map(() => 0);
  return {
    danger: 1 - evadeChance(never, pool.length, number),
    unhurt: evadeChance(dangers, pool.length, number),
    stars: (hits * reached.reduce((sum, chance) => sum + chance, 0)) / pool.length,
  };
}

// Returns the cards that no one has seen: in the deck, face down, or in a hidden hand.
function unseenCards(view, cards) {
  const held = Object.values(view.players).flatMap(({ kills, hand }) => [...kills, ...(hand ?? [])]);
  const seen = new Set([...view.discard, ...held, view.card, view.aid]);
  return Object.keys(cards)
    .filter((card) => !seen.has(card))
    .map((card) => cards[card]);
}

// Returns the function that maps a card to the chance of the roll that it demands. An Aid that was played before the
// draw adds to every Evasion roll if that ruling is off.
function rollChances(view, cards) {
  const { shoot, evade } = view.players[view.turn];
  const lasting = view.aid && view.switches["ST-R-01"] === false ? cards[view.aid].amount : 0;
  const chance = (value) => Math.max(0, Math.min(CAP, value)) / FACES;
  return ({ kind, amount }) => chance(kind === "danger" ? evade + lasting + amount : shoot + amount);
}

// Returns the chance that every danger among `number` of `size` cards is evaded; `dangers` has the chance of each. It
// sums over the number of dangers drawn (hypergeometric distribution).
function evadeChance(dangers, size, number) {
  const products = [1];
  for (const chance of dangers)
    for (let i = products.length; i > 0; i -= 1) products[i] = (products[i] ?? 0) + products[i - 1] * chance;
  const harmless = size - dangers.length;
  const sum = products.reduce((total, product, drawn) => total + product * binomial(harmless, number - drawn), 0);
  return sum / binomial(size, number);
}

function binomial(size, number) {
  if (number < 0 || number > size) return 0;
  let found = 1;
  for (let i = 1; i <= number; i += 1) found = (found * (size - number + i)) / i;
  return found;
}
