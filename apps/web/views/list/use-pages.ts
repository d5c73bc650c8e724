import { useEffect, useMemo, useReducer, useRef } from 'react';
import { knownIds, type Pages, recordQuestion, useRecordPages, type WorkspacePayload } from '../../door/index.ts';
import { pageSize, type Row, type Rows } from './rows.ts';

/** The only run of an ungrouped list. */
const all = 'all';

/** An ungrouped list: every row exists from the start, and pages are fetched as they become visible. */
export function usePages(workspace: WorkspacePayload, isEnabled: boolean): Rows {
  // Rows of a failed page stay empty: the connection notice reports the failure, and scrolling retries it.
  const { pages, version } = useRecordPages({ pageSize });
  const [moves, redraw] = useReducer((count: number) => count + 1, 0);
  const merged = useRef<WorkspacePayload | null>(null);
  if (merged.current !== workspace && isEnabled) {
    merged.current = workspace;
    const { model, arch, listSort, records, listOffset, listTotal } = workspace;
    const question = { model, domain: arch.domain ?? [], fields: arch.paths ?? [], order: listSort };
    pages.setQuestion(all, recordQuestion(question));
    pages.put(
      all,
      listOffset,
      records.map(({ id }) => id),
      listTotal,
    );
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload may have made what is in sight stale.
  useEffect(() => {
    if (isEnabled) pages.fetchSeen();
  }, [workspace, isEnabled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `moves` stand for what the pages hold.
  return useMemo(() => toRows(pages, workspace, redraw), [workspace, version, moves]);
}

const noGroup = () => {};

function toRows(pages: Pages<number>, { listTotal }: WorkspacePayload, redraw: () => void): Rows {
  const ids = pages.rows(all);
  let known: readonly number[] | null = null;
  return {
    count: listTotal,
    at(index): Row {
      const id = ids[index];
      return id === undefined
        ? { kind: 'wait', key: `wait-${index}` }
        : { kind: 'record', key: String(id), id, depth: 0 };
    },
    get ids() {
      known ??= knownIds(ids, listTotal);
      return known;
    },
    indexOf: (id) => ids.indexOf(id),
    see(first, last) {
      pages.see(all, { first, last, total: listTotal });
      pages.fetchSeen();
    },
    groups: [],
    toggleGroup: noGroup,
    move(id, to) {
      const moved = ids.filter((one) => one !== id);
      moved.splice(to, 0, id);
      pages.arrange(all, moved);
      redraw();
    },
  };
}
