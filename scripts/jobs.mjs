import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { jobs as before } from './jobs/before.mjs';
import { countedHand } from './jobs/hand.mjs';
import { firstJobs, jobs as now } from './jobs/now.mjs';
import { prepare } from './jobs/world.mjs';
import { openPages } from './screenshots/open-page.mjs';

/**
 * Fifteen whole jobs with a counted hand, in a fresh world. `--tree DIR` does them in another checkout that is built, `--way before`
 * by the ways of `jobs/before.mjs`; `--empty` the first ones of a company without demonstration data; `--only call,task` some of them.
 */
const { values: given } = parseArgs({
  options: {
    tree: { type: 'string' },
    way: { type: 'string', default: 'now' },
    only: { type: 'string' },
    empty: { type: 'boolean', default: false },
  },
});
const titles = {
  call: 'Find who called by the number, and note it',
  company: 'A new company with a person',
  quotation: 'A quotation of three lines',
  send: 'Send a quotation and confirm it',
  due: 'Do what is due today',
  task: 'A task with a checklist of three',
  lead: 'A lead to an opportunity with its next activity',
  meeting: 'A meeting with two people',
  turnover: 'Turnover by customer as a workbook',
  importing: 'Import a file with a mistake in it',
  paste: 'A quotation from three lines of a spreadsheet',
  bulk: 'Tag all contacts, and undo it',
  merge: 'Merge two records of one person',
  plan: 'Plan a project whose tasks have no dates',
  figure: 'From a figure to what it consists of',
};
const tree = given.tree ? resolve(given.tree) : fileURLToPath(new URL('..', import.meta.url));
const jobs = given.empty ? firstJobs : given.way === 'before' ? before : now;
const { openWorld } = await import(pathToFileURL(join(tree, 'scripts/screenshots/world.mjs')));
const only = given.only?.split(',') ?? Object.keys(given.empty ? firstJobs : titles);

const world = await openWorld();
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
let failures = 0;
try {
  await world.setUp({ isEmpty: given.empty });
  const known = given.empty ? {} : await prepare(world);
  const pages = openPages(browser, world, { width: 1440, height: 900, theme: 'light' });
  console.log('| job | clicks | keys | seconds |\n|---|---|---|---|');
  for (const name of only) console.log(`| ${titles[name]} | ${await count(pages, name, known)} |`);
} finally {
  await browser.close();
  await world.close();
}
process.exit(failures === 0 ? 0 : 1);

async function count(pages, name, known) {
  if (!jobs[name]) return 'not possible | | ';
  const open = await pages.open(false);
  try {
    await open.go('/web/home');
    const hand = countedHand(open);
    await jobs[name](hand, known);
    const { clicks, keys, seconds } = hand.told();
    return `${clicks} | ${keys} | ${seconds.toFixed(1)}`;
  } catch (error) {
    failures++;
    return `failed: ${error.message.split('\n').slice(0, 3).join(' ')} | | `;
  } finally {
    await open.close();
  }
}
