import { type Kernel, systemActor } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { createApiKey, type KeyAgent, overlapHours, readHeld, readScope, rotateApiKey } from '@kontor/parts';
import { type Command, type Given, UsageError } from './command.ts';
import { withKernel } from './open-source.ts';

export const key: Command = {
  name: 'key',
  takes: 'list | create | rotate ID | end ID',
  help: 'Creates, lists, rotates and ends API keys.',
  details: `"create" and "rotate" print the secret once, alone on standard output. A rotated key has two secrets until the overlap
ends; "list" shows when each was last used. "end" disables the key; with --old only the old secret.`,
  words: [1, 2],
  options: [
    {
      name: 'user',
      value: 'LOGIN',
      help: 'With create: the user that the key acts for. With list: keys of this user.',
    },
    { name: 'name', value: 'NAME', help: 'With create: the purpose of the key.' },
    {
      name: 'scope',
      value: 'JSON',
      help: 'With create: methods by model, such as \'{"sale.order": ["read"]}\'; default: everything that the user may do.',
    },
    {
      name: 'agent',
      value: 'NAME',
      help: 'With create: the key is that of an agent of this name, and its changes are marked.',
    },
    {
      name: 'held',
      value: 'JSON',
      help: 'With --agent: operations by model that need approval, such as \'{"*": ["unlink", "call"]}\'; default: none.',
    },
    { name: 'approver', value: 'LOGIN', help: 'With --agent: who decides; default: the user of the key.' },
    { name: 'rate', value: 'N', help: 'With create: calls per minute, within the limit of the user.' },
    {
      name: 'expires',
      value: 'WHEN',
      help: 'With create: its last day, such as 2027-01-31, a duration such as 90d or 12h, or never; default: 90d.',
    },
    {
      name: 'overlap',
      value: 'TIME',
      help: 'With rotate: how long the old secret stays valid, such as 0h, 12h or 7d; default: 24h.',
    },
    { name: 'old', help: 'With end: only the old secret.' },
    { name: 'all', help: 'With list: include expired keys.' },
  ],
  async run(given) {
    const [what = '', id = ''] = given.words;
    const run = Object.hasOwn(runs, what) ? runs[what] : undefined;
    if (!run) throw new UsageError(`Unknown: kontor key ${what}. See kontor key --help.`);
    const needsId = what === 'rotate' || what === 'end';
    if (needsId && !/^[1-9]\d{0,8}$/.test(id)) {
      throw new UsageError(`ID is missing. Usage: kontor key ${what} ID. See kontor key list.`);
    }
    if (!needsId && id !== '') throw new UsageError(`"${id}" is an unexpected argument. See kontor key --help.`);
    const work = run(given);
    await withKernel(given.config, async (kernel) => {
      if (!(await kernel.isInitialised())) throw new Error('Kontor is not set up yet. See kontor setup --help.');
      await work(kernel);
    });
  },
};

type Work = (kernel: Kernel) => Promise<void>;

/** Parses the arguments before a database is opened. */
const runs: Readonly<Record<string, (given: Given) => Work>> = {
  create(given) {
    const { option } = given;
    const login = option('user')?.trim().toLowerCase() ?? '';
    if (login === '') throw new UsageError('--user is missing. Usage: kontor key create --user LOGIN --name NAME.');
    const rate = rateOf(option('rate'));
    const scope = readScope(option('scope'));
    const expiresAt = endOf(option('expires') ?? '90d');
    const agentOf = readAgent(given);
    return async (kernel) => {
      const { id, secret } = await changing(kernel, async (env) => {
        const userId = await userOf(env, login);
        const agent = await agentOf(env);
        return createApiKey(env, { userId, name: option('name')?.trim() ?? '', expiresAt, scope, rate, ...agent });
      });
      console.error(
        `Key ${id} of ${login}, ${expiresAt === null ? 'without an end' : `until ${expiresAt}`}. Its secret, once:`,
      );
      console.log(secret);
    };
  },
  rotate({ words: [, id], option }) {
    const overlap = option('overlap');
    const hours = overlap === undefined ? overlapHours.usual : hoursOf(overlap);
    return async (kernel) => {
      const { name, secret, oldEnds } = await changing(kernel, (env) => rotateApiKey(env, Number(id), hours));
      const end = oldEnds === null ? 'has ended' : `works until ${oldEnds}`;
      console.error(`Key ${id}, ${name}: the old secret ${end}. The new secret, shown once:`);
      console.log(secret);
    };
  },
  end({ words: [, id], has }) {
    return async (kernel) => {
      await changing(kernel, async (env) => {
        const keys = typedEnv(env).model('core.user.apikey');
        if (has('old')) await keys.call([Number(id)], 'end_old_secret', {});
        else await keys.write([Number(id)], { active: false });
      });
      console.log(`Key ${id}: ${has('old') ? 'the old secret has ended' : 'has ended'}`);
    };
  },
  list({ option, has }) {
    return async (kernel) => {
      const lines = await kernel.read(systemActor, (env) => listed(env, option('user'), has('all')), { isSudo: true });
      for (const line of lines) console.log(line);
    };
  },
};

/** The same checks as in the client; an operator on the machine is not limited by user rights. */
async function changing<T>(kernel: Kernel, work: (env: Env) => Promise<T>): Promise<T> {
  return (await kernel.transact(systemActor, work, { isSudo: true, via: 'kontor key' })).result;
}

/** The agent of a new key, once there is a database to find its approver in. */
function readAgent({ option }: Given): (env: Env) => Promise<{ readonly agent?: KeyAgent }> {
  const name = option('agent')?.trim();
  if (name === undefined) {
    for (const word of ['held', 'approver']) {
      if (option(word) !== undefined) throw new UsageError(`--${word} is for the key of an agent: add --agent NAME.`);
    }
    return async () => ({});
  }
  if (name === '') throw new UsageError('--agent needs a name.');
  const held = readHeld(option('held'));
  const approver = option('approver')?.trim().toLowerCase();
  return async (env) => ({
    agent: { name, held, approverId: approver === undefined ? null : await userOf(env, approver) },
  });
}

async function userOf(env: Env, login: string): Promise<number> {
  const [id] = await env.model('core.user').search([['login', '=', login]]);
  if (id === undefined) throw new Error(`There is no user with the login ${login}. See kontor user list.`);
  return id;
}

async function listed(untyped: Env, login: string | undefined, isAll: boolean): Promise<readonly string[]> {
  const env = typedEnv(untyped);
  const fields = ['name', 'prefix', 'user_id.login', 'active', 'expires_at', 'rate', 'scope', 'last_used_at'] as const;
  const old = ['old_prefix', 'old_expires_at', 'old_last_used_at'] as const;
  const domain =
    login === undefined ? [] : ([['user_id', '=', await userOf(untyped, login.trim().toLowerCase())]] as const);
  const now = env.now.toISOString();
  const keys = await env.model('core.user.apikey').searchRead([...domain], [...fields, ...old], { order: 'id' });
  return keys.flatMap((one) => {
    const isOver = !one.active || (one.expires_at !== null && one.expires_at <= now);
    if (isOver && !isAll) return [];
    const notes = [
      used(one.last_used_at),
      ...(isOver ? ['has ended'] : one.expires_at === null ? [] : [`until ${one.expires_at}`]),
      ...(one.rate === null ? [] : [`${one.rate} calls per minute`]),
      ...(one.scope === null ? [] : [`scope ${JSON.stringify(one.scope)}`]),
    ];
    const line = [one.id, one.name, one['user_id.login'], `${one.prefix}…`, notes.join(', ')].join('\t');
    if (isOver || one.old_expires_at === null || one.old_expires_at <= now) return [line];
    return [line, `\told secret\t\t${one.old_prefix}…\t${used(one.old_last_used_at)}, until ${one.old_expires_at}`];
  });
}

function used(at: string | null): string {
  return at === null ? 'never used' : `last used ${at}`;
}

function rateOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  throw new UsageError(`--rate has the value "${given}", which is not a number of calls per minute.`);
}

const forms = 'Use a day such as 2027-01-31, a time such as 90d or 12h, or never.';

function endOf(given: string): string | null {
  if (given === 'never') return null;
  if (/^\d+[dh]$/.test(given)) return new Date(Date.now() + hoursOf(given) * 3_600_000).toISOString();
  // A day that its month does not have would roll over into the next.
  const day = /^\d{4}-\d{2}-\d{2}$/.test(given) ? new Date(`${given}T23:59:59Z`) : null;
  if (!day || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(given))
    throw new UsageError(`--expires has the value "${given}". ${forms}`);
  return day.toISOString();
}

function hoursOf(given: string): number {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(given) ?? [];
  if (count === undefined) throw new UsageError(`"${given}" is not a time. Use one such as 12h or 7d.`);
  return Number(count) * (unit === 'd' ? 24 : 1);
}
