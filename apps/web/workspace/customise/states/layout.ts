import type { CustomiseStatesData, CustomStatesData } from '@kontor/protocol';

export const box = { width: 140, height: 56 } as const;
const gap = { x: 116, y: 108, lane: 34 } as const;
const margin = { x: 56, y: 96 } as const;

export interface PlacedState {
  readonly value: string;
  readonly x: number;
  readonly y: number;
}

export interface Arrow {
  readonly key: string;
  /** The index of its move. */
  readonly move: number;
  readonly path: string;
  /** The middle of its label. */
  readonly x: number;
  readonly y: number;
}

interface Picture {
  readonly states: readonly PlacedState[];
  readonly arrows: readonly Arrow[];
  readonly width: number;
  readonly height: number;
  /** How far everything is moved down, so that the lanes above are seen. */
  readonly top: number;
}

type Moves = CustomiseStatesData['moves'];

/** Where each state and move is in the picture: states in the order in which records reach them, those of abandoned records in a row below. */
export function layOut(
  states: CustomiseStatesData['states'],
  moves: Moves,
  places: CustomStatesData['places'] = [],
): Picture {
  const known = new Map(places.map((place) => [place.state, place]));
  const order = reached(states, moves);
  const main = order.filter(({ isAbandoned }) => !isAbandoned);
  const second = margin.y + box.height + 56 + lanesBelow(main, moves) * gap.lane;
  const placed = order.map(({ value, isAbandoned }, index): PlacedState => {
    const column = isAbandoned ? index : main.findIndex((each) => each.value === value);
    const at = known.get(value);
    if (at) return { value, x: at.x, y: at.y };
    const x =
      margin.x + Math.max(0, isAbandoned ? Math.min(column, main.length - 1) - 1 : column) * (box.width + gap.x);
    return { value, x, y: isAbandoned ? second : margin.y };
  });
  const placedStates = apart(placed, known);
  const arrows = arrowsOf(placedStates, moves);
  const right = Math.max(0, ...placedStates.map(({ x }) => x + box.width), ...arrows.map(({ x }) => x + 60));
  const bottom = Math.max(0, ...placedStates.map(({ y }) => y + box.height), ...arrows.map(({ y }) => y + 20));
  const top = Math.max(0, 28 - Math.min(...arrows.map(({ y }) => y), 28));
  return { states: placedStates, arrows, width: right + margin.x, height: bottom + top + 48, top };
}

/** How many arrows run below the first row: back, to abandoned states and from them. */
function lanesBelow(main: CustomiseStatesData['states'], moves: Moves): number {
  const column = new Map(main.map(({ value }, index) => [value, index]));
  const isForward = (from: string, to: string) =>
    (column.get(to) ?? -1) > (column.get(from) ?? Number.MAX_SAFE_INTEGER);
  return moves.flatMap(({ from, to }) => from.filter((each) => !isForward(each, to))).length;
}

/** States that nobody placed do not cover each other. */
function apart(placed: readonly PlacedState[], known: ReadonlyMap<string, unknown>): readonly PlacedState[] {
  const done: PlacedState[] = [];
  for (const state of [...placed].sort((a, b) => Number(known.has(b.value)) - Number(known.has(a.value)))) {
    let { x } = state;
    while (
      !known.has(state.value) &&
      done.some((each) => Math.abs(each.x - x) < box.width + 20 && Math.abs(each.y - state.y) < box.height + 20)
    )
      x += box.width + gap.x;
    done.push({ ...state, x });
  }
  return done;
}

function reached(states: CustomiseStatesData['states'], moves: Moves): CustomiseStatesData['states'] {
  const byValue = new Map(states.map((state) => [state.value, state]));
  const seen = new Set(states.filter(({ isInitial }) => isInitial).map(({ value }) => value));
  for (const value of seen) for (const { from, to } of moves) if (from.includes(value) && byValue.has(to)) seen.add(to);
  for (const { value } of states) seen.add(value);
  return [...seen].flatMap((value) => byValue.get(value) ?? []);
}

interface Line {
  readonly key: string;
  readonly move: number;
  readonly from: PlacedState;
  readonly to: PlacedState;
}

function arrowsOf(states: readonly PlacedState[], moves: Moves): readonly Arrow[] {
  const at = new Map(states.map((state) => [state.value, state]));
  const lines = moves.flatMap(({ name, from, to }, move): Line[] =>
    from.flatMap((each) => {
      const [start, end] = [at.get(each), at.get(to)];
      return start && end ? [{ key: `${name} ${each}`, move, from: start, to: end }] : [];
    }),
  );
  const straight = new Set<string>();
  const lanes = new Map<string, number>();
  const ports = new Map<string, number>();
  /** The next free place on the side of a state. */
  const port = (state: PlacedState, side: 'top' | 'bottom'): number => {
    const key = `${state.value} ${side}`;
    const index = ports.get(key) ?? 0;
    ports.set(key, index + 1);
    const offset = (index % 2 === 0 ? 1 : -1) * Math.ceil(index / 2) * 22;
    return state.x + box.width / 2 + Math.max(-54, Math.min(54, offset));
  };
  const lane = (key: string): number => {
    const index = lanes.get(key) ?? 0;
    lanes.set(key, index + 1);
    return index;
  };
  return lines.map((line): Arrow => {
    const { key, move, from, to } = line;
    const pair = `${from.value} ${to.value}`;
    const isNext = Math.abs(to.y - from.y) < 8 && to.x > from.x && !isBetween(states, from, to) && !straight.has(pair);
    if (isNext) {
      straight.add(pair);
      const y = from.y + box.height / 2;
      const [start, end] = [from.x + box.width, to.x];
      return { key, move, path: `M${start} ${y}H${end - 3}`, x: (start + end) / 2, y };
    }
    if (Math.abs(to.y - from.y) < box.height) {
      // Forward over the states, back below them.
      const side = to.x > from.x ? 'top' : 'bottom';
      const index = lane(`${side} ${Math.round(from.y / 60)}`);
      const edge = (state: PlacedState) => (side === 'top' ? state.y : state.y + box.height);
      const y =
        side === 'top'
          ? Math.min(from.y, to.y) - 32 - index * gap.lane
          : Math.max(edge(from), edge(to)) + 32 + index * gap.lane;
      const [start, end] = [port(from, side), port(to, side)];
      return { key, move, path: elbow(start, edge(from), y, end, edge(to)), x: (start + end) / 2, y };
    }
    const isDown = to.y > from.y;
    const upper = Math.min(from.y, to.y);
    const index = lane(`bottom ${Math.round(upper / 60)}`);
    const [start, end] = [port(from, isDown ? 'bottom' : 'top'), port(to, isDown ? 'top' : 'bottom')];
    const [y1, y2] = [isDown ? from.y + box.height : from.y, isDown ? to.y : to.y + box.height];
    const y = Math.min(upper + box.height + 32 + index * gap.lane, Math.max(from.y, to.y) - 16);
    return { key, move, path: elbow(start, y1, y, end, y2), x: (start + end) / 2, y };
  });
}

function isBetween(states: readonly PlacedState[], from: PlacedState, to: PlacedState): boolean {
  return states.some(
    ({ value, x, y }) =>
      value !== from.value && value !== to.value && x > from.x && x < to.x && Math.abs(y - from.y) < box.height,
  );
}

/** Down or up to a lane, along it, and on to the end, with round corners. */
function elbow(x1: number, y1: number, y: number, x2: number, y2: number): string {
  const round = Math.min(8, Math.abs(x2 - x1) / 2, Math.abs(y - y1), Math.abs(y2 - y));
  const across = Math.sign(x2 - x1);
  const out = Math.sign(y - y1);
  const on = Math.sign(y2 - y);
  const tip = y2 - on * 3;
  if (round < 1) return `M${x1} ${y1}V${y}H${x2}V${tip}`;
  return `M${x1} ${y1}V${y - out * round}Q${x1} ${y} ${x1 + across * round} ${y}H${x2 - across * round}Q${x2} ${y} ${x2} ${y + on * round}V${tip}`;
}
