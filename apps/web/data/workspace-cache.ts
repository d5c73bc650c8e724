import { type Arch, lruCache, type WorkspacePayload } from '@kontor/protocol';
import { keepEqual } from '../state/keep-equal.ts';
import { createStore, type Store } from '../state/store.ts';
import type { ClientError } from './client-error.ts';
import { recall, remember } from './records.ts';

/** What is cached for one workspace URL. */
export interface WorkspaceEntry {
  readonly payload: WorkspacePayload | null;
  readonly error: ClientError | null;
  readonly isLoading: boolean;
  /** Assembled from memory: keys that a record lacks are not loaded yet. */
  readonly isPartial: boolean;
  /** When it was loaded; 0 if it must be loaded again. */
  readonly loadedAt: number;
  /** For a board that must be loaded again: the outdated tiles. Null: all of it. */
  readonly oldTiles: readonly number[] | null;
}

const emptyEntry: WorkspaceEntry = {
  ...{ payload: null, error: null, isLoading: false, isPartial: false },
  ...{ loadedAt: 0, oldTiles: null },
};
const formArchs = new Map<string, WorkspacePayload>();
const entries = lruCache<string, Store<WorkspaceEntry>>(60);

/** The cache entry of a workspace URL. */
export function entryOf(query: string): Store<WorkspaceEntry> {
  const known = entries.get(query);
  if (known) return known;
  const entry = createStore(emptyEntry);
  entries.set(query, entry);
  return entry;
}

export function cachePayload(query: string, given: WorkspacePayload): void {
  // A reloaded payload is always a new object, so that dependent requests run again; its equal parts are kept.
  const payload = { ...keepEqual(entryOf(query).get().payload, given) };
  remember(payload.model, payload.records);
  if (payload.viewType === 'form') {
    const asked = new URLSearchParams(query).get('action') ?? '';
    for (const action of new Set([asked, String(payload.actionId || '')]))
      formArchs.set(formKey(action, payload.model), payload);
  }
  entryOf(query).set({ ...emptyEntry, payload, loadedAt: Date.now() });
}

/** A form from its arch and a record that a list has loaded: enough to render in the same frame. */
export function assembleForm(action: string, model: string, recordId: number): WorkspacePayload | null {
  const known = formArchs.get(formKey(action, model));
  if (!known) return null;
  const record = recordId > 0 ? recall(known.model, recordId) : undefined;
  if (recordId > 0 && !record) return null;
  if (recordId === 0 && known.recordId !== 0) return null;
  const { pager: _pager, board: _board, ...arch } = known.arch;
  const records = record ? [record] : [];
  return { ...known, arch: arch as Arch, records, recordId, breadcrumbs: crumbsFor(known, record?.display_name) };
}

let expiries = 0;

/** Increased with every expiry. */
export function expiryCount(): number {
  return expiries;
}

/**
 * Marks every workspace that shows records of these models, or their names, as stale; of a board only the tiles that
 * do.
 */
export function expireModel(...models: readonly string[]): void {
  expiries++;
  for (const entry of entries.values()) {
    const { payload } = entry.get();
    if (!payload) continue;
    const board = payload.arch.board?.tiles ?? [];
    const isAll = isShown(payload, models) || (board.length > 0 && models.includes('sys.board.tile'));
    const tiles = board.flatMap(({ id, screen }) => (screen && isShown(screen, models) ? id : []));
    if (isAll || tiles.length > 0) entry.set((now) => staleEntry(now, isAll ? null : tiles));
  }
}

function isShown({ model, arch }: Pick<WorkspacePayload, 'model' | 'arch'>, changed: readonly string[]): boolean {
  return changed.includes(model) || arch.fields.some(({ relation }) => relation && changed.includes(relation));
}

function staleEntry(now: WorkspaceEntry, tiles: WorkspaceEntry['oldTiles']): WorkspaceEntry {
  const isAll = tiles === null || (now.oldTiles === null && now.loadedAt === 0);
  const old = [...new Set([...(now.oldTiles ?? []), ...(tiles ?? [])])];
  // More tile ids would make the URL too long.
  return { ...now, loadedAt: 0, oldTiles: isAll || old.length > 50 ? null : old };
}

export function expireAll(): void {
  expiries++;
  for (const entry of entries.values()) entry.set((now) => ({ ...now, loadedAt: 0, oldTiles: null }));
}

export function hasFormArch(action: string, model: string): boolean {
  return formArchs.has(formKey(action, model));
}

function formKey(action: string, model: string): string {
  return action ? `action:${action}` : `model:${model}`;
}

function crumbsFor(known: WorkspacePayload, name: unknown): WorkspacePayload['breadcrumbs'] {
  const label = typeof name === 'string' ? name : '';
  return [...known.breadcrumbs.slice(0, -1), { label }];
}
