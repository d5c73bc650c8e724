import type { Domain } from '@kontor/protocol';
import { useEffect, useMemo, useReducer } from 'react';
import { showError } from '../data/changes.ts';
import { createPages, type PageQuestion, type Pages } from '../data/pages.ts';
import { remember } from '../data/records.ts';
import { searchRead } from '../data/rpc.ts';
import { whileBusy } from '../state/idle.ts';
import { drawInFrame } from '../ui/frame-drawing.ts';

interface RecordQuestion {
  readonly model: string;
  readonly domain: Domain;
  readonly fields: readonly unknown[];
  readonly order: string;
  /** Positions before this one are not requested. */
  readonly start?: number;
}

/**
 * The ids that match a domain, in order; their records are cached. Another set of fields is the same question asked
 * again.
 */
export function recordQuestion({ model, domain, fields, order, start = 0 }: RecordQuestion): PageQuestion<number> {
  return {
    key: JSON.stringify([model, domain, order, start]),
    async ask({ offset, limit }, options) {
      const range = { limit, offset: start + offset, ...(order === '' ? {} : { order }) };
      const found = await whileBusy(searchRead(model, domain, fields, range, options));
      remember(model, found);
      return found.map(({ id }) => id);
    },
  };
}

type PagesOptions = Parameters<typeof createPages>[0];

/** Ids of records, fetched as they become visible. `version` increases with each answer. */
export function useRecordPages(options: PagesOptions): { readonly pages: Pages<number>; readonly version: number } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options of a view are constants.
  const pages = useMemo(() => createPages<number>(options), []);
  return { pages, version: usePagesVersion(pages) };
}

/** A version that increases with each answer, in the frame that renders it. */
export function usePagesVersion<T>(pages: Pages<T>): number {
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => pages.subscribe(() => drawInFrame(redraw)), [pages]);
  return version;
}

/** Shows the error if the user is waiting for rows; a background refresh keeps what is shown. */
export function showPageError(error: unknown, isQuiet: boolean): void {
  if (!isQuiet) showError(error);
}

/** The loaded ids among the first `count`. */
export function knownIds(ids: readonly (number | undefined)[], count: number): readonly number[] {
  return ids.slice(0, count).filter((id) => id !== undefined);
}
