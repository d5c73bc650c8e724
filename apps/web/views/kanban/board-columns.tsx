import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import {
  createStore,
  type DragMove,
  fieldType,
  formatBucket,
  groupKey,
  hasMixedMoney,
  type Money,
  moneyByGroup,
  openNew,
  recall,
  type SearchState,
  saveSetting,
  t,
  useDrag,
  useStorePart,
  useWorkspaceFrame,
  type WorkspacePayload,
  whileBusy,
} from '../../door/index.ts';
import type { BoardColumn, Move } from './board.ts';
import { looksOf, titleText } from './card.tsx';
import { Column, type ColumnActions, columnSum, exactSum } from './column.tsx';
import { columnValues } from './quick-create.tsx';
import type { Board } from './use-board.ts';
import { focusCard, useCardKeys } from './use-card-keys.ts';

interface BoardColumnsProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly board: Board;
  readonly isLoading: boolean;
  readonly hintId: string;
}

export function BoardColumns({ workspace, search, board, isLoading, hintId }: BoardColumnsProps) {
  const { arch } = workspace;
  const { columns, preview } = board;
  const frame = useWorkspaceFrame(workspace);
  const root = useRef<HTMLDivElement>(null);
  const [creating, setCreating] = useState<string | null>(null);
  const folding = useFolding(workspace);
  const canMove = arch.kanban?.draggable === true && arch.rights.write;
  const create = createIn({ workspace, search, setCreating });
  const heads = useHeads(workspace, columns);
  const lifted = useCardDrag({ root, workspace, board, heads, isEnabled: canMove });
  const liftedId = lifted && Number(lifted.item);
  const actions = useColumnActions({
    fold: folding.toggle,
    create: (column) => create?.(column),
    created: () => setCreating(null),
    seeEnd: board.seeEnd,
  });
  const onKeyDown = useCardKeys({ board, root, isFolded: folding.isFolded, onCreate: (column) => create?.(column) });
  return (
    <div
      ref={root}
      className={`line fill gap-3 anchor canvas kanban-board ${isLoading ? 'is-stale' : ''}`}
      onKeyDown={onKeyDown}
    >
      <p id={hintId} hidden>
        {canMove
          ? t('Press Space to pick up the card and the arrow keys to move it.')
          : t('Use the arrow keys to move between cards.')}
      </p>
      {columns.map((column, index) => {
        const isTarget = preview?.to === column.key;
        return (
          <Column
            key={column.key}
            {...{ search, column, hintId, isTarget, actions }}
            {...(heads[index] as Head)}
            workspace={frame}
            liftedId={liftedId !== null && column.ids.includes(liftedId) ? liftedId : null}
            isFolded={folding.isFolded(column) && !(isTarget && lifted?.isByKeys === true)}
            isCreating={creating === column.key}
            canCreate={create !== null}
          />
        );
      })}
    </div>
  );
}

interface CardDrag {
  readonly root: RefObject<HTMLDivElement | null>;
  readonly workspace: WorkspacePayload;
  readonly board: Board;
  readonly heads: readonly Head[];
  readonly isEnabled: boolean;
}

function useCardDrag({ root, workspace: { arch, model }, board, heads, isEnabled }: CardDrag) {
  return useDrag({
    root,
    isEnabled,
    layout: 'column',
    isByHandle: false,
    lists: () =>
      board.columns.map(({ key, ids }, at) => ({ key, label: heads[at]?.label ?? '', items: ids.map(String) })),
    nameOf: (item) => titleText(arch, recall(model, Number(item)) ?? { id: Number(item) }),
    preview: (move) => board.setPreview(move && toMove(move)),
    placeOf: (move) => board.placeOf(toMove(move)),
    async drop(move) {
      const isMoved = await board.move(toMove(move));
      if (!isMoved) requestAnimationFrame(() => focusCard(root.current, Number(move.item)));
    },
  });
}

/** Functions that never change, so that a column renders again only for its own changes. */
function useColumnActions(given: ColumnActions): ColumnActions {
  const latest = useRef(given);
  latest.current = given;
  return useMemo(
    () => ({
      fold: (column) => latest.current.fold(column),
      create: (column) => latest.current.create(column),
      created: () => latest.current.created(),
      seeEnd: (column) => latest.current.seeEnd(column),
    }),
    [],
  );
}

function toMove({ item, list, before }: DragMove): Move {
  return { id: Number(item), to: list, before: before === null ? null : Number(before) };
}

interface CreateSpec {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly setCreating: (key: string) => void;
}

/** In the column itself if a title is enough, otherwise in the form. */
function createIn({ workspace, search, setCreating }: CreateSpec): ((column: BoardColumn) => void) | null {
  const { arch } = workspace;
  const { kanban } = arch;
  if (!kanban?.quickCreate || !arch.rights.create) return null;
  const title = arch.fields.find(({ name }) => name === kanban.card.title.name);
  const type = fieldType(title?.type);
  const isQuick = title && !title.readonly && (type.isShort || type.isLong);
  if (isQuick) return (column) => setCreating(column.key);
  return (column) => openNew(search, workspace, columnValues(workspace, column));
}

interface Head {
  readonly label: string;
  readonly look: string;
  readonly share: number;
  /** The total of its cards, rounded and exact; empty without a measure. */
  readonly sum: string;
  readonly exact: string;
}

const columnLooks = ['mute', 'info', 'warn', 'accent'];

/** The name, the share of the largest column's total and the colour of each column. */
function useHeads(workspace: WorkspacePayload, columns: readonly BoardColumn[]): readonly Head[] {
  const { arch, model } = workspace;
  const money = useColumnMoney(workspace);
  return useMemo(() => {
    const [sum] = arch.kanban?.sums ?? [];
    const weight = (column: BoardColumn) => (sum === undefined ? column.count : Number(column.sums[sum] ?? 0));
    const most = Math.max(1, ...columns.map(weight));
    const isDate = arch.kanban?.groupField?.includes(':') === true;
    return columns.map((column, index) => ({
      label: isDate && typeof column.value === 'string' ? formatBucket(column.value) : t(column.label),
      look: lookOf(column) ?? (columnLooks[index % columnLooks.length] as string),
      share: Math.max(0, weight(column)) / most,
      ...sumsOf(column),
    }));
    function sumsOf({ sums, value: group, money: converted }: BoardColumn): Pick<Head, 'sum' | 'exact'> {
      const value = sum === undefined ? undefined : sums[sum];
      if (sum === undefined || value === undefined) return { sum: '', exact: '' };
      const own = converted ?? money.get(groupKey(group));
      return { sum: columnSum(workspace, sum, value, own), exact: exactSum(workspace, sum, value, own) };
    }
    function lookOf(column: BoardColumn): string | undefined {
      const [first, ...others] = column.ids.map((id) => looksOf(arch, recall(model, id) ?? { id })[0]);
      return first !== undefined && first !== 'muted' && others.every((one) => one === first) ? first : undefined;
    }
  }, [workspace, arch, model, columns, money]);
}

type Choices = Readonly<Record<string, boolean>>;

/** Columns that were folded or unfolded on this page, by screen; the others are as the server says. */
const choices = createStore<Readonly<Record<string, Choices>>>({});
const noChoices: Choices = {};

interface Folding {
  isFolded(column: BoardColumn): boolean;
  toggle(column: BoardColumn): void;
}

/** The columns a user keeps folded, stored on the server like list column widths. */
function useFolding({ arch, model }: WorkspacePayload): Folding {
  const place = arch.key ?? model;
  const mine = useStorePart(choices, (all) => all[place] ?? noChoices);
  const keyOf = (column: BoardColumn) => JSON.stringify([arch.kanban?.groupField ?? null, column.value]);
  const isFolded = (column: BoardColumn) => mine[keyOf(column)] ?? column.fold;
  return {
    isFolded,
    toggle(column) {
      const next = { ...mine, [keyOf(column)]: !isFolded(column) };
      choices.set((all) => ({ ...all, [place]: next }));
      saveSetting(`folds:${place}`, next, { isMerged: true });
    },
  };
}

type ColumnMoney = ReadonlyMap<string, Money>;
const noMoney: ColumnMoney = new Map();

/** The sums of each column by currency; requested only if cards have several. */
function useColumnMoney(workspace: WorkspacePayload): ColumnMoney {
  const [money, setMoney] = useState<ColumnMoney>(noMoney);
  useEffect(() => {
    const by = workspace.arch.kanban?.groupField;
    if (!by || !hasMixedMoney(workspace)) return setMoney(noMoney);
    let isCurrent = true;
    whileBusy(moneyByGroup(workspace, { domain: workspace.arch.domain ?? [], by })).then(
      (found) => isCurrent && setMoney(found),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [workspace]);
  return money;
}
