import { dirname, join } from 'node:path';
import { declarations, declaredIn, textOf } from './read-source.mjs';
import { addGap, fence } from './sections.mjs';

/** The text of docs/reference/client.md. */
export function clientPage() {
  return packagePage({
    name: '@kontor/client',
    intro:
      'Everything that the browser code of an addon imports. The page provides it, so that every addon shares one React, one router and one record cache.',
    doors: Object.keys(clientTopics),
    topics: clientTopics,
    elsewhere: {
      RecordValues: 'A record as it is on the wire, its `id` in it.',
      Values: 'Values by the names of fields.',
    },
    examples: 'packages/client/examples/client.tsx',
    language: 'tsx',
  });
}

/** What the views of the client are made of, beyond what examples show. */
const clientTopics = {
  'apps/web/door/views.ts': 'More for views',
  'apps/web/door/screens.ts': 'More about screens, URLs and searches',
  'apps/web/door/records.ts': 'More about records',
  'apps/web/door/form.ts': 'The state of a form',
  'apps/web/door/chatter.ts': 'The discussion of a record',
  'apps/web/door/fields.ts': 'More about fields',
  'apps/web/door/analysis.ts': 'Figures: measures, groups, sheets and pictures',
  'apps/web/door/planning.ts': 'Plans: entries with a start and an end',
  'apps/web/door/ui.ts': 'More controls',
  'apps/web/door/wire.ts': 'Server payloads, and rules shared with the server',
  'apps/web/door/words.ts': 'More words, numbers and dates',
  'apps/web/door/state.ts': 'State and loading',
};

/** The text of docs/reference/testing.md. */
export function testingPage() {
  return packagePage({
    name: '@kontor/testing',
    intro:
      'What the tests of an addon import; screens in a browser are in `@kontor/testing/browser`. `kontor test` runs them with Vitest, against a real database.',
    doors: ['packages/testing/index.ts', 'packages/testing/browser/index.ts'],
    elsewhere: {},
    examples: 'packages/testing/examples/testing.ts',
    language: 'ts',
  });
}

/** Each part of a file of examples, which is compiled with the tree, with what it shows of the package. */
function packagePage({ name, intro, doors, topics = {}, elsewhere, examples, language }) {
  const exported = new Map(doors.flatMap((door) => [...exportsOf(door)]));
  const shown = new Set();
  const parts = partsOf(examples).map(({ title, names, code }) => {
    const rows = names.map((each) => {
      if (!exported.has(each)) addGap(`${each} is in the reference, but ${name} does not export it`);
      if (!new RegExp(`\\b${each}\\b`).test(code)) addGap(`${each} is not in the example of "${title}"`);
      shown.add(each);
      return rowOf(each);
    });
    return [`## ${title}`, tableOf(rows), fence(language, code)].join('\n\n');
  });
  for (const [door, title] of Object.entries(topics)) {
    const names = [...exportsOf(door).keys()].filter((each) => !shown.has(each)).sort();
    for (const each of names) shown.add(each);
    parts.push([`## ${title}`, tableOf(names.map(rowOf))].join('\n\n'));
  }
  for (const each of exported.keys()) if (!shown.has(each)) addGap(`${each} of ${name} is in no example`);
  return `# ${name}\n\n${intro}\n\n${parts.join('\n\n')}\n`;

  function rowOf(each) {
    const found = exported.get(each);
    const doc = elsewhere[each] ?? (found && declarationOf(found)?.doc);
    if (!doc) addGap(`${each} of ${name} has no comment`);
    return `| \`${each}\`${found?.isType ? ' (type)' : ''} | ${(doc ?? '').replaceAll('|', '\\|')} |`;
  }
}

function declarationOf({ file, declared }) {
  return file.startsWith('@kontor/') ? declarations().get(declared) : declaredIn(file).get(declared);
}

function tableOf(rows) {
  return ['| | |', '|---|---|', ...rows].join('\n');
}

function partsOf(file) {
  const [, ...parts] = textOf(file).split(/^\/\/ ## /m);
  return parts.map((part) => {
    const [, title, names, code] = /^([^:\n]+): ([^\n]+)\n([\s\S]*)$/.exec(part);
    return { title, names: names.split(', '), code: code.trimEnd() };
  });
}

/** What a file exports, from wherever it has it. */
function exportsOf(door) {
  const found = new Map();
  const from = (path) => (path.startsWith('@kontor/') ? path : join(dirname(door), path));
  const text = textOf(door);
  for (const [, type, list, path] of text.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)) {
    for (const entry of list.split(',')) {
      const [, own, declared, renamed] = /^(type )?(\w+)(?: as (\w+))?$/.exec(entry.trim()) ?? [];
      if (declared) found.set(renamed ?? declared, { declared, isType: Boolean(type ?? own), file: from(path) });
    }
  }
  for (const [, path] of text.matchAll(/^export \* from '([^']+)'/gm)) {
    for (const declared of declaredIn(from(path)).keys()) {
      const isType = new RegExp(`^export (?:interface|type) ${declared}\\b`, 'm').test(textOf(from(path)));
      found.set(declared, { declared, isType, file: from(path) });
    }
  }
  return found;
}
