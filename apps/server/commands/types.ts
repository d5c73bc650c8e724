import { writeFileSync } from 'node:fs';
import { type Config, openApi, openModels, systemActor, typescriptOf } from '@kontor/kernel';
import type { Command } from './command.ts';
import { withKernel } from './open-source.ts';
import { readSecret } from './read-secret.ts';

export const types: Command = {
  name: 'types',
  takes: '[URL | DSN]',
  help: 'Generates TypeScript types of all models, for programs that use @kontor/rpc.',
  details: `From a running server, by its address and an API key (in KONTOR_KEY, --key-file or on standard input): what that key may use.
From a database, by its DSN or as configured: everything. In the program: createClient<Models>({ url, key }).`,
  words: [0, 1],
  options: [
    { name: 'output', short: 'o', value: 'FILE', help: 'The file to write; default: standard output.' },
    { name: 'key-file', value: 'FILE', help: 'The API key, in the first line of this file.' },
    { name: 'openapi', help: 'Write the OpenAPI document instead of types.' },
  ],
  async run({ config, words: [from = ''], option, has }) {
    const page = /^https?:/.test(from) ? await askServer(from, option('key-file')) : await readDatabase(config, from);
    const text = has('openapi') ? `${JSON.stringify(page, null, 2)}\n` : typescriptOf(page);
    const file = option('output');
    if (file === undefined) return void process.stdout.write(text);
    writeFileSync(file, text);
    console.log(file);
  },
};

async function askServer(address: string, keyFile: string | undefined): Promise<unknown> {
  const given = keyFile === undefined ? process.env.KONTOR_KEY : undefined;
  const key = given || (await readSecret('API key', keyFile));
  const url = new URL('/web/openapi.json', address);
  const response = await fetch(url, { headers: { 'x-api-key': key, accept: 'application/json' }, redirect: 'error' });
  const page = (await response.json()) as { openapi?: string; error?: { message: string } };
  if (page.openapi !== undefined) return page;
  throw new Error(page.error?.message ?? `${url} answered ${response.status} without an OpenAPI document.`);
}

/** With all rights: the operator has the database. Secrets are not included. */
function readDatabase(config: Config, dsn: string): Promise<unknown> {
  return withKernel(dsn === '' ? config : { ...config, dbDsn: dsn }, (kernel) =>
    kernel.read(systemActor, async (env) => openApi(openModels(env, null), config.baseUrl), { isSudo: true }),
  );
}
