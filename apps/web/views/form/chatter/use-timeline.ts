import { useEffect, useState } from 'react';
import {
  bootstrap,
  latestOnly,
  onCatchUp,
  onEvent,
  request,
  showError,
  type TimelineKind,
  type TimelinePage,
} from '../../../door/index.ts';

export interface TimelineState {
  /** Null until loaded, as the pages. */
  readonly kinds: readonly TimelineKind[] | null;
  readonly upcoming: TimelinePage | null;
  readonly past: TimelinePage | null;
  loadMore(part: 'upcoming' | 'past'): Promise<void>;
}

type Pages = Pick<TimelineState, 'upcoming' | 'past'>;

/** How many upcoming records are shown first: the next ones matter, not a year of weekly meetings. */
const fewUpcoming = 3;

/** The timeline of a record; an empty `kind` is all kinds. */
export function useTimeline(model: string, recordId: number, kind: string): TimelineState {
  const [kinds, setKinds] = useState<readonly TimelineKind[] | null>(null);
  const [pages, setPages] = useState<Pages>({ upcoming: null, past: null });
  useEffect(() => {
    const load = latestOnly(
      () =>
        Promise.all([
          loadPage(model, recordId, { kinds: kind, upcoming: '1', limit: String(fewUpcoming) }),
          loadPage(model, recordId, { kinds: kind }),
        ]),
      ([upcoming, past]) => {
        setKinds(past.kinds ?? []);
        setPages({ upcoming, past });
      },
    );
    const refresh = () => void load().catch(showError);
    refresh();
    const stops = [
      onEvent('chatter.posted', (payload) => payload.model === model && payload.id === recordId && refresh()),
      onCatchUp(refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId, kind]);
  const loadMore = async (part: 'upcoming' | 'past') => {
    const known = pages[part];
    if (!known?.next) return;
    const upcoming: Readonly<Record<string, string>> = part === 'upcoming' ? { upcoming: '1' } : {};
    const { items, next } = await loadPage(model, recordId, { kinds: kind, after: known.next, ...upcoming });
    // A refresh meanwhile has replaced the page that this one continues.
    setPages((now) => (now[part] === known ? { ...now, [part]: { items: [...known.items, ...items], next } } : now));
  };
  return { kinds, ...pages, loadMore };
}

async function loadPage(model: string, id: number, more: Readonly<Record<string, string>>): Promise<TimelinePage> {
  const query = new URLSearchParams({ model, id: String(id), ...more });
  const { body } = await request<{ result: TimelinePage }>(`${bootstrap().wcApiBase}/timeline?${query}`);
  return body.result;
}
