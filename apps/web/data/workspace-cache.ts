import { type Arch, lruCache, type WorkspacePayload } from '@kontor/protocol';
import { createStore, type Store } from '../state/store.ts';
import type { ClientError } from './client-error.ts';
import { recall, remember } from './records.ts';

/** What is known of one workspace address. */
export interface WorkspaceEntry {
  readonly payload: WorkspacePayload | null;
  readonly error: ClientError | null;
  readonly isLoading: boolean;
  /** Put together from memory: keys that a record lacks are not loaded yet. */
  readonly isPartial: boolean;
  /** When it was loaded; 0 when it must be loaded again. */
  readonly loadedAt: number;
}

const emptyEntry: WorkspaceEntry = { payload: null, error: null, isLoading: false, isPartial: false, loadedAt: 0 };
const formArchs = new Map<string, WorkspacePayload>();
const entries = lruCache<string, Store<WorkspaceEntry>>(60);

export function entryOf(query: string): Store<WorkspaceEntry> {
  const known = entries.get(query);
  if (known) return known;
  const entry = createStore(emptyEntry);
  entries.set(query, entry);
  return entry;
}

export function cachePayload(query: string, payload: WorkspacePayload): void {
  remember(payload.model, payload.records);
  if (payload.viewType === 'form') {
    const asked = new URLSearchParams(query).get('action') ?? '';
    for (const action of new Set([asked, String(payload.actionId || '')]))
      formArchs.set(formKey(action, payload.model), payload);
  }
  entryOf(query).set({ payload, error: null, isLoading: false, isPartial: false, loadedAt: Date.now() });
}

/** A form from its arch and a record that some list has shown: enough to draw in the same frame. */
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

/** Counts up with every expiry. */
export function expiryCount(): number {
  return expiries;
}

/** Marks every workspace that shows records of a model, or their names, as stale. */
export function expireModel(model: string): void {
  expiries++;
  for (const entry of entries.values()) {
    const { payload } = entry.get();
    if (payload && (isShown(payload, model) || isOnBoard(payload.arch, model)))
      entry.set((now) => ({ ...now, loadedAt: 0 }));
  }
}

function isShown({ model, arch }: Pick<WorkspacePayload, 'model' | 'arch'>, changed: string): boolean {
  return model === changed || arch.fields.some((field) => field.relation === changed);
}

function isOnBoard({ board }: Arch, changed: string): boolean {
  if (!board) return false;
  return changed === 'sys.board.tile' || board.tiles.some(({ screen }) => screen && isShown(screen, changed));
}

export function expireAll(): void {
  expiries++;
  for (const entry of entries.values()) entry.set((now) => ({ ...now, loadedAt: 0 }));
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
