import { useEffect, useState } from 'react';
import { onCatchUp, onEvent } from '../../../data/bus.ts';
import { showError } from '../../../data/changes.ts';
import { toClientError } from '../../../data/client-error.ts';
import { type ChatterPage, loadChatter } from '../../../data/form/chatter.ts';
import { outgoing } from '../../../data/form/outgoing.ts';
import { latestOnly } from '../../../data/latest-only.ts';

export interface FeedState {
  /** Null while nothing is known. */
  readonly page: ChatterPage | null;
  /** The record has no chatter, or is gone. */
  readonly isAbsent: boolean;
  loadOlder(): Promise<void>;
}

/** The messages of a record, newest first: loaded, and again whenever something was said or changed, here or elsewhere. */
export function useFeed(model: string, recordId: number): FeedState {
  const [page, setPage] = useState<ChatterPage | null>(null);
  const [isAbsent, setAbsent] = useState(false);
  useEffect(() => {
    const load = latestOnly(
      () => loadChatter(model, recordId),
      (newest) => setPage((now) => merged(newest, now)),
    );
    const refresh = () =>
      load().catch((error: unknown) => {
        const { status, code } = toClientError(error);
        if (status === 404 || status === 403) setAbsent(true);
        else if (code !== 'network') showError(error);
      });
    void refresh();
    const mine = (payload: Readonly<Record<string, unknown>>) =>
      payload.model === model && payload.id === recordId && void refresh();
    // Where there is no bus, one's own comment is here once it is no longer on its way.
    let waiting = outgoing.get().length;
    const sent = outgoing.subscribe(() => {
      const now = outgoing.get().length;
      if (now < waiting) void refresh();
      waiting = now;
    });
    const stops = [onEvent('chatter.posted', mine), onCatchUp(() => void refresh()), sent];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId]);
  const loadOlder = async () => {
    const last = page?.messages.at(-1);
    if (!last || !page) return;
    const next = await loadChatter(model, recordId, last.id);
    setPage({ messages: [...page.messages, ...next.messages], more: next.more });
  };
  return { page, isAbsent, loadOlder };
}

/** Older messages that were loaded stay. */
function merged(newest: ChatterPage, now: ChatterPage | null): ChatterPage {
  if (now === null) return newest;
  const ids = new Set(newest.messages.map((message) => message.id));
  const oldest = newest.messages.at(-1)?.id ?? 0;
  const older = now.messages.filter((message) => !ids.has(message.id) && message.id < oldest);
  return { messages: [...newest.messages, ...older], more: older.length > 0 ? now.more : newest.more };
}
