import {
  type ActionResult,
  type AskingButton,
  callAction,
  expireModel,
  followRedirect,
  offerUndo,
  openPanel,
  patch,
  type RpcReceipt,
  recall,
  remember,
  type StatesArch,
  sendChange,
  t,
  type Values,
  type WorkspacePayload,
  writeRecords,
} from '../../door/index.ts';
import type { BoardColumn } from './board.ts';

interface CardMove {
  readonly workspace: WorkspacePayload;
  readonly id: number;
  readonly from: BoardColumn;
  /** With its cards as they were before the move. */
  readonly to: BoardColumn;
  readonly before: number | null;
}

/**
 * The nearest position that the sort order allows: fields sorted before the handle (such as priority) take precedence.
 */
export function allowedPlace({ workspace, id, to, before }: CardMove): {
  readonly before: number | null;
  readonly peers: readonly number[];
  readonly index: number;
} {
  const { model, arch, listSort } = workspace;
  const rank = handleRank(listSort, arch.kanban?.handle);
  const order = to.ids.filter((one) => one !== id);
  const moved = recall(model, id) ?? { id };
  const ranks = order.map((one) => rank.compare(recall(model, one) ?? { id: one }, moved));
  const first = ranks.findLastIndex((one) => one < 0) + 1;
  const found = ranks.findIndex((one) => one > 0);
  const end = found < first ? order.length : found;
  const wanted = before === null ? order.length : order.indexOf(before);
  const at = Math.max(first, Math.min(end, wanted < 0 ? order.length : wanted));
  return { before: order[at] ?? null, peers: order.slice(first, end), index: at - first };
}

/**
 * Saves where a card was dropped: first the state transition, if the column has another state, then column and order.
 * One Undo reverts both. False: the user cancelled.
 */
export async function moveCard(move: CardMove): Promise<boolean> {
  const { workspace, id, from, to } = move;
  const { model, arch } = workspace;
  const field = arch.kanban?.groupField ?? '';
  const isSameColumn = from.key === to.key;
  const moved = isSameColumn ? noStateMove : await moveState(move);
  if (!moved) return false;
  const placing = placingOf(move);
  for (const { ids, value } of placing?.shifts ?? []) await shiftCards(model, ids, placingValues(workspace, value));
  const isSet = isSameColumn || (moved.receipt !== null && field === arch.states?.field);
  const values = {
    ...(isSet ? {} : { [field]: to.value }),
    ...(placing ? placingValues(workspace, placing.value) : {}),
  };
  const name = String(recall(model, id)?.display_name ?? '');
  const done = isSameColumn ? t('Moved {name}', { name }) : t('Moved {name} to {column}', { name, column: to.label });
  const { receipt } = moved;
  // A move without a change set cannot be undone, so what follows it cannot be undone either.
  const earlier = receipt?.changeSet === 0 ? null : receipt ? [receipt.changeSet] : [];
  if (Object.keys(values).length > 0) {
    const shown = isSet ? {} : { [`${field}.display_name`]: to.label };
    await writeRecords({ model, ids: [id], values, shown, done, earlier });
  } else if (receipt) {
    expireModel(model);
    offerUndo(done, model, receipt.changeSet);
  }
  if (receipt && receipt.result !== true)
    await followRedirect(receipt.result.redirect, to.label, () => expireModel(model));
  return true;
}

interface StateMove {
  /** Null: the state stays the same, or no move available to the user leads there, and the server decides. */
  readonly receipt: RpcReceipt<ActionResult> | null;
}

const noStateMove: StateMove = { receipt: null };

/** Runs the move from the card's state to that of the column, after asking which one if there are several. */
async function moveState({ workspace, id, to }: CardMove): Promise<StateMove | null> {
  const { arch, model } = workspace;
  const { states } = arch;
  const state = states && recall(model, id)?.[states.field];
  const wanted = states && stateOfColumn(states, arch.kanban?.groupField, to);
  if (!states || wanted === undefined || wanted === state) return noStateMove;
  const fitting = states.moves.filter((move) => move.to === wanted && move.from.includes(String(state)));
  const [only] = fitting;
  if (!only) return noStateMove;
  const title = t('Move to {column}', { column: to.label });
  const chosen =
    fitting.length === 1
      ? only
      : await new Promise<AskingButton | null>((resolve) =>
          openPanel({ kind: 'choice', title, buttons: fitting, onChosen: resolve }),
        );
  const receipt = chosen && (await callAction({ model, ids: [id] }, chosen));
  return receipt && { receipt };
}

function stateOfColumn(states: StatesArch, groupField: string | null | undefined, { value }: BoardColumn) {
  if (groupField === states.field) return value === null ? undefined : String(value);
  if (groupField !== states.stages?.field) return undefined;
  return states.stages?.steps.find((step) => step.id === value)?.state;
}

function placingOf(move: CardMove): ReturnType<typeof placeCard> | null {
  const { workspace } = move;
  const handle = workspace.arch.kanban?.handle;
  if (handle === undefined || !handleRank(workspace.listSort, handle).isFree) return null;
  const { peers, index } = allowedPlace(move);
  const { min } = workspace.arch.fields.find(({ name }) => name === handle) ?? {};
  const numberOf = (id: number) => Number(recall(workspace.model, id)?.[handle] ?? 0);
  if (peers.length === 0) return null;
  return placeCard({ order: peers, index, numberOf, min });
}

function placingValues({ arch }: WorkspacePayload, value: number): Values {
  return { [arch.kanban?.handle as string]: value };
}

/** Renumbers neighbours without an undo toast and without refreshing the board. */
async function shiftCards(model: string, ids: readonly number[], values: Values): Promise<void> {
  const unpatch = patch(model, ids, values);
  try {
    await sendChange({ model, method: 'write', args: [ids, values] });
    remember(
      model,
      ids.map((id) => ({ id, ...values })),
    );
  } finally {
    unpatch();
  }
}

/** The sort numbers to write so that a card stays where it was dropped. */
interface Placing {
  readonly value: number;
  /** Other cards that must make room, grouped by their new number. */
  readonly shifts: readonly { readonly ids: readonly number[]; readonly value: number }[];
}

interface PlaceSpec {
  /** The other cards in order. */
  readonly order: readonly number[];
  /** The target position. */
  readonly index: number;
  readonly numberOf: (id: number) => number;
  /** The smallest number that the field accepts. */
  readonly min?: number | undefined;
}

/**
 * Cards that are not loaded come after the loaded ones, so lower numbers are assigned before the card, where all
 * numbers are known. Only a field without lower numbers renumbers the cards after it.
 */
export function placeCard({ order, index, numberOf, min }: PlaceSpec): Placing {
  const before = order.slice(0, index).map((id) => ({ id, value: numberOf(id) }));
  const after = order.slice(index).map((id) => ({ id, value: numberOf(id) }));
  const [next] = after;
  const last = before.at(-1);
  if (!next) return { value: last ? last.value + 1 : 0, shifts: [] };
  if (!last) {
    if (min === undefined || next.value - 1 >= min) return { value: next.value - 1, shifts: [] };
    return { value: min, shifts: makeRoom(after, min, 1) };
  }
  if (next.value - last.value > 1) return { value: Math.floor((last.value + next.value) / 2), shifts: [] };
  const value = next.value - 1;
  const shifts = makeRoom(before.reverse(), value, -1);
  if (min === undefined || shifts.every((shift) => shift.value >= min)) return { value, shifts };
  return { value: last.value + 1, shifts: makeRoom(after, last.value + 1, 1) };
}

/** The cards next to the moved one, nearest first. Cards with equal numbers keep equal numbers, and so their order. */
function makeRoom(
  cards: readonly { readonly id: number; readonly value: number }[],
  from: number,
  step: 1 | -1,
): Placing['shifts'] {
  const shifts: { ids: number[]; value: number }[] = [];
  let taken = from;
  for (let at = 0; at < cards.length; ) {
    const { value } = cards[at] as { value: number };
    const isFree = step > 0 ? value > taken : value < taken;
    if (isFree) break;
    const ids: number[] = [];
    for (; at < cards.length && cards[at]?.value === value; at++) ids.push((cards[at] as { id: number }).id);
    taken += step;
    shifts.push({ ids, value: taken });
  }
  return shifts;
}

/** How the sort order of the board relates to the handle that dragging changes. */
interface HandleRank {
  /** True if the board is sorted by the handle, so that a card stays where it is dropped. */
  readonly isFree: boolean;
  /** Negative: the first card comes before the second, whatever their handles are. */
  compare(first: Values, second: Values): number;
}

/** `sort` as in `listSort`; empty if the server sorts by the handle itself. */
export function handleRank(sort: string, handle: string | undefined): HandleRank {
  const terms = sort.split(',').map((term) => term.trim());
  const at = terms.indexOf(handle ?? '');
  const isFree = handle !== undefined && (sort === '' || at >= 0);
  const leading = isFree && sort !== '' ? terms.slice(0, at) : [];
  return {
    isFree,
    compare(first, second) {
      for (const term of leading) {
        const field = term.replace(/^-/, '');
        const order = compareValues(first[field], second[field]);
        if (order !== 0) return term.startsWith('-') ? -order : order;
      }
      return 0;
    },
  };
}

/** As in the database: empty values come last. */
function compareValues(first: unknown, second: unknown): number {
  if (first === second) return 0;
  if (first === null || first === undefined) return 1;
  if (second === null || second === undefined) return -1;
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : 1;
}
