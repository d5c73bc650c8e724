import { addDays, type DayData, type DueAct, type DueItem } from '@kontor/protocol';
import { useEffect, useRef, useState } from 'react';
import { onCatchUp, onEvent } from '../../data/bus.ts';
import { sendChange, showError, undo } from '../../data/changes.ts';
import type { RpcCall } from '../../data/rpc.ts';
import { announce, showToast } from '../../data/toasts.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { today } from '../../i18n/local-time.ts';
import { t } from '../../i18n/messages.ts';

/** A change that the server has not confirmed yet. */
interface Pending {
  /** The item is removed from the list. */
  readonly isLeaving: boolean;
  /** The new due date. */
  readonly date?: string;
  readonly isSent: boolean;
}

export interface Day {
  readonly today: string;
  readonly items: readonly DayItem[];
  readonly late: number;
  readonly dueToday: number;
  run(item: DueItem, act: DueAct): void;
  /** Postpones to tomorrow; null if the item cannot be postponed. */
  postpone(item: DueItem): (() => void) | null;
}

export interface DayItem extends DueItem {
  readonly key: string;
  readonly isLeaving: boolean;
}

/** The due items with the user's own changes applied at once; reloaded when anything changes. */
export function useDay(data: DayData, reload: () => void): Day {
  const [pending, setPending] = useState<ReadonlyMap<string, Pending>>(new Map());
  useLiveDay(data, reload);
  // The new data includes all changes sent before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is an answer.
  useEffect(() => setPending((now) => new Map([...now].filter(([, one]) => !one.isSent))), [data]);
  const put = (key: string, one: Pending | null) =>
    setPending(
      (now) => new Map([...[...now].filter(([other]) => other !== key), ...(one ? [[key, one] as const] : [])]),
    );
  const send = async (item: DueItem, call: RpcCall, shown: Pick<Pending, 'isLeaving' | 'date'>, done: string) => {
    const key = keyOf(item);
    put(key, { ...shown, isSent: false });
    announce(done);
    try {
      const { changeSet } = await sendChange(call);
      put(key, { ...shown, isSent: true });
      offerUndo(done, item.model, changeSet, reload);
    } catch (error) {
      put(key, null);
      showError(error);
    }
    expireModel(item.model);
    reload();
  };
  const items = data.items.map((item) => ({
    ...item,
    key: keyOf(item),
    date: pending.get(keyOf(item))?.date ?? item.date,
    isLeaving: pending.get(keyOf(item))?.isLeaving ?? false,
  }));
  const open = items.filter((item) => !item.isLeaving);
  const tomorrow = addDays(data.today, 1);
  return {
    today: data.today,
    items: items.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
    late: open.filter(({ date }) => date < data.today).length,
    dueToday: open.filter(({ date }) => date === data.today).length,
    run: (item, act) => {
      const call = { model: item.model, method: 'call', args: [item.id, act.name] };
      void send(item, call, { isLeaving: true }, t('{action}: {name}', { action: act.label, name: item.title }));
    },
    postpone: (item) => {
      const field = data.kinds.find(({ model }) => model === item.model)?.dateField;
      if (!field || item.date === tomorrow) return null;
      const call = { model: item.model, method: 'write', args: [[item.id], { [field]: tomorrow }] };
      const done = t('Tomorrow: {name}', { name: item.title });
      return () => void send(item, call, { isLeaving: false, date: tomorrow }, done);
    },
  };
}

function keyOf({ model, id }: DueItem): string {
  return `${model},${id}`;
}

function offerUndo(done: string, model: string, changeSet: number, reload: () => void): void {
  const action = { label: t('Undo'), run: () => void undo([changeSet], model).then(reload) };
  showToast({ kind: 'success', title: done, ...(changeSet > 0 ? { action } : {}) });
}

const gatherMs = 100;
/** The minimum time between two requests: with many users, something always changes. */
const spacingMs = 800;

/** Reloads when something due or followed changes, after a gap, and at midnight. */
function useLiveDay(data: DayData, reload: () => void): void {
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    let isMissed = false;
    const ask = () => {
      timer = undefined;
      isMissed = document.hidden;
      if (isMissed) return;
      last = performance.now();
      reload();
    };
    const soon = () => {
      timer ??= setTimeout(ask, Math.max(gatherMs, last + spacingMs - performance.now()));
    };
    const isDue = ({ model }: Readonly<Record<string, unknown>>) => {
      if (latest.current.kinds.some((kind) => kind.model === model)) soon();
    };
    const look = () => {
      if ((isMissed && !document.hidden) || today() !== latest.current.today) soon();
    };
    document.addEventListener('visibilitychange', look);
    const clock = setInterval(look, 60_000);
    const channels = ['record.created', 'record.updated', 'record.deleted'];
    const stops = [
      ...channels.map((channel) => onEvent(channel, isDue)),
      ...['activity.assigned', 'chatter.posted'].map((channel) => onEvent(channel, soon)),
      onCatchUp(soon),
    ];
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', look);
      clearInterval(clock);
      clearTimeout(timer);
    };
  }, [reload]);
}
