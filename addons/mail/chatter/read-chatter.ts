import { anyModel, type Env, KontorError, type MailOutcome, mailStates } from '@kontor/addon';
import type { MailPerson } from '../incoming/parse-message.ts';
import type { Invitation, InvitationAnswer } from '../invitation/read-invitation.ts';
import { idsIn, type KeptChange, relationOf } from '../tracking/tracked-change.ts';
import { peopleIn } from './mail-people.ts';
import { filesOf, type ShownFile } from './message-files.ts';
import { checkThread, messagesFor, type Thread } from './thread.ts';

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
  /** The agent that acted for the author; only if there was one. */
  readonly agent?: string;
  readonly date: string;
  readonly kind: string;
  /** Of an e-mail from outside. */
  readonly mail?: ShownMail;
  readonly tracking: readonly ShownChange[];
  /** Only if there are any. */
  readonly files?: readonly ShownFile[];
}

interface ShownMail {
  readonly subject: string;
  readonly address: string;
  /** Signature and quoted history, as HTML. */
  readonly folded: string;
  readonly mark: string;
  /** Who else has it; only if there is anybody. */
  readonly cc?: readonly MailPerson[];
  /** Only if the reader may read the contact. */
  readonly contactId?: number;
  /** How many pictures on other servers it has. */
  readonly pictures?: number;
  readonly invitation?: Invitation;
  /** Of an invitation that was answered. */
  readonly answer?: { readonly is: InvitationAnswer; readonly by: string };
  /** Of a message of ours. */
  readonly outgoing?: ShownOutgoing;
}

interface ShownOutgoing {
  readonly to: readonly string[];
  readonly state: MailOutcome;
  /** Addresses from which it came back. */
  readonly failedTo?: readonly string[];
  /** When it is or was sent. */
  readonly at: string;
  /** The reader may take it back and change its time. */
  readonly mayChange: boolean;
}

export interface PageRequest {
  /** Only messages before this one. */
  readonly before: number | null;
  readonly limit: number;
}

/** The messages of a record, newest first, without what the reader may not see. */
export async function readChatter(env: Env, thread: Thread, { before, limit }: PageRequest): Promise<ChatterPage> {
  await checkThread(env, thread);
  const rows = await messagesOf(env, thread, before, limit + 1);
  const page = rows.slice(0, limit);
  const kept = page.map(({ tracking }) => keptIn(tracking));
  const readable = await readableRelations(env, thread.model, kept.flat());
  const authors = await namesSeen(
    env,
    page.flatMap(({ author_id: author, answered_id: answered }) => [author, answered].filter((id) => id !== null)),
  );
  const files = await filesOf(
    env,
    page.filter(({ kind }) => kind === 'comment' || kind === 'email').map(({ id }) => id),
  );
  const contacts = await readableContacts(env, page);
  const states = await mailStates(
    env,
    page.flatMap(({ kind, recipients, message_ref: key }) => (kind === 'email' && recipients && key ? [key] : [])),
  );
  const messages = page.map((row, index) => ({
    id: row.id,
    body: row.body ?? '',
    author: { id: row.author_id ?? 0, name: authorName(row, authors) },
    ...(row.agent === null ? {} : { agent: row.agent }),
    date: row.date ?? row.create_date,
    kind: row.kind,
    ...(row.kind === 'email'
      ? { mail: { ...shownMail(row, contacts, authors), ...shownOutgoing(env, row, states) } }
      : {}),
    tracking: (kept[index] ?? []).flatMap((change) => shownChange(env, thread.model, change, readable) ?? []),
    ...(files.has(row.id) ? { files: files.get(row.id) as ShownFile[] } : {}),
  }));
  return {
    model: thread.model,
    recordId: thread.id,
    messages: messages.filter(
      ({ body, mail, tracking, files: own }) => body !== '' || mail || tracking.length > 0 || own,
    ),
    more: rows.length > limit,
  };
}

interface MessageRow {
  readonly id: number;
  readonly kind: string;
  readonly body: string | null;
  readonly author_id: number | null;
  readonly agent: string | null;
  readonly tracking: unknown;
  readonly date: string | null;
  readonly create_date: string;
  readonly subject: string | null;
  readonly sender_name: string | null;
  readonly sender_email: string | null;
  readonly partner_id: number | null;
  readonly folded: string | null;
  readonly mark: string | null;
  readonly message_ref: string | null;
  readonly recipients: string | null;
  readonly failed_to: string | null;
  readonly people: unknown;
  readonly send_at: string | null;
  readonly pictures: string | null;
  readonly invitation: unknown;
  readonly invitation_answer: InvitationAnswer | null;
  readonly answered_id: number | null;
}

const messageFields = [
  ...(['kind', 'body', 'author_id', 'agent', 'tracking', 'date', 'create_date'] as const),
  ...(['subject', 'sender_name', 'sender_email', 'partner_id', 'folded', 'mark'] as const),
  ...(['message_ref', 'recipients', 'failed_to', 'people', 'send_at', 'pictures'] as const),
  ...(['invitation', 'invitation_answer', 'answered_id'] as const),
];

function authorName(
  { kind, author_id: author, sender_name: sender }: MessageRow,
  names: ReadonlyMap<number, string>,
): string {
  if (kind === 'email' && author === null) return sender ?? 'Somebody';
  return names.get(author ?? 0) ?? 'Somebody';
}

function shownMail(row: MessageRow, contacts: ReadonlySet<number>, names: ReadonlyMap<number, string>): ShownMail {
  const { subject, sender_email: address, folded, mark, partner_id: contact, pictures } = row;
  const { invitation, invitation_answer: answer, answered_id: answered } = row;
  const { cc } = peopleIn(row.people);
  return {
    ...(cc.length > 0 ? { cc } : {}),
    ...(pictures ? { pictures: pictures.split('\n').length } : {}),
    ...(invitation ? { invitation: invitation as Invitation } : {}),
    ...(answer ? { answer: { is: answer, by: names.get(answered ?? 0) ?? 'Somebody' } } : {}),
    ...{ subject: subject ?? '', address: address ?? '', folded: folded ?? '', mark: mark ?? 'message' },
    ...(contact !== null && contacts.has(contact) ? { contactId: contact } : {}),
  };
}

function shownOutgoing(
  env: Env,
  { author_id: author, recipients, failed_to: failed, people, message_ref: key, send_at: at }: MessageRow,
  states: ReadonlyMap<string, MailOutcome>,
): { readonly outgoing?: ShownOutgoing } {
  if (!recipients) return {};
  const state = states.get(key ?? '') ?? 'sent';
  const mayChange = state === 'waiting' && author === env.uid;
  const returned = failed ? { failedTo: failed.split('\n') } : {};
  const copies = new Set(peopleIn(people).cc.map(({ address }) => address));
  const to = recipients.split('\n').filter((address) => !copies.has(address));
  return { outgoing: { to, state, at: at ?? '', mayChange, ...returned } };
}

async function readableContacts(env: Env, rows: readonly MessageRow[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(rows.flatMap(({ partner_id: contact }) => contact ?? []))];
  return ids.length === 0 ? new Set() : readableIn(env, 'core.partner', ids);
}

/** As the server, for users who may read the record: messages have no access rights of their own. */
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
      [
        ...([['model', '=', model] as const, ['res_id', '=', id] as const] as const),
        ...(before === null ? [] : [['id', '<', before] as const]),
        ...messagesFor(env, ''),
      ],
      messageFields,
      { order: '-id', limit },
    );
}

/** Names of users as far as the reader may see them. */
export async function namesSeen(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map([[0, 'Kontor']]);
  if (ids.length === 0) return names;
  const users = await env.model('core.user').searchRead([['id', 'in', [...new Set(ids)]]], ['name']);
  for (const user of users) names.set(user.id, user.name);
  return names;
}

export function keptIn(tracking: unknown): readonly KeptChange[] {
  return Array.isArray(tracking) ? (tracking as KeptChange[]) : [];
}

type ShownValue = string | number | boolean | null;
interface ShownChange {
  readonly field: string;
  readonly label: string;
  readonly old: ShownValue;
  readonly new: ShownValue;
}

/** Ids by related model whose names the reader may see. */
type Readable = ReadonlyMap<string, ReadonlySet<number>>;

/** Which of the related records the reader may see; asked once for a whole page. */
export async function readableRelations(env: Env, model: string, changes: readonly KeptChange[]): Promise<Readable> {
  const wanted = new Map<string, Set<number>>();
  for (const change of changes) {
    const relation = relationOf(env, model, change.field);
    if (relation === null || !env.registry.models.has(relation)) continue;
    const ids = wanted.get(relation) ?? new Set();
    wanted.set(relation, ids);
    for (const id of [...idsIn(change.old), ...idsIn(change.new)]) ids.add(id);
  }
  const readable = new Map<string, ReadonlySet<number>>();
  for (const [relation, ids] of wanted) readable.set(relation, await readableIn(env, relation, [...ids]));
  return readable;
}

/** A change as the reader sees it; null for a field that is gone or not readable for them. */
export function shownChange(env: Env, model: string, change: KeptChange, readable: Readable): ShownChange | null {
  const field = env.registry.model(model).fields.get(change.field);
  const groups = field?.spec.groups;
  const isOpen = groups === undefined || groups.some((group) => env.actor.groups.has(group));
  if (!field || !isOpen || field.spec.secret) return null;
  const show = (value: unknown): ShownValue => {
    if (field.spec.relation) return namesOf(change, value, readable.get(field.spec.relation));
    if (field.selection && typeof value === 'string') return field.selection.get(value) ?? value;
    return field.kind.isExact && typeof value === 'string' ? numberOf(value) : (value as ShownValue);
  };
  return { field: field.name, label: field.label, old: show(change.old), new: show(change.new) };
}

/** Their names at that time, as far as the reader may see the records now. */
function namesOf({ names = {} }: KeptChange, value: unknown, readable: ReadonlySet<number> | undefined): string | null {
  const shown = idsIn(value).filter((id) => readable?.has(id));
  return shown.length === 0 ? null : shown.map((id) => names[id] ?? '').join(', ');
}

/** Deleted records may be named if no rule could have hidden them. */
async function readableIn(env: Env, relation: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  try {
    const visible = await anyModel(env, relation).search([['id', 'in', [...ids]]]);
    if (visible.length === ids.length || isRuled(env, relation)) return new Set(visible);
    const existing = new Set(await anyModel(env.sudo(), relation).search([['id', 'in', [...ids]]]));
    return new Set([...visible, ...ids.filter((id) => !existing.has(id))]);
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return new Set();
    throw error;
  }
}

function isRuled(env: Env, name: string): boolean {
  const { hasCompany, companyRule, partOf, fields } = env.registry.model(name);
  if ((env.policy.rules.get(name) ?? []).length > 0 || (hasCompany && companyRule !== false)) return true;
  const whole = partOf === null ? undefined : fields.get(partOf)?.spec.relation;
  return whole !== undefined && isRuled(env, whole);
}

/** A JSON number if that is exact, otherwise the digits. */
function numberOf(digits: string): string | number {
  const number = Number(digits);
  return Number.isFinite(number) && Math.abs(number) < 1e15 ? number : digits;
}
