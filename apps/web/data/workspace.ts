import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useRef } from 'react';
import { bootstrap } from '../state/bootstrap.ts';
import { whileBusy } from '../state/idle.ts';
import { useKept } from '../state/keep-equal.ts';
import { createStore, type Store, useStore } from '../state/store.ts';
import { toClientError } from './client-error.ts';
import { type RequestOptions, request } from './request.ts';
import { setCsrfToken } from './session.ts';
import { assembleForm, cachePayload, entryOf, expiryCount, type WorkspaceEntry } from './workspace-cache.ts';

/** The workspace on screen; null on other screens. */
export const currentWorkspace = createStore<WorkspacePayload | null>(null);

const retryMs = 5_000;
const markStale = (now: WorkspaceEntry): WorkspaceEntry => ({ ...now, loadedAt: 0 });

const inFlight = new Map<string, Promise<void>>();

/** Loads a workspace into the cache. Concurrent calls share one request. */
export function loadWorkspace(query: string, options: RequestOptions = {}): Promise<void> {
  const running = inFlight.get(query);
  if (running) return running;
  const work = fetchWorkspace(query, options).finally(() => {
    if (inFlight.get(query) === work) inFlight.delete(query);
  });
  inFlight.set(query, work);
  return work;
}

async function fetchWorkspace(query: string, options: RequestOptions): Promise<void> {
  const entry = entryOf(query);
  entry.set((now) => ({ ...now, isLoading: true }));
  const { payload, oldTiles } = entry.get();
  const asked = payload && oldTiles ? `${query}&tiles=${oldTiles.join()}` : query;
  const before = expiryCount();
  try {
    const { body } = await request<WorkspacePayload>(`${bootstrap().wcApiBase}/workspace?${asked}`, options);
    setCsrfToken(body.csrfToken);
    cachePayload(query, payload && oldTiles ? withTiles(payload, body, oldTiles) : body);
    if (expiryCount() === before) return;
    // Something expired while the request was running, so the response may be outdated: subscribers load it again.
    inFlight.delete(query);
    entry.set(markStale);
  } catch (error) {
    const failure = toClientError(error);
    // A failed refresh keeps what is on screen; only a failed first load shows the error.
    entry.set((now) =>
      options.isQuiet
        ? { ...now, isLoading: false, loadedAt: now.payload ? Date.now() : 0 }
        : { ...now, isLoading: false, error: failure },
    );
    // A lost connection reports when it is back; other failures are retried after a while.
    if (options.isQuiet && failure.code !== 'network') setTimeout(() => entry.set(markStale), retryMs);
  }
}

/** Merges reloaded tiles into a board; a tile that did not come is no longer visible to the user. */
function withTiles(known: WorkspacePayload, { arch, ...rest }: WorkspacePayload, asked: readonly number[]) {
  const { board } = arch;
  const tiles = (known.arch.board?.tiles ?? []).flatMap((tile) =>
    asked.includes(tile.id) ? (board?.tiles.find(({ id }) => id === tile.id) ?? []) : tile,
  );
  return { ...rest, arch: { ...arch, ...(board ? { board: { ...board, tiles } } : {}) } };
}

/** The workspace of a URL: from the cache in the same frame, then refreshed from the server. */
export function useWorkspace(query: string): WorkspaceEntry {
  const store = entryOf(query);
  const entry = useStore(store);
  const last = useRef<Shown | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever the entry says that it is old.
  useEffect(() => loadIfStale(query, store), [query, store, entry]);
  // A stale workspace is loaded in the same tick, not after the next render, so that the client never counts as idle in
  // between.
  useEffect(() => store.subscribe(() => loadIfStale(query, store)), [query, store]);
  // A refresh in the background is not shown as loading.
  const calm = useMemo(() => ({ ...entry, isLoading: false }), [entry]);
  const shown = entry.payload ? calm : fromMemory(query, entry, last.current);
  useEffect(() => {
    if (shown.payload) last.current = { payload: shown.payload, query };
  });
  return shown;
}

/**
 * A workspace without its records, counts and totals, for components rendered once per record: the same object while
 * nothing else about the screen changes.
 */
export function useWorkspaceFrame(workspace: WorkspacePayload): WorkspacePayload {
  return useKept(useMemo(() => frameOf(workspace), [workspace]));
}

function frameOf({ arch, ...rest }: WorkspacePayload): WorkspacePayload {
  const { totals: _totals, groups: _groups, money: _money, pager: _pager, answers: _answers, kanban, ...frame } = arch;
  const counts = { records: [], listTotal: 0, listOffset: 0, csrfToken: '', breadcrumbs: [] };
  return { ...rest, ...counts, arch: { ...frame, ...(kanban ? { kanban: { ...kanban, columns: [] } } : {}) } };
}

function loadIfStale(query: string, store: Store<WorkspaceEntry>): void {
  const { loadedAt, isLoading, error, payload } = store.get();
  if (loadedAt > 0 || isLoading || error) return;
  void whileBusy(loadWorkspace(query, { isQuiet: payload !== null }));
}

/** Loads a workspace again after an error. */
export function retryWorkspace(query: string): void {
  entryOf(query).set((now) => ({ ...now, error: null, loadedAt: 0 }));
}

interface Shown {
  readonly payload: WorkspacePayload;
  readonly query: string;
}

function fromMemory(query: string, entry: WorkspaceEntry, last: Shown | null): WorkspaceEntry {
  const params = new URLSearchParams(query);
  const action = params.get('action') ?? '';
  const model = params.get('model') ?? '';
  if (entry.error) return entry;
  if (params.get('view_type') === 'form') {
    const payload = assembleForm(action, model, Number(params.get('id') ?? 0));
    return payload ? { ...entry, payload, isPartial: true } : entry;
  }
  // Another filter or page of the same screen: the old rows stay, dimmed, until the new ones arrive.
  const before = last?.payload;
  if (!before || (params.get('view_type') ?? before.viewType) !== before.viewType) return entry;
  const asked = new URLSearchParams(last.query).get('action') ?? '';
  const isSame = action ? action === asked || action === String(before.actionId) : before.model === model;
  return isSame ? { ...entry, payload: before, isLoading: true } : entry;
}
