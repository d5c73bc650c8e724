import { anyModel, type Env, KontorError } from '@kontor/addon';
import { namesSeen } from '../chatter/read-chatter.ts';

export const folders = ['open', 'mine', 'unassigned', 'snoozed', 'closed', 'unsorted'] as const;
export type Folder = (typeof folders)[number];

export interface InboxQuestion {
  readonly folder: Folder;
  /** Of all mailboxes if null. */
  readonly mailbox: number | null;
  /** Searched in all mail that the reader may read, whatever its folder. */
  readonly text: string;
  /** Only this conversation. */
  readonly id: number | null;
  readonly limit: number;
}

export interface InboxAnswer {
  readonly conversations: readonly ShownConversation[];
  readonly more: boolean;
  readonly counts: Readonly<Record<Exclude<Folder, 'closed'>, number>>;
  /** Open ones, by mailbox. */
  readonly mailboxes: Readonly<Record<number, number>>;
}

interface ShownConversation {
  readonly id: number;
  readonly model: string;
  readonly recordId: number;
  /** The record; empty for one that waits unsorted. */
  readonly recordName: string;
  readonly modelLabel: string;
  readonly mailboxId: number;
  readonly subject: string;
  readonly sender: string;
  readonly address: string;
  readonly preview: string;
  readonly mark: string;
  readonly at: string;
  readonly count: number;
  readonly files: number;
  readonly isOurs: boolean;
  readonly isUnread: boolean;
  readonly state: string;
  readonly snoozedUntil: string | null;
  readonly assignee: { readonly id: number; readonly name: string } | null;
  /** Another person who is writing an answer. */
  readonly answering: string | null;
}

const read = [
  ...(['model', 'res_id', 'mailbox_id', 'subject', 'sender_name', 'sender_email', 'preview', 'mark'] as const),
  ...(['last_at', 'received_at', 'message_count', 'file_count', 'is_ours', 'state', 'snoozed_until'] as const),
  ...(['user_id', 'answering_id', 'answering_until'] as const),
];
/** What counts need. */
const counted = ['model', 'res_id', 'mailbox_id', 'state', 'snoozed_until', 'user_id'] as const;
type Row = Awaited<ReturnType<typeof rowsOf>>[number];
type CountedRow = Pick<Row, (typeof counted)[number] | 'id'>;

const unsortedModel = 'mail.incoming';
/** Conversations are looked at in parts until the page is full, however many the reader may not see. */
const part = 500;
const mostParts = 20;
/** Counts are of the newest so many that are open or snoozed: everybody's inbox asks for them whenever an e-mail comes. */
const mostCounted = 2_000;

/**
 * The conversations that the reader may read, newest first, and how many there are in each folder. What they may not read is neither
 * shown nor counted.
 */
export async function readInbox(env: Env, question: InboxQuestion): Promise<InboxAnswer> {
  const { mailbox, limit } = question;
  const current = await countedRows(env);
  const of = (name: Folder) => current.filter((row) => folderTest[name](row, env));
  const inBox = (rows: readonly CountedRow[]) => rows.filter((row) => mailbox === null || row.mailbox_id === mailbox);
  const found = await find(env, question);
  const mailboxes = new Map<number, number>();
  for (const { mailbox_id: id } of of('open')) mailboxes.set(id, (mailboxes.get(id) ?? 0) + 1);
  return {
    conversations: await shown(env, found.slice(0, limit)),
    more: found.length > limit,
    counts: {
      ...{ open: inBox(of('open')).length, mine: inBox(of('mine')).length, unassigned: inBox(of('unassigned')).length },
      ...{ snoozed: inBox(of('snoozed')).length, unsorted: inBox(of('unsorted')).length },
    },
    mailboxes: Object.fromEntries(mailboxes),
  };
}

/** As the server: a conversation has no rights of its own, and those of records that the reader may not read are left out. */
async function countedRows(env: Env): Promise<readonly CountedRow[]> {
  const rows = await env
    .sudo()
    .model('mail.conversation')
    .searchRead([['state', 'in', ['open', 'snoozed']], ofCompanies(env)], [...counted], {
      ...{ order: '-last_at, -id', limit: mostCounted },
    });
  return onlyReadable(env, rows);
}

function ofCompanies({ actor }: Env) {
  const shownIds = actor.shownCompanyIds ?? (actor.companyId === null ? [] : [actor.companyId]);
  return ['company_id', 'in', [...shownIds]] as const;
}

/** The end of a snooze counts at once; the job opens it within a minute. */
function isOpen({ state, snoozed_until: until }: Pick<Row, 'state' | 'snoozed_until'>, { now }: Env): boolean {
  return state === 'open' || (state === 'snoozed' && until !== null && until <= now.toISOString());
}

const folderTest: Readonly<Record<Folder, (row: CountedRow, env: Env) => boolean>> = {
  open: (row, env) => isOpen(row, env) && row.model !== unsortedModel,
  mine: (row, env) => isOpen(row, env) && row.user_id === env.uid,
  unassigned: (row, env) => isOpen(row, env) && row.user_id === null && row.model !== unsortedModel,
  snoozed: (row, env) => row.state === 'snoozed' && !isOpen(row, env),
  closed: (row) => row.state === 'closed',
  unsorted: (row, env) => isOpen(row, env) && row.model === unsortedModel,
};

/** The same as domains. */
function folderDomain(env: Env, folder: Folder) {
  const now = env.now.toISOString();
  const awake = [
    ...(['|', ['state', '=', 'open'], '&'] as const),
    ...([
      ['state', '=', 'snoozed'],
      ['snoozed_until', '<=', now],
    ] as const),
  ] as const;
  const sorted = ['model', '!=', unsortedModel] as const;
  switch (folder) {
    case 'open':
      return [...awake, sorted];
    case 'mine':
      return [...awake, ['user_id', '=', env.uid] as const];
    case 'unassigned':
      return [...awake, sorted, ['user_id', '=', null] as const];
    case 'snoozed':
      return [['state', '=', 'snoozed'] as const, ['snoozed_until', '>', now] as const];
    case 'closed':
      return [['state', '=', 'closed'] as const];
    case 'unsorted':
      return [...awake, ['model', '=', unsortedModel] as const];
  }
}

type Domain = NonNullable<Parameters<ReturnType<typeof conversationsOf>['searchRead']>[0]>;

/** As the server: a conversation has no rights of its own. `onlyReadable` keeps those of records that the reader may read. */
function conversationsOf(env: Env) {
  return env.sudo().model('mail.conversation');
}

function rowsOf(env: Env, domain: Domain, { limit, offset = 0 }: { readonly limit: number; readonly offset?: number }) {
  return conversationsOf(env).searchRead(domain, read, { order: '-last_at, -id', limit, offset });
}

/** Those of a folder, the one that is named, or those that a text is in. */
function find(env: Env, { folder, mailbox, text, id, limit }: InboxQuestion): Promise<readonly Row[]> {
  if (id !== null) return readable(env, [['id', '=', id]], 1);
  if (text !== '') return search(env, text, limit + 1);
  const box = mailbox === null ? [] : [['mailbox_id', '=', mailbox] as const];
  return readable(env, [...folderDomain(env, folder), ...box], limit + 1);
}

async function readable(env: Env, domain: Domain, wanted: number): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < mostParts && found.length < wanted; at += 1) {
    const rows = await rowsOf(env, [...domain, ofCompanies(env)], { limit: part, offset: at * part });
    found.push(...(await onlyReadable(env, rows)));
    if (rows.length < part) break;
  }
  return found;
}

/** One question for each model, with the rights of the reader. */
async function onlyReadable<T extends Pick<Row, 'model' | 'res_id'>>(
  env: Env,
  rows: readonly T[],
): Promise<readonly T[]> {
  const open = new Set<string>();
  for (const model of new Set(rows.map((row) => row.model))) {
    const ids = rows.filter((row) => row.model === model).map((row) => row.res_id);
    for (const id of await readableIds(env, model, ids)) open.add(`${model},${id}`);
  }
  return rows.filter((row) => open.has(`${row.model},${row.res_id}`));
}

export async function readableIds(env: Env, model: string, ids: readonly number[]): Promise<readonly number[]> {
  const known = env.registry.models.get(model);
  if (!known || (known.chatter === null && model !== unsortedModel)) return [];
  try {
    return await anyModel(env, model).search([
      ['id', 'in', [...ids]],
      ...(model === unsortedModel ? [['state', 'in', ['unsorted', 'dead']] as const] : []),
    ]);
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
    throw error;
  }
}

/** The newest messages with the text; older ones are found by a longer text. */
const mostMessages = 2_000;

/** In subject, sender and text of e-mails on records, and of those that wait; notes of colleagues are no mail. */
async function search(env: Env, text: string, limit: number): Promise<readonly Row[]> {
  const inMessage = [
    ...(['|', '|', '|', ['subject', 'ilike', text], ['body', 'ilike', text]] as const),
    ...([
      ['sender_name', 'ilike', text],
      ['sender_email', 'ilike', text],
    ] as const),
  ] as const;
  const server = env.sudo();
  const [filed, waiting] = await Promise.all([
    server
      .model('mail.message')
      .searchRead([['kind', '=', 'email'], ['gone_at', '=', null], ...inMessage], ['model', 'res_id'], {
        ...{ order: '-id', limit: mostMessages },
      }),
    server
      .model('mail.incoming')
      .searchRead([['state', 'in', ['unsorted', 'dead']], ...inMessage], [], { order: '-id', limit: mostMessages }),
  ]);
  const byModel = new Map<string, Set<number>>([[unsortedModel, new Set(waiting.map(({ id }) => id))]]);
  for (const { model, res_id: id } of filed) byModel.set(model, (byModel.get(model) ?? new Set()).add(id));
  const found: Row[] = [];
  for (const [model, ids] of byModel) {
    const open = await readableIds(env, model, [...ids]);
    if (open.length === 0) continue;
    found.push(
      ...(await rowsOf(
        env,
        [
          ['model', '=', model],
          ['res_id', 'in', open],
        ],
        { limit },
      )),
    );
  }
  return found.sort((a, b) => b.last_at.localeCompare(a.last_at) || b.id - a.id);
}

/** Of a conversation in which nothing came in, too. */
const never = new Date(0).toISOString();

async function shown(env: Env, rows: readonly Row[]): Promise<readonly ShownConversation[]> {
  const [names, people, seen] = [
    await recordNames(env, rows),
    await namesSeen(
      env,
      rows.flatMap(({ user_id: user, answering_id: other }) => [user ?? [], other ?? []].flat()),
    ),
    await seenAt(env, rows),
  ];
  const now = env.now.toISOString();
  return rows.map((row) => ({
    ...{ id: row.id, model: row.model, recordId: row.res_id, mailboxId: row.mailbox_id },
    recordName: names.get(`${row.model},${row.res_id}`) ?? '',
    modelLabel: env.registry.model(row.model).label,
    ...{ subject: row.subject ?? '', sender: row.sender_name ?? row.sender_email ?? '' },
    ...{ address: row.sender_email ?? '', preview: row.preview ?? '', mark: row.mark, at: row.last_at },
    ...{ count: row.message_count, files: row.file_count, isOurs: row.is_ours },
    isUnread: (seen.get(row.id) ?? never) < row.received_at,
    state: isOpen(row, env) ? 'open' : row.state,
    snoozedUntil: isOpen(row, env) ? null : row.snoozed_until,
    assignee: row.user_id === null ? null : { id: row.user_id, name: people.get(row.user_id) ?? '' },
    answering:
      row.answering_id !== null && row.answering_id !== env.uid && (row.answering_until ?? '') > now
        ? (people.get(row.answering_id) ?? null)
        : null,
  }));
}

async function recordNames(env: Env, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const model of new Set(rows.map((row) => row.model).filter((name) => name !== unsortedModel))) {
    const ids = rows.filter((row) => row.model === model).map((row) => row.res_id);
    const records = await anyModel(env, model).searchRead([['id', 'in', ids]], ['display_name']);
    for (const { id, display_name: name } of records) names.set(`${model},${id}`, String(name ?? ''));
  }
  return names;
}

/** As the server, only about the reader. */
async function seenAt(env: Env, rows: readonly Row[]): Promise<ReadonlyMap<number, string>> {
  const seen = await env
    .sudo()
    .model('mail.conversation.seen')
    .searchRead(
      [
        ['conversation_id', 'in', rows.map(({ id }) => id)],
        ['user_id', '=', env.uid],
      ],
      ['conversation_id', 'seen_at'],
    );
  return new Map(seen.map((row) => [row.conversation_id, row.seen_at]));
}
