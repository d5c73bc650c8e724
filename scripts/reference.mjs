import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonPage } from './reference/addon-page.mjs';
import { dataPage } from './reference/data-page.mjs';
import { doorPage } from './reference/door-page.mjs';
import { envPage } from './reference/env-page.mjs';
import { fieldsPage } from './reference/fields-page.mjs';
import { modelsPage } from './reference/models-page.mjs';
import { clientPage, testingPage } from './reference/package-page.mjs';
import { root } from './reference/read-source.mjs';
import { takeGaps } from './reference/sections.mjs';

const pages = {
  'fields.md': fieldsPage,
  'models.md': modelsPage,
  'addon.md': addonPage,
  'env.md': envPage,
  'data.md': dataPage,
  'door.md': doorPage,
  'client.md': clientPage,
  'testing.md': testingPage,
};

const index = `# Reference

Made by \`npm run reference\` from the source: what stands here is what the code says of itself, and every example is compiled and run by a test.

- [Fields](fields.md): every type and option
- [Models](models.md): computes, constraints, states, moves, actions, hooks and the rest of a declaration
- [What an addon brings](addon.md): manifest, routes, jobs, mail, sequences, automations, notices
- [env](env.md): reading and writing
- [Files of an addon](data.md): records, rights, words, migrations
- [@kontor/addon](door.md): everything that can be imported, by topic
- [@kontor/client](client.md): what the browser code of an addon imports
- [@kontor/testing](testing.md): what its tests import
- [Views](../views.md): every tag, attribute and widget
- [RPC](../rpc.md): the endpoint for programs

Beside it: [the tutorial](../tutorial.md), a library in thirty minutes; [writing an addon](../writing-an-addon.md), with more words; and \`/web/reference\` of a
running server, which shows the models of that database as the reader may use them.
`;

/** Each page of docs/reference by its name, and what they lack. */
export function referencePages() {
  const made = new Map([['README.md', index], ...Object.entries(pages).map(([name, page]) => [name, page()])]);
  return { pages: made, gaps: takeGaps() };
}

/** Writes them into a folder. */
export function writeReference(folder = join(root, 'docs/reference')) {
  const { pages: made, gaps } = referencePages();
  if (gaps.length > 0) throw new Error(`The reference is not whole:\n${gaps.join('\n')}`);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) if (!made.has(old)) rmSync(join(folder, old));
  for (const [name, text] of made) writeFileSync(join(folder, name), text);
  return [...made.keys()];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of writeReference()) console.log(`docs/reference/${name}`);
