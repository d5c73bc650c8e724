import type { Domain, WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useRef } from 'react';
import { knownIds, recordQuestion, showPageError, useRecordPages } from './use-record-pages.ts';

interface WorkspaceIds {
  /** The loaded ids, in order. */
  readonly ids: readonly number[];
  /** Fetches the next page. */
  seeEnd(): void;
}

interface WorkspaceIdsOptions {
  /** The page size; the number of records in a workspace is a multiple of it. */
  readonly pageSize?: number;
  /** The domain of the records, if it differs from that of the workspace. */
  readonly domain?: Domain;
}

const all = 'all';

/**
 * The records of a workspace as one run: the first page comes with it, the next are fetched by `seeEnd`, and all again
 * when something changes.
 */
export function useWorkspaceIds(workspace: WorkspacePayload, options: WorkspaceIdsOptions = {}): WorkspaceIds {
  const { pageSize = 80, domain } = options;
  const { pages, version } = useRecordPages({ pageSize, pagesPerRequest: 5, onError: showPageError });
  const total = workspace.listTotal - workspace.listOffset;
  const merged = useRef<WorkspacePayload | null>(null);
  if (merged.current !== workspace) {
    merged.current = workspace;
    const { model, arch, listSort: order, listOffset: start, records } = workspace;
    const question = { model, domain: domain ?? arch.domain ?? [], fields: arch.paths ?? [], order, start };
    pages.setQuestion(all, recordQuestion(question));
    const ids = records.map(({ id }) => id);
    pages.put(all, 0, ids, total);
  }
  const see = (more: number) => {
    pages.see(all, { first: 0, last: pages.rows(all).length - 1 + more, total });
    pages.fetchSeen();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload may have made what is shown old.
  useEffect(() => see(0), [workspace]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the pages hold.
  const ids = useMemo(() => [...new Set(knownIds(pages.rows(all), total))], [pages, total, version, workspace]);
  return { ids, seeEnd: () => see(pageSize) };
}
