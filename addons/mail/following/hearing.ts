import { type Env, recordPath } from '@kontor/addon';
import { hearsChoices } from '../models/follow.ts';

export type Hears = keyof typeof hearsChoices;

/** The key of the personal setting: `{ hears: 'all', digest: 8 }`, the hour of the daily digest or null. */
export const followingSetting = 'following';

export interface OwnFollowing {
  /** What is heard of records and kinds without a choice. */
  readonly hears: Hears;
  /** The hour of the day at which everything by mail comes together; null: at once. */
  readonly digest: number | null;
}

export function followingIn(value: unknown): OwnFollowing {
  const { hears, digest } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const hour = typeof digest === 'number' && Number.isInteger(digest) && digest >= 0 && digest < 24 ? digest : null;
  return { hears: isHears(hears) ? hears : 'all', digest: hour };
}

function isHears(value: unknown): value is Hears {
  return typeof value === 'string' && Object.hasOwn(hearsChoices, value);
}

export interface RecordChoice {
  readonly is_on: boolean;
  readonly hears: Hears | null;
}
export interface KindChoice {
  readonly hears: Hears | null;
  readonly every: boolean;
}

/** The choice nearest to the record wins: at the record, for its kind, in general. */
export function heard(record: RecordChoice | undefined, kind: KindChoice | undefined, person: Hears): Hears {
  if (record?.hears) return record.hears;
  if (record && !record.is_on) return 'mentions';
  return kind?.hears ?? person;
}

export interface HeardMessage {
  readonly model: string;
  readonly kind: string;
  readonly body: string | null;
  readonly tracking: unknown;
}

/** Whether somebody who hears `level` is told of a message. */
export function isHeard(env: Pick<Env, 'registry'>, level: Hears, message: HeardMessage, uid: number): boolean {
  if (level === 'none') return false;
  if (level === 'all' || mentions(message, uid)) return true;
  return level === 'states' && isStateChange(env, message);
}

function isStateChange({ registry }: Pick<Env, 'registry'>, { model, kind, tracking }: HeardMessage): boolean {
  const states = registry.models.get(model)?.states;
  if (kind !== 'tracking' || !states) return false;
  const changes = Array.isArray(tracking) ? (tracking as readonly { readonly field: string }[]) : [];
  return changes.some(({ field }) => field === states.field || field === states.stages?.field);
}

export function mentions({ kind, body }: Pick<HeardMessage, 'kind' | 'body'>, uid: number): boolean {
  const href = recordPath('core.user', uid).replaceAll('&', '&amp;');
  return kind === 'comment' && body?.includes(`"${href}"`) === true;
}

/** What users hear, as the server: it is applied to what they are told, and shown to nobody else. */
export async function hearingOf(env: Env, people: readonly number[], model: string) {
  const server = env.sudo();
  const [settings, kinds] = await Promise.all([
    server.model('sys.user.setting').searchRead(
      [
        ['user_id', 'in', [...people]],
        ['key', '=', followingSetting],
      ],
      ['user_id', 'value'],
    ),
    server.model('mail.follow.kind').searchRead(
      [
        ['user_id', 'in', [...people]],
        ['model', '=', model],
      ],
      ['user_id', 'hears', 'every'],
    ),
  ]);
  const own = new Map(settings.map((row) => [row.user_id, followingIn(row.value)]));
  const kind = new Map(kinds.map((row) => [row.user_id, row]));
  return (uid: number, record: RecordChoice | undefined): OwnFollowing => {
    const { hears, digest } = own.get(uid) ?? followingIn(null);
    return { hears: heard(record, kind.get(uid), hears), digest };
  };
}

/** What one user hears of a record. As the server, and only to tell them. */
export async function hearsHere(
  env: Env,
  uid: number,
  { model, id }: { readonly model: string; readonly id: number },
): Promise<Hears> {
  const [row] = await env
    .sudo()
    .model('mail.follow')
    .searchRead(
      [
        ['user_id', '=', uid],
        ['model', '=', model],
        ['res_id', '=', id],
      ],
      ['is_on', 'hears'],
    );
  return (await hearingOf(env, [uid], model))(uid, row).hears;
}
