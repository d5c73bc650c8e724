import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { appShots } from './screenshots/app-shots.mjs';
import { fillApps } from './screenshots/fill-apps.mjs';
import { openPages } from './screenshots/open-page.mjs';
import { requireFonts } from './screenshots/require-fonts.mjs';
import { languageShots, signedInShots, strangerShots } from './screenshots/shots.mjs';
import { openWorld } from './screenshots/world.mjs';

/**
 * Every screen of the client, on a new server with demonstration data: wide in light and dark, and on a phone, some of them in German
 * and in Arabic, and the pictures of `docs/apps`. `--only list,form,apps/crm` renews some of them, `--into DIR` writes them elsewhere.
 */
const { values: given } = parseArgs({ options: { only: { type: 'string' }, into: { type: 'string' } } });
const folder = given.into ?? fileURLToPath(new URL('../docs/screenshots', import.meta.url));
const appFolder = given.into ? join(given.into, 'apps') : fileURLToPath(new URL('../docs/apps', import.meta.url));
const only = given.only?.split(',').map((name) => name.trim());
const limit = 6_600_000;
const looks = [
  { name: 'light', width: 1440, height: 900, theme: 'light' },
  { name: 'dark', width: 1440, height: 900, theme: 'dark' },
  { name: 'phone', width: 390, height: 844, theme: 'light' },
];
const languages = { de: 'de_DE', ar: 'ar' };

requireFonts();
for (const one of [folder, appFolder]) await mkdir(one, { recursive: true });
if (!only) for (const name of await readdir(folder)) if (name.endsWith('.webp')) await rm(join(folder, name));
const world = await openWorld();
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
const failed = [];
try {
  await take(strangerShots.filter(({ isBeforeSetup }) => isBeforeSetup));
  await world.setUp();
  await take(strangerShots.filter(({ isBeforeSetup }) => !isBeforeSetup));
  await take(signedInShots);
  await takeLanguages();
  await takeApps();
} finally {
  await browser.close();
  await world.close();
}
await report();

/** Wide and on a phone, each in the language of its reader. */
async function takeLanguages() {
  const [me] = await world.rpc('core.user', 'search_read', [[['login', '=', world.login]], ['id', 'lang']]);
  const speak = (lang) => world.rpc('core.user', 'write', [[me.id], { lang }]);
  for (const [short, lang] of Object.entries(languages)) {
    await speak(lang);
    const own = looks.filter(({ theme }) => theme === 'light');
    await take(
      languageShots.map((shot) => ({ ...shot, name: `${shot.name}-${short}` })),
      own,
    );
  }
  await speak(me.lang);
}

async function take(shots, inLooks = looks) {
  const wanted = shots.filter(({ name }) => !only || only.includes(name));
  for (const look of wanted.length === 0 ? [] : inLooks) {
    const pages = openPages(browser, world, look);
    for (const shot of wanted) await takeOne(pages, shot, look);
  }
}

async function takeOne(pages, shot, look) {
  const page = await pages.open(shot.isStranger === true);
  try {
    await shot.show(page, { world, look });
    await page.settle();
    await writeFile(join(folder, `${shot.name}-${look.name}.webp`), await page.capture());
    console.log(`${shot.name} ${look.name}`);
  } catch (error) {
    failed.push(`${shot.name} ${look.name}: ${error.message.split('\n')[0]}`);
    console.error(failed.at(-1));
  } finally {
    await page.close();
  }
}

/** After the others: what it adds is on no other picture. */
async function takeApps() {
  const wanted = appShots.filter(({ name }) => !only || only.includes(`apps/${name}`));
  if (wanted.length === 0) return;
  await fillApps(world);
  const pages = openPages(browser, world, looks[0]);
  for (const shot of wanted) {
    const page = await pages.open(false);
    try {
      await shot.show(page, { world, look: looks[0] });
      await page.settle();
      await page.page.screenshot({ path: join(appFolder, `${shot.name}.png`) });
      console.log(`apps/${shot.name}`);
    } catch (error) {
      failed.push(`apps/${shot.name}: ${error.message.split('\n')[0]}`);
    } finally {
      await page.close();
    }
  }
}

async function report() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.webp'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${names.length} pictures, ${(total / 1e6).toFixed(2)} MB`);
  if (total > limit) failed.push(`Together they may have ${limit / 1e6} MB.`);
  for (const problem of failed) console.error(problem);
  process.exit(failed.length === 0 ? 0 : 1);
}
