import { join } from 'node:path';
import { root } from './compile-outside.ts';

interface Declared {
  readonly doc: string;
  readonly examples: readonly string[];
}
interface DoorExport {
  readonly name: string;
  readonly declared: string;
  readonly isType: boolean;
}
interface Page {
  readonly pages: ReadonlyMap<string, string>;
  readonly gaps: readonly string[];
}

const source = (await import(join(root, 'scripts/reference/read-source.mjs'))) as {
  declarations(): ReadonlyMap<string, Declared>;
  doorExports(): ReadonlyMap<string, DoorExport>;
};
/** Makes the pages of docs/reference. */
export const { referencePages } = (await import(join(root, 'scripts/reference.mjs'))) as { referencePages(): Page };

/** What the door gives, as its own text says. */
export const exported = [...source.doorExports().values()];

/** The examples in the comments of what the door gives, as modules: each may use whatever the door gives. */
export function doorExamples(): Readonly<Record<string, string>> {
  const declared = source.declarations();
  return Object.fromEntries(
    exported.map(({ name, declared: original, isType }) => {
      const examples = declared.get(original)?.examples ?? [];
      // `Html` beside `html` would be the same file to the compiler.
      const kind = isType ? 'type' : /^[A-Z]/.test(name) ? 'class' : 'value';
      return [`${kind}-${name}.ts`, moduleOf(examples.join('\n\n'))];
    }),
  );
}

function moduleOf(example: string): string {
  const isUsed = ({ name }: DoorExport) =>
    new RegExp(`(?<!\\w\\.|['/])\\b${name}\\b(?!')`).test(example) && !new RegExp(`interface ${name}\\b`).test(example);
  const imports = exported.filter(isUsed).map(({ name, isType }) => (isType ? `type ${name}` : name));
  return `import '@addons/base';\nimport { ${imports.join(', ')} } from '@kontor/addon';\n${example}\nexport {};\n`;
}

/** What the examples are called with, by the names of their parameters; code of the job below. */
const samples: Readonly<Record<string, string>> = {
  env: 'env',
  id: 'partnerId',
  partnerId: 'partnerId',
  orderId: 'partnerId',
  requestId: 'requestId',
  userId: 'env.uid',
  model: "'core.partner'",
  name: "'Europe/Berlin'",
  lang: "'de_DE'",
  title: "'Faust'",
  book: "{ id: 1, name: 'Faust' }",
  reader: "'Ada'",
  to: "'ada@example.com'",
  body: "'Here it is.'",
  iban: "'DE89370400440532013000'",
  email: "'ada@example.com'",
  at: 'env.now.toISOString()',
  state: "'open'",
  key: "'order:1'",
  tomorrow: 'env.now.toISOString()',
  text: 'texts[0]!',
  companyId: 'env.actor.companyId',
  contact: 'partnerId',
  token: "'a.b'",
  written: "'Hello {name}'",
  values: "new Map([['name', 'Ada']])",
  said: "{ subject: 'News', paragraphs: ['Here they are.'] }",
  mail: "composeMail({ to: 'ada@example.com', subject: 'News', paragraphs: ['Here they are.'] })",
  spec: "{ name: 'library.news', label: text('News'), usual: 'both' }",
  terms: "'Payable at once.'",
  tag: "{ name: 'amount', text: '5', attributes: {}, tags: [] }",
  content: 'Buffer.from(\'<a><b currency="EUR"/></a>\')',
  changedTextId: 'changedTextId',
  outcome: "'sent'",
  found: '1',
  taken: '1',
  seats: '2',
  free: '3',
  sheet: 'sheet',
  company: "{ name: 'Nordlicht' }",
  partner: 'partner',
  call: 'all',
  cursor: "'now'",
  url: "'http://127.0.0.1/'",
  result: "{ kind: 'failure', reason: 'late', detail: 'Nothing was said.', ms: 1 }",
};

/** An addon with every example in it: it brings the models that they declare, and a job that calls their functions. */
export function addonOfExamples(): Readonly<Record<string, string>> {
  const files = doorExamples();
  const modules = Object.keys(files);
  const calls = modules.flatMap((file, at) =>
    functionsOf(files[file] ?? '').map(({ name, given }) => `await example${at}.${name}(${given.join(', ')});`),
  );
  const addon = `import { composeMail, defineAddon, text, openPersonalData, openSheet } from '@kontor/addon';
${modules.map((file, at) => `import * as example${at} from './${file}';`).join('\n')}

const modules: readonly object[] = [${modules.map((_, at) => `example${at}`).join(', ')}];
const named = modules.flatMap((each) => Object.entries(each).filter(([name]) => name !== 'default').flatMap(([, value]) => value));
const isOf = (value: unknown, kinds: readonly unknown[]): value is never =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
const models = named.filter((value) => isOf(value, ['model', 'inherit']));
const texts = named.filter((value) => isOf(value, ['text']));

export default defineAddon({
  models,
  texts,
  jobs: [
    {
      name: 'run_examples',
      run: async ({ env }) => {
        const [partnerId = 0] = await env.model('core.partner').search([], { limit: 1 });
        const [partner] = await env.model('core.partner').load([partnerId], ['city', 'country_id.code']);
        const { redirect } = await openPersonalData(env, 'core.partner', partnerId);
        const requestId = Number(/[?&]id=(\\d+)/.exec(redirect)?.[1]);
        const [textId = 0] = await env.model('sys.text').search([], { limit: 1 });
        const changedTextId = await env.model('sys.text.edit').create({ text_id: textId });
        const sheet = await openSheet(env, { title: 'Examples', author: 'Kontor', lang: 'en_US' });
        const records = { ids: [partnerId], load: async () => [partner], only: async () => partner };
        const step = (work: (given: typeof env) => unknown) => work(env);
        const { signal } = new AbortController();
        const all = { env, step, signal, records, answers: { note: 'Seen' }, params: { city: 'Oslo' }, today: '2026-11-16', cells: ['1', '2'] };
        ${calls.join('\n        ')}
        void [sheet, requestId, changedTextId, all];
      },
    },
  ],
});
`;
  const manifest = { name: 'examples', label: 'Examples', version: '1.0', depends: ['base'] };
  return { ...files, 'addon.ts': addon, 'manifest.json': JSON.stringify(manifest) };
}

/** The functions that a module exports, with something to call each with. */
function functionsOf(text: string): readonly { readonly name: string; readonly given: readonly string[] }[] {
  const declared =
    /^export (?:(?:async )?function (\w+)|const (\w+) = (?:async )?)\(((?:[^()]|\([^()]*\))*)\)(?=[^\n]*(?:\{|=>))/gm;
  return [...text.matchAll(declared)].map(([, named, assigned, parameters = '']) => {
    const name = named ?? assigned ?? '';
    const given = splitParameters(parameters).map((parameter) => {
      if (parameter.startsWith('{')) return 'all';
      const sample = samples[/^\w+/.exec(parameter)?.[0] ?? ''];
      if (sample === undefined)
        throw new Error(`The example ${name} has a parameter to which nothing is given: ${parameter}`);
      return sample;
    });
    return { name, given };
  });
}

function splitParameters(text: string): readonly string[] {
  const parts = text.split(/,(?![^{<(]*[}>)])/).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
