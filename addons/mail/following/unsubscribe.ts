import { type Env, type Text, text, type UnsubscribeScope } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';
import { withdrawWaiting } from './change-followers.ts';

/** What a link ends, and in which language its page is. */
export interface Ending {
  readonly lang: string | null;
  readonly asked: Text;
  /** What was ended, as a sentence. */
  readonly told: Text;
  readonly end: (env: Env) => Promise<void>;
  /** False if it cannot be taken back any more. */
  readonly resume: (env: Env) => Promise<boolean>;
}

/** Null for what is gone, and for links of other addons. As the server, here and below: nobody is signed in. */
export async function describeEnding(env: Env, scope: UnsubscribeScope): Promise<Ending | null> {
  const [kind, id, name, more] = scope;
  if (typeof id !== 'number' || typeof name !== 'string') return null;
  if (kind === 'notice') return endOfKind(env, id, { name, usual: String(more) });
  if (typeof more !== 'number' || !env.registry.models.get(name)?.chatter) return null;
  if (kind === 'record') return endOfRecord(env, id, { model: name, id: more });
  return kind === 'contact' ? endForContact(env, id, { model: name, id: more }) : null;
}

async function langOf(env: Env, uid: number): Promise<{ readonly lang: string } | null> {
  const [user] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', uid]], ['lang']);
  return user ?? null;
}

const noticesSetting = 'notices';
const ended: Readonly<Record<string, string>> = { both: 'client', client: 'client', mail: 'none', none: 'none' };
const resumed: Readonly<Record<string, string>> = { both: 'both', client: 'both', mail: 'mail', none: 'mail' };

/** One kind of notification, by mail. In the client it stays. */
async function endOfKind(
  env: Env,
  uid: number,
  { name, usual }: { readonly name: string; readonly usual: string },
): Promise<Ending | null> {
  const user = await langOf(env, uid);
  if (!user) return null;
  const settings = env.sudo().model('sys.user.setting');
  const change = async (next: Readonly<Record<string, string>>): Promise<void> => {
    const [row] = await settings.searchRead(
      [
        ['user_id', '=', uid],
        ['key', '=', noticesSetting],
      ],
      ['value'],
    );
    const ways = (typeof row?.value === 'object' && row.value !== null ? row.value : {}) as Record<string, unknown>;
    const value = { ...ways, [name]: next[String(ways[name] ?? usual)] ?? 'client' };
    if (row) await settings.write([row.id], { value });
    else await settings.create({ user_id: uid, key: noticesSetting, value });
  };
  return {
    lang: user.lang,
    asked: text('Stop getting e-mails like this one?'),
    told: text('You get no more e-mails like this one.'),
    end: () => change(ended),
    resume: async () => {
      await change(resumed);
      return true;
    },
  };
}

/** What a user hears of one record. The page does not name it: a link may be forwarded. */
async function endOfRecord(env: Env, uid: number, { model, id }: Thread): Promise<Ending | null> {
  const user = await langOf(env, uid);
  if (!user) return null;
  const follows = env.sudo().model('mail.follow');
  const change = async (hears: 'none' | null): Promise<void> => {
    const [row] = await follows.search([
      ['user_id', '=', uid],
      ['model', '=', model],
      ['res_id', '=', id],
    ]);
    if (row !== undefined) await follows.write([row], { hears });
    else if (hears !== null) await follows.create({ user_id: uid, model, res_id: id, hears });
  };
  return {
    lang: user.lang,
    asked: text('Stop getting e-mails and notifications about this record?'),
    told: text('You hear nothing more about this record.'),
    end: () => change('none'),
    resume: async () => {
      await change(null);
      return true;
    },
  };
}

/** What a contact gets of one record. A contact whom a colleague removed cannot come back by an old link. */
async function endForContact(env: Env, contact: number, { model, id }: Thread): Promise<Ending | null> {
  const server = env.sudo();
  const [partner] = await server.model('core.partner').searchRead([['id', '=', contact]], ['lang']);
  if (!partner) return null;
  const follows = server.model('mail.follow');
  const change = async (isOn: boolean): Promise<boolean> => {
    const [row] = await follows.search([
      ['partner_id', '=', contact],
      ['model', '=', model],
      ['res_id', '=', id],
    ]);
    if (row === undefined) return false;
    if (!isOn) await withdrawWaiting(env, row);
    await follows.write([row], { is_on: isOn });
    return true;
  };
  return {
    lang: partner.lang,
    asked: text('Stop getting copies of these messages?'),
    told: text('You get no more copies of these messages.'),
    end: async () => void (await change(false)),
    resume: () => change(true),
  };
}
