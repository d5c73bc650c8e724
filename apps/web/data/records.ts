import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { keepEqual } from '../state/keep-equal.ts';
import { watchReads } from './record-parts.ts';
import type { RecordValues, Values } from './rpc.ts';

/**
 * Records this page has seen, by model and id, with what the person changed and the server has not yet confirmed on
 * top. Lists and forms draw from here, so that a change shows everywhere in the same frame.
 */
interface Seen {
  readonly values: RecordValues;
  readonly patches: readonly Patch[];
  /** `values` under `patches`, made once per change. */
  readonly shown: RecordValues;
}
interface Patch {
  readonly values: Values;
}

const models = new Map<string, Map<number, Seen>>();
const listeners = new Map<string, Set<() => void>>();
/** Counts up with every change of a record of the model. */
const versions = new Map<string, number>();
const keptPerModel = 5000;

/** Keeps records that came from the server; whoever draws them is told. */
export function remember(model: string, records: readonly RecordValues[]): void {
  const seen = seenOf(model);
  for (const record of records) {
    const before = seen.get(record.id);
    // The last that was seen is the last to be forgotten.
    seen.delete(record.id);
    put(model, record.id, before, before ? { ...before.values, ...record } : record, before?.patches ?? []);
  }
  forgetOldest(seen);
}

/** A record as it was last seen, with what is not confirmed. */
export function recall(model: string, id: number): RecordValues | undefined {
  return models.get(model)?.get(id)?.shown;
}

/** Forgets records that are gone; whoever draws them is told. */
export function forget(model: string, ids: readonly number[]): void {
  for (const id of ids) {
    models.get(model)?.delete(id);
    notify(model, id);
  }
}

/** Puts unconfirmed values on top of records. The returned function takes them away: after the server's answer, either way. */
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

/** The record as it is known now; `fallback` while it has not been seen. */
export function useRecord(model: string, id: number, fallback?: RecordValues): RecordValues | undefined {
  const subscribe = useCallback((listener: () => void) => listen(listeners, `${model},${id}`, listener), [model, id]);
  const get = () => recall(model, id) ?? fallback;
  return useSyncExternalStore(subscribe, get, get);
}

/** The same for what draws a whole record: it renders again only when something changes that it has read. */
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

/** The records as they are known now, with what has not been confirmed. */
export function useRecords(model: string, records: readonly RecordValues[]): readonly RecordValues[] {
  const subscribe = useCallback((listener: () => void) => listen(listeners, model, listener), [model]);
  const version = () => versions.get(model) ?? 0;
  const now = useSyncExternalStore(subscribe, version, version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells when a record is another.
  return useMemo(() => records.map((one) => recall(model, one.id) ?? one), [model, records, now]);
}

/** Whoever draws the record is told only if it looks different. */
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
