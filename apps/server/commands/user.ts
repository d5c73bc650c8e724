import { type Kernel, systemActor } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { removeFactors } from '@kontor/parts';
import { type Command, UsageError } from './command.ts';
import { withKernel } from './open-source.ts';
import { readSecret } from './read-secret.ts';

export const user: Command = {
  name: 'user',
  takes: 'list | add LOGIN | password LOGIN | enable LOGIN | disable LOGIN | admin LOGIN | factors LOGIN',
  help: 'Lists, adds, enables and disables users, and resets passwords and second factors.',
  details: `A new password, from a prompt, --password-file or standard input, ends the sessions of that user.
"admin" makes a user an administrator; "factors" removes their second factors, so that the password is enough.`,
  words: [1, 2],
  options: [
    { name: 'name', value: 'NAME', help: 'With add: the name of the user; default: the login.' },
    { name: 'admin', help: 'With add: as an administrator.' },
    {
      name: 'password-file',
      value: 'FILE',
      help: 'With add and password: the password, in the first line of this file.',
    },
  ],
  async run({ config, words: [what = '', login = ''], option, has }) {
    const change = changes[what];
    if (what !== 'list' && !change) throw new UsageError(`Unknown: kontor user ${what}. See kontor user --help.`);
    if (what !== 'list' && login === '') throw new UsageError(`LOGIN is missing. Usage: kontor user ${what} LOGIN.`);
    const needsPassword = what === 'add' || what === 'password';
    const password = needsPassword ? await readSecret('Password', option('password-file')) : '';
    await withKernel(config, async (kernel) => {
      if (!(await kernel.isInitialised())) throw new Error('Kontor is not set up yet. See kontor setup --help.');
      if (!change) return list(kernel);
      await change(kernel, {
        login: login.trim().toLowerCase(),
        password,
        name: option('name'),
        isAdmin: has('admin'),
      });
      console.log(`${login}: ${done[what]}`);
    });
  },
};

interface Wanted {
  readonly login: string;
  readonly password: string;
  readonly name: string | undefined;
  readonly isAdmin: boolean;
}

const done: Readonly<Record<string, string>> = {
  add: 'added',
  password: 'has a new password',
  enable: 'may sign in',
  disable: 'may not sign in any more',
  admin: 'is an administrator',
  factors: 'signs in with the password alone',
};

const changes: Readonly<Record<string, (kernel: Kernel, wanted: Wanted) => Promise<void>>> = {
  add: (kernel, { login, password, name, isAdmin }) =>
    changing(kernel, async (env) => {
      const [first] = await env.model('core.company').search([], { order: 'id', limit: 1 });
      await env.model('core.user').create({
        login,
        password,
        name: name ?? login,
        ...(login.includes('@') ? { email: login } : {}),
        ...(first === undefined ? {} : { company_id: first }),
        ...(isAdmin ? { group_ids: [['set', [await env.ref('base.group_system')]]] } : {}),
      });
    }),
  password: (kernel, { login, password }) => writeUser(kernel, login, async () => ({ password })),
  enable: (kernel, { login }) => writeUser(kernel, login, async () => ({ active: true })),
  disable: (kernel, { login }) => writeUser(kernel, login, async () => ({ active: false })),
  factors: (kernel, { login }) =>
    changing(kernel, async (env) => {
      for (const id of await findUsers(env, login)) {
        await removeFactors(env, id);
      }
    }),
  admin: (kernel, { login }) =>
    writeUser(kernel, login, async (env) => ({ group_ids: [['link', await env.ref('base.group_system')]] })),
};

type SystemEnv = ReturnType<typeof typedEnv>;
type UserValues = Parameters<ReturnType<SystemEnv['model']>['write']>[1];

async function changing(kernel: Kernel, work: (env: SystemEnv) => Promise<void>): Promise<void> {
  await kernel.transact(systemActor, (env) => work(typedEnv(env)), { isSudo: true });
}

function writeUser(kernel: Kernel, login: string, values: (env: SystemEnv) => Promise<UserValues>): Promise<void> {
  return changing(kernel, async (env) => {
    await env.model('core.user').write(await findUsers(env, login), await values(env));
  });
}

async function findUsers(env: SystemEnv, login: string): Promise<readonly number[]> {
  const ids = await env.model('core.user').search([['login', '=', login]]);
  if (ids.length === 0) throw new Error(`There is no user with the login ${login}. See kontor user list.`);
  return ids;
}

async function list(kernel: Kernel): Promise<void> {
  const lines = await kernel.read(
    systemActor,
    async (untyped) => {
      const env = typedEnv(untyped);
      const admins = await env.ref('base.group_system');
      const people = await env
        .model('core.user')
        .searchRead([], ['login', 'name', 'active', 'group_ids'], { order: 'login' });
      return people.map(({ login, name, active, group_ids }) => {
        const notes = [
          ...(group_ids.includes(admins) ? ['administrator'] : []),
          ...(active ? [] : ['may not sign in']),
        ];
        return [login, name, notes.join(', ')].filter(Boolean).join('\t');
      });
    },
    { isSudo: true },
  );
  for (const line of lines) console.log(line);
}
