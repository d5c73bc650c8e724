import type { Arch, Domain, WorkspacePayload } from '@kontor/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { recall, remember } from '../../data/records.ts';
import { searchRead } from '../../data/rpc.ts';
import { whileBusy } from '../../state/idle.ts';
import { useKept } from '../../state/keep-equal.ts';
import { drawInFrame } from '../../ui/frame-drawing.ts';
import { bucketDomain } from '../date-buckets.ts';
import { applyMove, type BoardColumn, columnOf, type Move, toBoard } from './board.ts';
import { allowedPlace, handleRank, moveCard } from './move-card.ts';

const pageSize = 40;

export interface Board {
  /** As they are to be drawn: with moves that the server has not confirmed, and the one under way. */
  readonly columns: readonly BoardColumn[];
  readonly preview: Move | null;
  setPreview(move: Move | null): void;
  /** Where a card will stand among all of its column, loaded or not; null: the board has an order of its own. */
  placeOf(move: Move): { readonly n: number; readonly total: number } | null;
  /** Resolves to false when the card went back to where it was. */
  move(move: Move): Promise<boolean>;
  loadMore(column: BoardColumn): Promise<void>;
}

export function useBoard(workspace: WorkspacePayload): Board {
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [preview, showPreview] = useState<Move | null>(null);
  const [loaded, loadMore] = useLoaded(workspace);
  const { model } = workspace;
  const settled = useMemo(() => {
    const recordOf = (id: number) => recall(model, id);
    return moves.reduce((board, move) => applyMove(board, move, recordOf), toBoard(workspace, loaded));
  }, [workspace, model, loaded, moves]);
  const columns = useKept(
    useMemo(
      () => (preview ? applyMove(settled, preview, (id) => recall(model, id)) : settled),
      [settled, preview, model],
    ),
  );
  const now = useRef({ workspace, settled });
  now.current = { workspace, settled };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload holds what has been settled before.
  useEffect(() => setMoves((all) => (all.some(isSettled) ? all.filter((one) => !isSettled(one)) : all)), [workspace]);
  const setPreview = useCallback((wanted: Move | null) => {
    const { workspace, settled } = now.current;
    const from = wanted && columnOf(settled, wanted.id);
    const to = settled.find(({ key }) => key === wanted?.to);
    if (!wanted || !from || !to) return showPreview(null);
    const { before } = allowedPlace({ workspace, id: wanted.id, from, to, before: wanted.before });
    showPreview({ ...wanted, before });
  }, []);
  const placeOf = useCallback((wanted: Move) => {
    const { workspace, settled } = now.current;
    const from = columnOf(settled, wanted.id);
    const to = settled.find(({ key }) => key === wanted.to);
    const { handle } = workspace.arch.kanban ?? {};
    if (!from || !to || !handleRank(workspace.listSort, handle).isFree) return null;
    const { before } = allowedPlace({ workspace, id: wanted.id, from, to, before: wanted.before });
    const order = to.ids.filter((id) => id !== wanted.id);
    const n = (before === null ? order.length : order.indexOf(before)) + 1;
    return { n, total: to.count + (from === to ? 0 : 1) };
  }, []);
  const move = useCallback(async (wanted: Move) => {
    const { workspace, settled } = now.current;
    const from = columnOf(settled, wanted.id);
    const to = settled.find(({ key }) => key === wanted.to);
    showPreview(null);
    if (!from || !to) return false;
    const spec = { workspace, id: wanted.id, from, to };
    const mine: Move = { ...wanted, before: allowedPlace({ ...spec, before: wanted.before }).before };
    if (from === to && isWhereItWas(from, mine)) return true;
    setMoves((all) => [...all, mine]);
    const isMoved = await moveCard({ ...spec, before: mine.before }).catch((error: unknown) => {
      showError(error);
      return false;
    });
    setMoves((all) =>
      isMoved
        ? all.map((one) => (one === mine ? { ...one, isSettled: true } : one))
        : all.filter((one) => one !== mine),
    );
    return isMoved;
  }, []);
  return { columns, preview, setPreview, placeOf, move, loadMore };
}

function isSettled(move: Move): boolean {
  return move.isSettled === true;
}

function isWhereItWas(column: BoardColumn, { id, before }: Move): boolean {
  return (column.ids[column.ids.indexOf(id) + 1] ?? null) === before;
}

type Loaded = ReadonlyMap<string, readonly number[]>;
type CardRange = { readonly offset: number; readonly limit: number };

/** Columns of which more than the first cards are here; asked for again when something changed. */
function useLoaded(workspace: WorkspacePayload): readonly [Loaded, (column: BoardColumn) => Promise<void>] {
  const [loaded, setLoaded] = useState<Loaded>(new Map());
  const { arch } = workspace;
  const scope = JSON.stringify([arch.domain, arch.kanban?.groupField, workspace.listSort]);
  const kept = useRef({ scope, workspace, loaded });
  const shown = kept.current.scope === scope ? loaded : new Map();
  kept.current = { scope, workspace, loaded: shown };
  /** Cards from an offset on, after those before it; from 0 on, in their place. */
  const fetchCards = useCallback(async (column: BoardColumn, { offset, limit }: CardRange, isQuiet: boolean) => {
    const { workspace, scope } = kept.current;
    const { arch, listSort, model } = workspace;
    const order = listSort || (arch.kanban?.handle ? `${arch.kanban.handle}, id` : '');
    const options = { limit, offset, ...(order === '' ? {} : { order }) };
    try {
      const cards = searchRead(model, columnDomain(arch, column), arch.paths ?? [], options, { isQuiet });
      const found = await whileBusy(cards);
      if (kept.current.scope !== scope) return;
      remember(model, found);
      const before = offset === 0 ? [] : column.ids.slice(0, offset);
      const ids = [...new Set([...before, ...found.map(({ id }) => id)])];
      drawInFrame(() => setLoaded((now) => new Map(now).set(column.key, ids)));
    } catch (error) {
      if (!isQuiet) showError(error);
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts from its own cards.
  useEffect(() => setLoaded(new Map()), [scope]);
  useEffect(() => {
    for (const column of toBoard(workspace, kept.current.loaded)) {
      const ids = kept.current.loaded.get(column.key);
      if (ids) void fetchCards(column, { offset: 0, limit: ids.length }, true);
    }
  }, [workspace, fetchCards]);
  const loadMore = useCallback(
    (column: BoardColumn) => fetchCards(column, { offset: column.ids.length, limit: pageSize }, false),
    [fetchCards],
  );
  return [shown, loadMore];
}

/** What the cards of one column are narrowed to. */
function columnDomain(arch: Arch, { value }: BoardColumn): Domain {
  const [field = '', granularity] = (arch.kanban?.groupField ?? '').split(':');
  const type = arch.fields.find(({ name }) => name === field)?.type ?? '';
  const isDate = granularity !== undefined && typeof value === 'string';
  const own: Domain = isDate ? bucketDomain(field, type, value) : [[field, '=', value]];
  return [...(arch.domain ?? []), ...own];
}
