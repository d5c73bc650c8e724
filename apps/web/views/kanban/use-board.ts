import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Arch,
  bucketDomain,
  type Domain,
  knownIds,
  type Pages,
  recall,
  recordQuestion,
  showError,
  showPageError,
  useKept,
  useRecordPages,
  type WorkspacePayload,
} from '../../door/index.ts';
import { applyMove, type BoardColumn, columnOf, type Move, toBoard } from './board.ts';
import { allowedPlace, handleRank, moveCard } from './move-card.ts';

/** As many as a workspace contains per column. */
const pageSize = 40;

export interface Board {
  /** As rendered: including unconfirmed moves and the current drag. */
  readonly columns: readonly BoardColumn[];
  readonly preview: Move | null;
  setPreview(move: Move | null): void;
  /** The position of a card among all cards of its column, loaded or not; null: the board sorts its cards itself. */
  placeOf(move: Move): { readonly n: number; readonly total: number } | null;
  /** Resolves to false if the card went back to where it was. */
  move(move: Move): Promise<boolean>;
  /** Called when the end of a column is near: fetches its next cards. */
  seeEnd(column: BoardColumn): void;
}

export function useBoard(workspace: WorkspacePayload): Board {
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [preview, showPreview] = useState<Move | null>(null);
  const { loaded, seeEnd } = useLoadedCards(workspace);
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
  const setPreview = useCallback(
    (wanted: Move | null) => showPreview(wanted && (stepOf(now.current, wanted)?.move ?? null)),
    [],
  );
  const placeOf = useCallback((wanted: Move) => placeIn(now.current, wanted), []);
  const move = useCallback(async (wanted: Move) => {
    const step = stepOf(now.current, wanted);
    showPreview(null);
    if (!step) return false;
    const { from, to, move: mine } = step;
    if (from === to && isUnmoved(from, mine)) return true;
    setMoves((all) => [...all, mine]);
    const { workspace } = now.current;
    const isMoved = await moveCard({ workspace, id: mine.id, from, to, before: mine.before }).catch(
      (error: unknown) => {
        showError(error);
        return false;
      },
    );
    setMoves((all) =>
      isMoved
        ? all.map((one) => (one === mine ? { ...one, isSettled: true } : one))
        : all.filter((one) => one !== mine),
    );
    return isMoved;
  }, []);
  return { columns, preview, setPreview, placeOf, move, seeEnd };
}

interface SettledBoard {
  readonly workspace: WorkspacePayload;
  readonly settled: readonly BoardColumn[];
}

interface Step {
  readonly from: BoardColumn;
  readonly to: BoardColumn;
  /** With the position that the sort order of the board allows. */
  readonly move: Move;
}

/** A move between columns of the board; null if the card or the column no longer exists. */
function stepOf({ workspace, settled }: SettledBoard, wanted: Move): Step | null {
  const from = columnOf(settled, wanted.id);
  const to = settled.find(({ key }) => key === wanted.to);
  if (!from || !to) return null;
  const { before } = allowedPlace({ workspace, id: wanted.id, from, to, before: wanted.before });
  return { from, to, move: { ...wanted, before } };
}

function placeIn(board: SettledBoard, wanted: Move): ReturnType<Board['placeOf']> {
  const { arch, listSort } = board.workspace;
  const step = stepOf(board, wanted);
  if (!step || !handleRank(listSort, arch.kanban?.handle).isFree) return null;
  const { from, to, move } = step;
  const order = to.ids.filter((id) => id !== move.id);
  const n = (move.before === null ? order.length : order.indexOf(move.before)) + 1;
  return { n, total: to.count + (from === to ? 0 : 1) };
}

function isSettled(move: Move): boolean {
  return move.isSettled === true;
}

function isUnmoved(column: BoardColumn, { id, before }: Move): boolean {
  return (column.ids[column.ids.indexOf(id) + 1] ?? null) === before;
}

interface LoadedCards {
  /** Columns with more than the first page loaded, by key. */
  readonly loaded: ReadonlyMap<string, readonly number[]>;
  seeEnd(column: BoardColumn): void;
}

/**
 * The cards of each column: the first page comes with the screen, the next ones are fetched when the end of the column
 * is near.
 */
function useLoadedCards(workspace: WorkspacePayload): LoadedCards {
  const { pages, version } = useRecordPages({ pageSize, atOnce: 6, pagesPerRequest: 12, onError: showPageError });
  const merged = useRef<WorkspacePayload | null>(null);
  if (merged.current !== workspace) {
    merged.current = workspace;
    mergeColumns(workspace, pages);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards that did not come are asked for again with a new payload.
  useEffect(() => pages.fetchSeen(), [workspace, pages]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: all cards that are here are asked for again when they are old.
  useEffect(() => {
    for (const { key, count } of toBoard(workspace, noneLoaded)) {
      pages.see(key, { first: 0, last: pages.rows(key).length - 1, total: count });
    }
  }, [workspace, version, pages]);
  const seeEnd = useCallback(
    ({ key, count }: BoardColumn) => {
      pages.see(key, { first: 0, last: pages.rows(key).length - 1 + pageSize, total: count });
      pages.fetchSeen();
    },
    [pages],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the pages hold.
  return useMemo(() => {
    // A card that moved between two requests may be in both pages.
    const idsOf = ({ key, count }: BoardColumn) => [...new Set(knownIds(pages.rows(key), count))];
    const loaded = new Map(toBoard(workspace, noneLoaded).map((column) => [column.key, idsOf(column)]));
    return { loaded, seeEnd };
  }, [workspace, version, pages, seeEnd]);
}

const noneLoaded = new Map<string, readonly number[]>();

function mergeColumns(workspace: WorkspacePayload, pages: Pages<number>): void {
  const { arch, model, listSort } = workspace;
  const order = listSort || (arch.kanban?.handle ? `${arch.kanban.handle}, id` : '');
  const columns = toBoard(workspace, noneLoaded);
  for (const column of columns) {
    const question = { model, domain: columnDomain(arch, column), fields: arch.paths ?? [], order };
    pages.setQuestion(column.key, recordQuestion(question));
    pages.put(column.key, 0, column.ids, column.count);
  }
  const isGone = (name: string) => !columns.some(({ key }) => key === name);
  for (const name of pages.names().filter(isGone)) pages.drop(name);
}

/** The domain of the cards of one column. */
function columnDomain(arch: Arch, { value }: BoardColumn): Domain {
  const [field = '', granularity] = (arch.kanban?.groupField ?? '').split(':');
  const type = arch.fields.find(({ name }) => name === field)?.type ?? '';
  const isDate = granularity !== undefined && typeof value === 'string';
  const own: Domain = isDate ? bucketDomain(field, type, value) : [[field, '=', value]];
  return [...(arch.domain ?? []), ...own];
}
