import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Model, neededFields } from '@kontor/orm';
import { createTestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outside, openOutside, root } from './compile-outside.ts';
import { doorExamples } from './door-examples.ts';

const { linksOf } = (await import(join(root, 'scripts/packages/guide-pages.mjs'))) as {
  linksOf(text: string): readonly string[];
};
const workshop = join(import.meta.dirname, 'workshop');

const refs = `
import type {} from '@kontor/addon';
declare module '@kontor/addon' {
  interface Refs {
    'library.group_desk': 'core.group';
    'library.first_shelf': 'library.shelf';
  }
}`;

const shelf = `
import './refs.ts';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/addon';

const shelfFields = { state: fields.selection({ open: 'Open', shut: 'Shut' }, { required: true, default: 'open' }) };
export interface Shelf extends FieldsOf<typeof shelfFields> {}
declare module '@kontor/addon' {
  interface Models {
    'library.shelf': Shelf;
  }
}
export async function named(env: Env) {
  await env.ref('library.first_shelf');
  // @ts-expect-error a record that no data file names
  await env.ref('library.first_shelv');
}
export const right = defineModel('library.shelf', {
  fields: shelfFields,
  states: { field: 'state' },
  moves: { shut: { from: 'open', to: 'shut', label: 'Shut', groups: ['library.group_desk'] } },
});
export const wrong = defineModel('library.shelf', {
  fields: shelfFields,
  states: { field: 'state' },
  // @ts-expect-error a record that is no group
  moves: { shut: { from: 'open', to: 'shut', label: 'Shut', groups: ['library.first_shelf'] } },
});`;

describe('the packed types', () => {
  let outside: Outside;
  beforeAll(async () => {
    outside = await openOutside();
  }, 300_000);
  afterAll(() => outside.remove());

  long(
    'PKG-14 know every shipped model: its fields, which of them create needs, its actions and its moves',
    {
      timeout: 120_000,
    },
    async () => {
      const names = (await shippedAddons()).filter((name) => name !== 'base');
      // As other tests want it, so that they share the template: mail is there by itself.
      const modules = names.filter((name) => name !== 'mail').sort();
      const world = await createTestKernel({ modules, demo: true });
      const models = [...world.kernel.registry.models.values()];
      await world.close();
      const file = [
        ...names.map((name) => `import '@addons/${name}';`),
        "import type { Calls, CreateValues, Models } from '@kontor/addon';",
        'type Same<A, B> = [A, B] extends [B, A] ? true : { ours: A; theirs: B };',
        'type Missing<Name extends keyof Models, Fields> = Exclude<Fields, keyof Models[Name] | "id">;',
        'type Needed<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T];',
        'type Uncalled<Name, Wanted> = Exclude<Wanted, Name extends keyof Calls ? keyof Calls[Name] : never>;',
        'type None<T> = [T] extends [never] ? true : { missing: T };',
        'export const known = [',
        ...models.flatMap(
          ({ name, fields }) => `  true satisfies Same<Missing<'${name}', ${unionOf([...fields.keys()])}>, never>,`,
        ),
        ...models.map((model) => {
          const needed = unionOf(neededFields(model).map((field) => field.name));
          return `  true satisfies Same<Needed<CreateValues<'${model.name}'>>, ${needed}>,`;
        }),
        ...models
          .filter((model) => callsOf(model).length > 0)
          .map((model) => `  true satisfies None<Uncalled<'${model.name}', ${unionOf(callsOf(model))}>>,`),
        '];',
      ].join('\n');
      expect(models.flatMap(callsOf).length).toBeGreaterThan(100);
      expect(await outside.compile({ 'models.ts': file })).toBe('');
    },
  );

  it('PKG-3 bring pages whose links lead somewhere', async () => {
    const pages = await outside.pages();
    const broken = [...pages].flatMap(([page, text]) =>
      linksOf(text)
        .map((link) => ({ page, link, target: posix.normalize(posix.join(posix.dirname(page), link)) }))
        .filter(({ target }) => !pages.has(target))
        .map(({ link }) => `${page}: ${link}`),
    );
    expect(pages.size).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });

  it('PKG-14 MOD-9 know the models of base by themselves, check names of records, and compile the example of README.md', {
    timeout: 120_000,
  }, async () => {
    const base = `import type { Env } from '@kontor/addon';
      export const codes = (env: Env) => env.model('core.currency').searchRead([], ['name', 'symbol']);
      export const jobs = (env: Env) => env.model('sys.cron').searchRead([], ['name']);
      // @ts-expect-error a field that no model declares
      export const wrong = (env: Env) => env.model('core.country').searchRead([], ['nmae']);`;
    const [, book = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
    expect(book).toContain('defineModel');
    const files = { 'base.ts': base, 'refs.ts': refs, 'shelf.ts': shelf, 'models/book.ts': book };
    expect(await outside.compile(files)).toBe('');
  });

  long('MOD-9 compile the examples of docs/writing-an-addon.md', { timeout: 120_000 }, async () => {
    const page = await readFile(join(root, 'docs/writing-an-addon.md'), 'utf8');
    const examples = [...page.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, , code = '']) => code);
    const server = examples.filter((code) => !code.includes('@kontor/client'));
    const files = server.map((code) => [/^ *\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `unnamed: ${code}`, code]);
    expect(files.map(([name = '']) => name).filter((name) => !name.endsWith('.ts'))).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(7);
    expect(await outside.compile(Object.fromEntries(files))).toBe('');
  });

  long(
    'MOD-9 REF-2 REF-4 compile the examples of comments, the addon that others are cut from, and the tutorial',
    {
      timeout: 120_000,
    },
    async () => {
      const files: Record<string, string> = { ...doorExamples() };
      expect(Object.keys(files).length).toBeGreaterThan(80);
      for (const entry of await readdir(workshop, { recursive: true })) {
        if (entry.endsWith('.ts')) files[`workshop/${entry}`] = await readFile(join(workshop, entry), 'utf8');
      }
      for (const [name, text] of await tutorialFiles()) files[`tutorial/${name}`] = text;
      expect(await outside.compile(files)).toBe('');
    },
  );

  long(
    'REF-5 REF-2 compile the recipes of docs/cookbook.md, and the examples of the reference of @kontor/testing',
    {
      timeout: 120_000,
    },
    async () => {
      const page = await readFile(join(root, 'docs/cookbook.md'), 'utf8');
      const files = filesOfPage(page).filter(([name]) => name.endsWith('.ts'));
      expect(files.length).toBe(page.match(/^ *```ts$/gm)?.length);
      const testing = await readFile(join(root, 'packages/testing/examples/testing.ts'), 'utf8');
      expect(await outside.compile({ ...Object.fromEntries(files), 'testing.ts': testing })).toBe('');
    },
  );

  long('TXT-6 know the values of a text, and of those that ship with Kontor', { timeout: 120_000 }, async () => {
    const call = (values: string) => `import { defineText, type Env, renderText } from '@kontor/addon';
const bill = defineText('shop.bill', {
  label: 'Bill',
  body: ['{name} owes {amount}.', 'Due on {due}.'],
  values: {
    name: { label: 'Name', sample: 'Bo' },
    amount: { label: 'Amount', type: 'amount', sample: '1' },
    due: { label: 'Due', type: 'date', sample: '2026-10-25', optional: true },
  },
});
export const said = (env: Env, amount: Parameters<typeof renderText<typeof bill>>[3]['amount']) =>
  renderText(env, bill, { lang: 'de_DE' }, ${values});
`;
    const wrong = await outside.compile({
      'right.ts': call("{ name: 'Bo', amount, due: null }"),
      'missing.ts': call("{ name: 'Bo', amount }"),
      'type.ts': call("{ name: 'Bo', amount: 5, due: null }"),
      'empty.ts': call('{ name: null, amount, due: null }'),
    });
    expect(new Set(wrong.match(/^\w+\.ts(?=\()/gm))).toEqual(new Set(['missing.ts', 'type.ts', 'empty.ts']));
  });

  long(
    'MOD-9 REF-2 compile the browser code of docs/writing-an-addon.md, and the examples of the reference of @kontor/client',
    {
      timeout: 120_000,
    },
    async () => {
      const page = await readFile(join(root, 'docs/writing-an-addon.md'), 'utf8');
      const examples = [...page.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)].filter(([, , code]) =>
        code?.includes('@kontor/client'),
      );
      const files = examples.map(([, type, code = '']) => [
        `${/^\/\/ client\/(\S+)\.tsx?\n/.exec(code)?.[1]}.${type}`,
        code,
      ]);
      expect(files.map(([name]) => name)).toEqual(['index.ts', 'hours-bar.tsx', 'tiles.tsx']);
      const client = await readFile(join(root, 'packages/client/examples/client.tsx'), 'utf8');
      const styles = [...client.matchAll(/^import '\.\/(.+\.css)';$/gm)].map(([, name = '']) => [
        `reference/${name}`,
        '',
      ]);
      const reference = { ...Object.fromEntries(styles), 'reference/client.tsx': client };
      expect(await outside.compileClient({ ...Object.fromEntries(files), 'hours-bar.css': '', ...reference })).toBe('');
    },
  );

  long(
    'CHK-9 kontor check reports every mistake of docs/mistakes.md in one run, as the page says',
    {
      timeout: 120_000,
    },
    async () => {
      const page = await readFile(join(root, 'docs/mistakes.md'), 'utf8');
      const [, told = ''] = /^```\n([\s\S]*?)\n```$/m.exec(page) ?? [];
      const mistakes = told.split('\n').filter((line) => !line.startsWith(' '));
      expect(page).toContain(`has ${mistakes.length} mistakes`);
      expect(mistakes.length).toBeGreaterThanOrEqual(24);
      // Each has a line that says what to write instead.
      expect(told.split('\n').filter((line) => line.startsWith('    '))).toHaveLength(mistakes.length);
      const said = await outside.check('yard', Object.fromEntries(filesOfPage(page)));
      expect(said.slice(0, -1)).toEqual(told.split('\n'));
      expect(said.at(-1)).toContain(`yard: ${mistakes.length} errors`);
    },
  );

  it('MOD-9 leave no TypeScript in docs/ that no test compiles', async () => {
    const pages = (await readdir(join(root, 'docs'), { recursive: true })).filter(
      (name) => name.endsWith('.md') && !name.startsWith('adr/') && !name.startsWith('reference/'),
    );
    const texts = await Promise.all(pages.map((name) => readFile(join(root, 'docs', name), 'utf8')));
    const written = pages.filter((_, index) => /^ *```tsx?$/m.test(texts[index] ?? ''));
    // docs/clients.md is compiled with types of its own, in CLT-7; the reference is generated from code that is.
    expect(written.sort()).toEqual(['clients.md', 'cookbook.md', 'mistakes.md', 'tutorial.md', 'writing-an-addon.md']);
  });
});

async function shippedAddons(): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'addons'), { withFileTypes: true });
  return entries.filter((each) => each.isDirectory()).map(({ name }) => name);
}

const standardCalls = new Set(['action_copy', 'action_reorder', 'action_archive', 'action_unarchive']);

/** Actions and moves that a model declares. */
function callsOf({ actions }: Model): readonly string[] {
  return [...actions.keys()].filter((name) => !standardCalls.has(name)).map((name) => name.replace(/^action_/, ''));
}

function unionOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ') || 'never';
}

/** Under another name: examples in comments use a library too. Its tests are compiled where they run. */
async function tutorialFiles(): Promise<readonly (readonly [string, string])[]> {
  const page = await readFile(join(root, 'docs/tutorial.md'), 'utf8');
  return filesOfPage(page)
    .filter(([name]) => name.endsWith('.ts') && !name.startsWith('tests/'))
    .map(([name, text]) => [name, text.replaceAll("'library.", "'tutorial.")] as const);
}

/** The files that a page shows, each below its name. */
function filesOfPage(page: string): readonly (readonly [name: string, text: string])[] {
  return [...page.matchAll(/^`([^`\n]+)`\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
}
