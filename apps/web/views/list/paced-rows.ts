import type { RowWindow } from '../../ui/use-window.ts';
import type { Row, Rows } from './rows.ts';

/** Records that come into a frame while the list is moving: more than a wheel brings, and what a slow machine draws well within one. */
export const newInFrame = 8;

interface Lines {
  readonly lines: readonly Row[];
  /** Records that were not drawn before. */
  readonly added: number;
  /** Some are known and left for the next frame. */
  readonly isHeld: boolean;
}

type Sight = Pick<RowWindow, 'from' | 'to' | 'first' | 'last'>;

export function whole(rows: Pick<Rows, 'at'>, { from, to }: Sight): Lines {
  const lines: Row[] = [];
  for (let index = from; index <= to; index++) lines.push(rows.at(index));
  return { lines, added: 0, isHeld: false };
}

interface Pace {
  readonly drawn: ReadonlySet<string>;
  /** How many new records this frame still takes. */
  readonly room: number;
  /** The line with the focus, which never waits. */
  readonly active: number;
}

/** What was not drawn before comes a few records a frame, those in sight first. */
export function paced(rows: Pick<Rows, 'at'>, view: Sight, { drawn, room, active }: Pace): Lines {
  const { from, to, first, last } = view;
  const lines = [...whole(rows, view).lines];
  let added = 0;
  let isHeld = false;
  const take = (begin: number, end: number) => {
    for (let index = begin; index <= end; index++) {
      const row = lines[index - from];
      if (!row || row.kind === 'wait' || drawn.has(row.key) || index === active) continue;
      if (added < room) {
        added++;
        continue;
      }
      lines[index - from] = { kind: 'wait', key: `wait-${index}` };
      isHeld = true;
    }
  };
  take(first, last);
  take(last + 1, to);
  take(from, first - 1);
  return { lines, added, isHeld };
}
