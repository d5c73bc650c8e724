import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { jobs as before } from './jobs/before.mjs';
import { countedHand } from './jobs/hand.mjs';
import { limits } from './jobs/limits.mjs';
import { firstJobs, jobs as now } from './jobs/now.mjs';
import { prepare } from './jobs/world.mjs';
import { openPages } from './screenshots/open-page.mjs';

/**
 * Whole jobs with a counted hand, in a world with demonstration data and in one without; it fails if one of them takes
 * more than its limit. `--tree DIR` does them in another checkout that is built, `--way before` by the ways of `jobs/before.mjs`;
 * `--only call,task` some of them; `--world empty` those in one of the worlds.
 */
const { values: given } = parseArgs({
  options: {
    tree: { type: 'string' },
    way: { type: 'string', default: 'now' },
    only: { type: 'string' },
    world: { type: 'string' },
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
  rental: 'A list of equipment with states, a board and an e-mail when something is overdue',
};
const tree = given.tree ? resolve(given.tree) : fileURLToPath(new URL('..', import.meta.url));
const { openWorld } = await import(pathToFileURL(join(tree, 'scripts/screenshots/world.mjs')));
const only = given.only?.split(',') ?? Object.keys(titles);
const isBefore = given.way === 'before';
const worlds = isBefore ? { demo: before } : { demo: now, empty: firstJobs };
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
const failures = [];
try {
  for (const [content, jobs] of Object.entries(worlds))
    if (!given.world || given.world === content) await measure(content, jobs);
} finally {
  await browser.close();
}
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

async function measure(content, jobs) {
  const world = await openWorld();
  try {
    await world.setUp({ isEmpty: content === 'empty' });
    const known = await prepare(world, { isEmpty: content === 'empty' });
    const pages = openPages(browser, world, { width: 1440, height: 900, theme: 'light' });
    console.log(`\n${content}\n| job | clicks | keys | seconds |\n|---|---|---|---|`);
    for (const name of only.filter((each) => isBefore || jobs[each]))
      console.log(`| ${titles[name]} | ${await count(pages, { content, jobs, name, known })} |`);
  } finally {
    await world.close();
  }
}

async function count(pages, { content, jobs, name, known }) {
  if (!jobs[name]) return 'not possible | | ';
  const open = await pages.open(false);
  try {
    await open.go('/web/home');
    const hand = countedHand(open);
    await jobs[name](hand, known);
    const { clicks, keys, seconds } = hand.told();
    const [mostClicks, mostKeys] = isBefore ? [] : limits[content][name];
    if (clicks > mostClicks || keys > mostKeys)
      failures.push(
        `${titles[name]} (${content}): ${clicks} clicks and ${keys} keys, at most ${mostClicks} and ${mostKeys}.`,
      );
    return `${clicks} | ${keys} | ${seconds.toFixed(1)}`;
  } catch (error) {
    failures.push(`${titles[name]} (${content}): ${error.message.split('\n').slice(0, 3).join(' ')}`);
    return `failed: ${error.message.split('\n')[0]} | | `;
  } finally {
    await open.close();
  }
}
