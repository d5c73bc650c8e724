import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { t } from '../i18n/messages.ts';
import { keepEqual } from '../state/keep-equal.ts';
import { watchReads } from './record-parts.ts';
import type { RecordValues, Values } from './rpc.ts';

/**
 * Records that this page has loaded, by model and id, with unconfirmed changes on top. Lists and forms read from here,
 * so that a change shows everywhere in the same frame.
 */
interface Seen {
  readonly values: RecordValues;
  readonly patches: readonly Patch[];
  /** `values` with `patches` applied, computed once per change. */
  readonly shown: RecordValues;
}
interface Patch {
  readonly values: Values;
}

const models = new Map<string, Map<number, Seen>>();
const listeners = new Map<string, Set<() => void>>();
/** Increased with every change of a record of the model. */
const versions = new Map<string, number>();
const keptPerModel = 5000;

/** Stores records from the server and notifies subscribers. */
export function remember(model: string, records: readonly RecordValues[]): void {
  const seen = seenOf(model);
  for (const record of records) {
    const before = seen.get(record.id);
    // Evicts the least recently used record first.
    seen.delete(record.id);
    put(model, record.id, before, before ? { ...before.values, ...record } : record, before?.patches ?? []);
  }
  forgetOldest(seen);
}

/** The name of a record on screen: empty while it is loading, and never the id, not even if a record rule hides the name. */
export function nameOnScreen(name: unknown): string {
  if (typeof name === 'string') return name;
  return name === null ? t('No access') : '';
}

/** A record as last loaded, with unconfirmed changes. */
export function recall(model: string, id: number): RecordValues | undefined {
  return models.get(model)?.get(id)?.shown;
}

/** Removes deleted records and notifies subscribers. */
export function forget(model: string, ids: readonly number[]): void {
  for (const id of ids) {
    models.get(model)?.delete(id);
    notify(model, id);
  }
}

/** Applies unconfirmed values to records. The returned function removes them again, once the server has answered. */
export function patch(model: string, ids: readonly number[], values: Values): () => void {
  const mine: Patch = { values };
  const seen = seenOf(model);
  const change = (edit: (patches: readonly Patch[]) => readonly Patch[]) => {
    for (const id of ids) {
      const now = seen.get(id) ?? { values: { id }, patches: [], shown: { id } };
      put(model, id, now, now.values, edit(now.patches));
    }
  };
  change((patches) => [...patches, mine]);
  return () => change((patches) => patches.filter((one) => one !== mine));
}

/** The current record; `fallback` if it has not been loaded. */
export function useRecord(model: string, id: number, fallback?: RecordValues): RecordValues | undefined {
  const subscribe = useCallback((listener: () => void) => listen(listeners, `${model},${id}`, listener), [model, id]);
  const get = () => recall(model, id) ?? fallback;
  return useSyncExternalStore(subscribe, get, get);
}

/**
 * Like `useRecord`, for components that render a whole record: renders again only when a value that it has read
 * changes.
 */
export function useReadRecord(model: string, id: number): RecordValues | undefined {
  const subscribe = useCallback((listener: () => void) => listen(listeners, `${model},${id}`, listener), [model, id]);
  const get = useMemo(() => {
    let part: ReturnType<typeof watchReads> | null = null;
    return () => {
      const now = recall(model, id);
      if (!now) return undefined;
      if (!part?.takes(now)) part = watchReads(now);
      return part.record;
    };
  }, [model, id]);
  return useSyncExternalStore(subscribe, get, get);
}

/** The current records, with unconfirmed changes. */
export function useRecords(model: string, records: readonly RecordValues[]): readonly RecordValues[] {
  const subscribe = useCallback((listener: () => void) => listen(listeners, model, listener), [model]);
  const version = () => versions.get(model) ?? 0;
  const now = useSyncExternalStore(subscribe, version, version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells when a record is another.
  return useMemo(() => records.map((one) => recall(model, one.id) ?? one), [model, records, now]);
}

/** Notifies subscribers only if the visible values change. */
function put(model: string, id: number, before: Seen | undefined, given: RecordValues, patches: Seen['patches']): void {
  const values = keepEqual(before?.values, given);
  const shown = keepEqual(before?.shown, patched(values, patches));
  seenOf(model).set(id, { values, patches, shown });
  if (shown !== before?.shown) notify(model, id);
}

function patched(values: RecordValues, patches: readonly Patch[]): RecordValues {
  return patches.length === 0 ? values : Object.assign({}, values, ...patches.map((one) => one.values));
}

function seenOf(model: string): Map<number, Seen> {
  const seen = models.get(model) ?? new Map<number, Seen>();
  models.set(model, seen);
  return seen;
}

function forgetOldest(seen: Map<number, Seen>): void {
  for (const [id, { patches }] of seen) {
    if (seen.size <= keptPerModel) return;
    if (patches.length === 0) seen.delete(id);
  }
}

function listen(all: Map<string, Set<() => void>>, key: string, listener: () => void): () => void {
  const set = all.get(key) ?? new Set();
  all.set(key, set);
  set.add(listener);
  return () => {
    set.delete(listener);
    if (set.size === 0) all.delete(key);
  };
}

function notify(model: string, id: number): void {
  versions.set(model, (versions.get(model) ?? 0) + 1);
  for (const key of [`${model},${id}`, model]) for (const listener of [...(listeners.get(key) ?? [])]) listener();
}
