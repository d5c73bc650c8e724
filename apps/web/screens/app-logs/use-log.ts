import type { LogFilter, LogRecord, LogsScreenData } from '@kontor/protocol';
import { useCallback, useEffect, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { busyTimer } from '../../state/idle.ts';

const tailMs = 2_000;

/** Entries newest first; loads again when the filter changes, for older entries, and while following the tail. */
export function useLog(first: LogsScreenData, filter: LogFilter, isLive: boolean) {
  const [data, setData] = useState(first);
  const [isFirst, setFirst] = useState(true);
  const newest = data.entries[0]?.id ?? 0;
  const oldest = data.entries.at(-1)?.id ?? 0;

  useEffect(() => {
    if (isFirst && sameFilter(first.filter, filter)) return;
    setFirst(false);
    return busyTimer(() => void ask(filter).then(setData, showError), 200);
  }, [filter, first, isFirst]);

  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      ask(filter, { after: newest }, true).then(
        (more) => setData((now) => ({ ...now, entries: newer(more.entries, now.entries) })),
        () => {},
      );
    }, tailMs);
    return () => clearInterval(timer);
  }, [filter, isLive, newest]);

  const loadOlder = useCallback(() => {
    ask(filter, { before: oldest }).then(
      (more) => setData((now) => ({ ...now, more: more.more, entries: [...now.entries, ...more.entries] })),
      showError,
    );
  }, [filter, oldest]);

  return { data, loadOlder };
}

/** Two responses may contain the same entry. */
function newer(more: readonly LogRecord[], known: readonly LogRecord[]): readonly LogRecord[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...more.filter(({ id }) => !ids.has(id)), ...known];
}

async function ask(
  filter: LogFilter,
  at: Readonly<Record<string, number>> = {},
  isQuiet = false,
): Promise<LogsScreenData> {
  const query = new URLSearchParams({ level: filter.level, q: filter.q, request_id: filter.requestId });
  for (const [name, id] of Object.entries(at)) query.set(name, String(id));
  const { body } = await request<{ result: LogsScreenData }>(`/web/settings/app-logs?${query}`, { isQuiet });
  return body.result;
}

function sameFilter(a: LogFilter, b: LogFilter): boolean {
  return a.level === b.level && a.q === b.q && a.requestId === b.requestId;
}
