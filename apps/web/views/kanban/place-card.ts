/** The numbers to write so that a card stands where it was dropped. */
export interface Placing {
  readonly value: number;
  /** Other cards that must make room, each group with one number. */
  readonly shifts: readonly { readonly ids: readonly number[]; readonly value: number }[];
}

interface PlaceSpec {
  /** Cards in their order, without the moved one. */
  readonly order: readonly number[];
  /** Where it goes. */
  readonly index: number;
  readonly numberOf: (id: number) => number;
  /** The least number that the field takes. */
  readonly min?: number | undefined;
}

/**
 * Cards that are not loaded come after those that are, so room is made before the card, where everything is known; only a
 * field that takes no lower numbers makes room after it.
 */
export function placeCard({ order, index, numberOf, min }: PlaceSpec): Placing {
  const before = order.slice(0, index).map((id) => ({ id, value: numberOf(id) }));
  const after = order.slice(index).map((id) => ({ id, value: numberOf(id) }));
  const [next] = after;
  const last = before.at(-1);
  if (!next) return { value: last ? last.value + 1 : 0, shifts: [] };
  if (!last) {
    if (min === undefined || next.value - 1 >= min) return { value: next.value - 1, shifts: [] };
    return { value: min, shifts: makeRoom(after, min, 1) };
  }
  if (next.value - last.value > 1) return { value: Math.floor((last.value + next.value) / 2), shifts: [] };
  const value = next.value - 1;
  const shifts = makeRoom(before.reverse(), value, -1);
  if (min === undefined || shifts.every((shift) => shift.value >= min)) return { value, shifts };
  return { value: last.value + 1, shifts: makeRoom(after, last.value + 1, 1) };
}

/** Cards away from the moved one, nearest first: those with equal numbers keep equal numbers, and so their order. */
function makeRoom(
  cards: readonly { readonly id: number; readonly value: number }[],
  from: number,
  step: 1 | -1,
): Placing['shifts'] {
  const shifts: { ids: number[]; value: number }[] = [];
  let taken = from;
  for (let at = 0; at < cards.length; ) {
    const { value } = cards[at] as { value: number };
    const isFree = step > 0 ? value > taken : value < taken;
    if (isFree) break;
    const ids: number[] = [];
    for (; at < cards.length && cards[at]?.value === value; at++) ids.push((cards[at] as { id: number }).id);
    taken += step;
    shifts.push({ ids, value: taken });
  }
  return shifts;
}
