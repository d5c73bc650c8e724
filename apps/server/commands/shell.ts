import { sql } from '@kontor/database';
import { type Kernel, systemActor } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { Command } from './command.ts';
import { withKernel } from './open-source.ts';

export const shell: Command = {
  name: 'shell',
  takes: '',
  help: 'Opens a JavaScript prompt with access to this database, with all rights.',
  details: `  await read((env) => env.model('core.user').count([]))
  await change((env) => env.model('core.partner').create({ name: 'Nordlicht' }))
  await kernel.database.query(sql\`select 1 as one\`)
\`change\` runs one transaction, with events, and can be undone like the changes of a user.`,
  words: [0, 0],
  options: [
    {
      name: 'eval',
      short: 'e',
      value: 'CODE',
      help: 'Run the body of an async function, print its result as JSON, and exit.',
    },
  ],
  async run({ config, option }) {
    const code = option('eval');
    await withKernel(config, async (kernel) => {
      const words = wordsOf(kernel);
      if (code === undefined) return prompt(words);
      const result = await compile(code)(...Object.values(words));
      if (result !== undefined) console.log(JSON.stringify(result, null, 2));
    });
  },
};

function wordsOf(kernel: Kernel) {
  return {
    kernel,
    sql,
    read: <T>(work: (env: Env) => Promise<T>): Promise<T> => kernel.read(systemActor, work, { isSudo: true }),
    change: async <T>(work: (env: Env) => Promise<T>): Promise<T> =>
      (await kernel.transact(systemActor, work, { isSudo: true })).result,
  };
}

type AsyncCode = (...given: readonly unknown[]) => Promise<unknown>;
const AsyncFunction = (async () => {}).constructor as new (...parts: readonly string[]) => AsyncCode;

/** Input of an operator, who may do everything here anyway. */
function compile(code: string): AsyncCode {
  return new AsyncFunction('kernel', 'sql', 'read', 'change', code);
}

async function prompt(words: object): Promise<void> {
  // Imported only here: loading it wraps every event of the process.
  const { start } = await import('node:repl');
  const session = start({ prompt: 'kontor> ', useGlobal: false });
  Object.assign(session.context, words);
  return new Promise((resolve) => session.once('exit', () => resolve()));
}
