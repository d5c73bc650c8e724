import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-faulty-'));
const model = `import { defineModel, fields } from '@kontor/addon';

export const faultyThing = defineModel('faulty.thing', {
  fields: {
    name: fields.char({ required: true }),
    length: fields.integer({ computed: true }),
  },
  computes: {
    length: { depends: ['name'], value: ({ name }) => lengthOf(name as string) },
  },
  actions: {
    stumble: {
      label: 'Stumble',
      run() {
        throw new Error('The floor was wet.');
      },
    },
  },
});

function lengthOf(name: string): number {
  if (name === 'bad') throw new TypeError('no such length');
  return name.length;
}
`;
const lineOf = (text: string) => model.split('\n').findIndex((line) => line.includes(text)) + 1;
const file = join(folder, 'faulty/models/thing.ts');

let author: TestServer;
beforeAll(async () => {
  const files = {
    'manifest.json': JSON.stringify({ name: 'faulty', label: 'Faulty', version: '1.0.0', depends: ['base'] }),
    'addon.ts': `import { defineAddon } from '@kontor/addon';
import { faultyThing } from './models/thing.ts';
export default defineAddon({ models: [faultyThing] });
`,
    'models/thing.ts': model,
    'security/access.csv':
      'id,name,model,group,read,write,create,unlink\naccess_thing,Users,faulty.thing,base.group_user,1,1,1,1\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'faulty', path)), { recursive: true });
    writeFileSync(join(folder, 'faulty', path), text);
  }
  author = await startTestServer({ addonsPath: [folder], modules: ['faulty'], env: { KONTOR_DEV_MODE: 'true' } });
});
afterAll(async () => {
  await author?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function failure(browser: Browser, body: object) {
  return Browser.errorOf(await browser.json('/api/rpc', body));
}

describe('an error in the code of an addon', () => {
  it('DEV-1 says in development what went wrong, in which compute, and in which line of the author', async () => {
    const browser = await author.signedIn();
    const id = await browser.rpc<number>('faulty.thing', 'create', [{ name: 'bad' }]);
    const read = { model: 'faulty.thing', method: 'read', args: [[id], ['length']] };
    expect(await failure(browser, read)).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: {
        error: 'The compute of faulty.thing.length failed: no such length',
        file,
        line: lineOf('new TypeError'),
      },
    });
    const call = { model: 'faulty.thing', method: 'call', args: [id, 'action_stumble'] };
    expect(await failure(browser, call)).toMatchObject({
      details: { error: 'The floor was wet.', file, line: lineOf('wet') },
    });
  });

  it('DEV-2 has traces in the log that point into the author’s source', () => {
    const failed = author.log.filter((line) => line.includes('The floor was wet.')).at(-1) ?? '';
    expect(failed).toContain(`${file}:${lineOf('wet')}:`);
    expect(failed).not.toMatch(/faulty-[0-9a-f]{20}\.mjs/);
    const compute = author.log.filter((line) => line.includes('no such length')).at(-1) ?? '';
    expect(compute).toContain(`${file}:${lineOf('new TypeError')}:`);
  });

  it('DEV-8 shows where the elements of a view come from, to those who may read its records', async () => {
    const browser = await author.signedIn();
    const view = async (address: string) => browser.get(address);
    const answer = await view('/web/dev/view?model=core.partner&type=form');
    const { result } = (await answer.json()) as { result: { view: string; root: { tag: string; origin: string } } };
    expect(result).toMatchObject({
      view: 'base.partner_form',
      extensions: [],
      root: { tag: 'form', xpath: '/form', origin: expect.stringMatching(/^base: views\/partner\.xml:\d+$/) },
    });
    expect((await view('/web/dev/view?model=core.partnr&type=form')).status).toBe(404);
    expect((await view('/web/dev/view?model=core.partner&type=nothing')).status).toBe(404);
    expect((await author.browser().get('/web/dev/view?model=core.partner&type=form')).status).not.toBe(200);
    const kim = await author.user('Kim');
    expect((await kim.browser.get('/web/dev/view?model=sys.rule&type=form')).status).toBe(403);
  });

  it('DEV-3 tells callers of a server in use nothing but the id of the request', async () => {
    const world = await startTestServer({ addonsPath: [folder], modules: ['faulty'] });
    try {
      const browser = await world.signedIn();
      const id = await browser.rpc<number>('faulty.thing', 'create', [{ name: 'bad' }]);
      const { code, details } = await failure(browser, {
        model: 'faulty.thing',
        method: 'call',
        args: [id, 'action_stumble'],
      });
      expect([code, Object.keys(details ?? {})]).toEqual(['INTERNAL_ERROR', ['request_id']]);
      expect((await browser.get('/web/dev/view?model=core.partner&type=form')).status).toBe(404);
    } finally {
      await world.close();
    }
  });
});
