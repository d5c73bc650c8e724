import type { Values } from '../../data/rpc.ts';

/** How the order of the board goes together with an order that people drag cards into. */
export interface HandleRank {
  /** The order says nothing of the handle: a card cannot stay where it is dropped. */
  readonly isFree: boolean;
  /** Below zero: the first card stands before the second whatever their handles are. */
  compare(first: Values, second: Values): number;
}

/** `sort` as in `listSort`; empty where the server sorts by the handle itself. */
export function handleRank(sort: string, handle: string | undefined): HandleRank {
  const terms = sort.split(',').map((term) => term.trim());
  const at = terms.indexOf(handle ?? '');
  const isFree = handle !== undefined && (sort === '' || at >= 0);
  const leading = isFree && sort !== '' ? terms.slice(0, at) : [];
  return {
    isFree,
    compare(first, second) {
      for (const term of leading) {
        const field = term.replace(/^-/, '');
        const order = compareValues(first[field], second[field]);
        if (order !== 0) return term.startsWith('-') ? -order : order;
      }
      return 0;
    },
  };
}

/** As the database does it: nothing comes last. */
function compareValues(first: unknown, second: unknown): number {
  if (first === second) return 0;
  if (first === null || first === undefined) return 1;
  if (second === null || second === undefined) return -1;
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
}
