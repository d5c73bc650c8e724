import type { WorkspacePayload } from '@kontor/protocol';
import { sendChange, writeRecords } from '../../data/changes.ts';
import { patch, recall, remember } from '../../data/records.ts';
import type { Values } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import type { BoardColumn } from './board.ts';
import { placeCard } from './place-card.ts';
import { handleRank } from './sort-rank.ts';

interface CardMove {
  readonly workspace: WorkspacePayload;
  readonly id: number;
  readonly from: BoardColumn;
  /** With its cards as they were before the move. */
  readonly to: BoardColumn;
  readonly before: number | null;
}

/** Where a card will really stand: an order that goes before people's own (the most important first) is kept. */
export function honestPlace({ workspace, id, to, before }: CardMove): {
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

/** Saves a move. The card itself is one write, so that one Undo takes it back. */
export async function moveCard(move: CardMove): Promise<void> {
  const { workspace, id, from, to } = move;
  const { model, arch } = workspace;
  const field = arch.kanban?.groupField ?? '';
  const isSameColumn = from.key === to.key;
  const placing = placingOf(move);
  for (const { ids, value } of placing?.shifts ?? []) await shiftCards(model, ids, placingValues(workspace, value));
  const group = isSameColumn ? {} : { [field]: to.value };
  const values = { ...group, ...(placing ? placingValues(workspace, placing.value) : {}) };
  if (Object.keys(values).length === 0) return;
  const name = String(recall(model, id)?.display_name ?? '');
  await writeRecords({
    model,
    ids: [id],
    values,
    shown: isSameColumn ? {} : { [`${field}.display_name`]: to.label },
    done: isSameColumn ? t('Moved {name}', { name }) : t('Moved {name} to {column}', { name, column: to.label }),
  });
}

function placingOf(move: CardMove): ReturnType<typeof placeCard> | null {
  const { workspace } = move;
  const handle = workspace.arch.kanban?.handle;
  if (handle === undefined || !handleRank(workspace.listSort, handle).isFree) return null;
  const { peers, index } = honestPlace(move);
  const { min } = workspace.arch.fields.find(({ name }) => name === handle) ?? {};
  const numberOf = (id: number) => Number(recall(workspace.model, id)?.[handle] ?? 0);
  if (peers.length === 0) return null;
  return placeCard({ order: peers, index, numberOf, min });
}

function placingValues({ arch }: WorkspacePayload, value: number): Values {
  return { [arch.kanban?.handle as string]: value };
}

/** Neighbours that make room: nothing that anybody would want to take back, and no reason to load the board again yet. */
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
