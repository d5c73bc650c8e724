import { useEffect, useMemo, useState } from 'react';
import { onCatchUp, onEvent } from '../../data/bus.ts';
import { type Activity, loadActivities } from '../../data/form/activities.ts';
import { latestOnly } from '../../data/latest-only.ts';
import { dueOf } from '../../data/my-activities.ts';

export interface ActivityState {
  /** Soonest first; null while nothing is known. */
  readonly list: readonly Activity[] | null;
  readonly hasLate: boolean;
  refresh(): Promise<void>;
}

/** What is still to do about a record, kept up to date. */
export function useActivities(model: string, recordId: number): ActivityState {
  const [list, setList] = useState<readonly Activity[] | null>(null);
  const refresh = useMemo(() => {
    const load = latestOnly(() => loadActivities(model, recordId), setList);
    // Without an answer what is known stays; the feed beside it tells what is wrong.
    return () => load().catch(() => {});
  }, [model, recordId]);
  useEffect(() => {
    void refresh();
    const stops = [
      onEvent('activity.changed', (payload) => payload.model === model && payload.id === recordId && void refresh()),
      onCatchUp(() => void refresh()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId, refresh]);
  return { list, refresh, hasLate: list?.some(({ dueDate }) => dueOf(dueDate) === 'late') ?? false };
}
