import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useRef } from 'react';
import { searchRead } from '../data/rpc.ts';

/** How many records one question is about. */
const most = 500;

/**
 * Drops selected records that do not match the search any more, so that no action reaches a record that is out of sight. It asks
 * about those selected at first, and about those that left what is shown: a closed group or column keeps its records selected.
 */
export function useDropUnmatched(
  { model, arch }: WorkspacePayload,
  selected: ReadonlySet<number>,
  shown: readonly number[],
  drop: (gone: ReadonlySet<number>) => void,
): void {
  const before = useRef<Iterable<number>>(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when records leave, about what is selected then.
  useEffect(() => {
    const was = before.current;
    before.current = shown;
    if (selected.size === 0) return;
    const now = new Set(shown);
    const left = [...was].filter((id) => selected.has(id) && !now.has(id)).slice(0, most);
    if (left.length === 0) return;
    searchRead(model, [...(arch.domain ?? []), ['id', 'in', left]], ['id'], { limit: most }).then(
      (found) => {
        const matching = new Set(found.map(({ id }) => id));
        const gone = new Set(left.filter((id) => !matching.has(id)));
        if (gone.size > 0) drop(gone);
      },
      () => {},
    );
  }, [shown]);
}
