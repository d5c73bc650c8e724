import type { Env } from '@kontor/addon';
import { readableRelations, type ShownChange, shownChange } from '../tracking/shown-changes.ts';
import type { KeptChange } from '../tracking/tracked-change.ts';
import { filesOf, type ShownFile } from './message-files.ts';
import { checkThread, type Thread } from './thread.ts';

export interface ChatterPage {
  readonly model: string;
  readonly recordId: number;
  readonly messages: readonly ChatterMessage[];
  readonly more: boolean;
}
export interface ChatterMessage {
  readonly id: number;
  readonly body: string;
  readonly author: { readonly id: number; readonly name: string };
  readonly date: string;
  readonly kind: string;
  readonly tracking: readonly ShownChange[];
  /** Only where there are any. */
  readonly files?: readonly ShownFile[];
}

export interface PageRequest {
  /** Only messages before this one. */
  readonly before: number | null;
  readonly limit: number;
}

/** The messages of a record, newest first, less what the reader may not see. */
export async function readChatter(env: Env, thread: Thread, { before, limit }: PageRequest): Promise<ChatterPage> {
  await checkThread(env, thread);
  const rows = await messagesOf(env, thread, before, limit + 1);
  const page = rows.slice(0, limit);
  const kept = page.map(({ tracking }) => keptIn(tracking));
  const readable = await readableRelations(env, thread.model, kept.flat());
  const authors = await authorNames(env, page);
  const files = await filesOf(
    env,
    page.filter(({ kind }) => kind === 'comment').map(({ id }) => id),
  );
  const messages = page.map((row, index) => ({
    id: row.id,
    body: row.body ?? '',
    author: { id: row.author_id ?? 0, name: authors.get(row.author_id ?? 0) ?? 'Somebody' },
    date: row.date ?? row.create_date,
    kind: row.kind,
    tracking: (kept[index] ?? []).flatMap((change) => shownChange(env, thread.model, change, readable) ?? []),
    ...(files.has(row.id) ? { files: files.get(row.id) as ShownFile[] } : {}),
  }));
  return {
    model: thread.model,
    recordId: thread.id,
    messages: messages.filter(({ kind, tracking }) => kind !== 'tracking' || tracking.length > 0),
    more: rows.length > limit,
  };
}

interface MessageRow {
  readonly id: number;
  readonly kind: string;
  readonly body: string | null;
  readonly author_id: number | null;
  readonly tracking: unknown;
  readonly date: string | null;
  readonly create_date: string;
}

async function messagesOf(
  env: Env,
  { model, id }: Thread,
  before: number | null,
  limit: number,
): Promise<MessageRow[]> {
  return env
    .sudo()
    .model('mail.message')
    .searchRead(
      [['model', '=', model], ['res_id', '=', id], ...(before === null ? [] : [['id', '<', before] as const])],
      ['kind', 'body', 'author_id', 'tracking', 'date', 'create_date'],
      { order: '-id', limit },
    );
}

/** Names of authors as far as the reader may see people. */
async function authorNames(env: Env, rows: readonly MessageRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.flatMap(({ author_id: author }) => author ?? []))];
  const names = new Map([[0, 'Kontor']]);
  if (ids.length === 0) return names;
  const users = await env.model('core.user').searchRead([['id', 'in', ids]], ['name']);
  for (const user of users) names.set(user.id, user.name);
  return names;
}

function keptIn(tracking: unknown): readonly KeptChange[] {
  return Array.isArray(tracking) ? (tracking as KeptChange[]) : [];
}
