import type { Values } from '../rpc.ts';
import { changeLine, type Line, type LinesEdit } from './lines.ts';

const step = 10;

/** By the number that people drag; lines without one stay where they are, at the end. With `isTop` the newest is first. */
export function orderedLines(lines: readonly Line[], handle: string | undefined, isTop = false): readonly Line[] {
  if (handle === undefined && isTop && lines.some((line) => line.isNew)) {
    return [...lines.filter((line) => line.isNew).reverse(), ...lines.filter((line) => !line.isNew)];
  }
  if (handle === undefined) return lines;
  return [...lines].sort((a, b) => rank(a.values, handle) - rank(b.values, handle));
}

/** Puts a line elsewhere: a number between its new neighbours where there is one, else all are numbered anew. */
export function moveLine(
  edit: LinesEdit,
  lines: readonly Line[],
  { from, to, handle }: { readonly from: number; readonly to: number; readonly handle: string },
): LinesEdit {
  const moved = lines[from];
  if (!moved || from === to) return edit;
  const order = lines.filter((line) => line !== moved);
  order.splice(to, 0, moved);
  const before = to === 0 ? -1 : rank((order[to - 1] as Line).values, handle);
  const after = to === order.length - 1 ? before + 2 * step : rank((order[to + 1] as Line).values, handle);
  const between = Math.floor((before + after) / 2);
  if (Number.isFinite(between) && between > before && between < after) {
    return changeLine(edit, moved.key, { [handle]: between });
  }
  return order.reduce((result, line, index) => {
    const number = (index + 1) * step;
    return line.values[handle] === number ? result : changeLine(result, line.key, { [handle]: number });
  }, edit);
}

/** The number of a line that comes before all others. */
export function firstRank(lines: readonly Line[], handle: string): number {
  const numbers = lines.map((line) => rank(line.values, handle)).filter(Number.isFinite);
  return numbers.length === 0 ? step : Math.min(...numbers) - step;
}

/** The number of a line that comes after all others. */
export function nextRank(lines: readonly Line[], handle: string): number {
  return lines.reduce((last, line) => Math.max(last, Number(line.values[handle] ?? 0)), 0) + step;
}

function rank(values: Values, handle: string): number {
  const number = values[handle];
  return typeof number === 'number' ? number : Number.POSITIVE_INFINITY;
}
