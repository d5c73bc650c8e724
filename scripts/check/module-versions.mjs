import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A shipped module that differs from what was released must have another version: operators and `kontor check` see by it what to upgrade.
 * `--release` records the modules and the commit, when a version has landed, and moves every module to the next version; a test upgrades
 * from that commit. CHANGELOG.md must say for each version what to do.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const recordFile = join(root, 'scripts/check/released-modules.json');
/** The models of `base` are those of the parts. */
const more = { base: ['packages/parts', 'packages/workspace', 'packages/exchange'] };

const modules = Object.fromEntries(
  readdirSync(join(root, 'addons'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, 'addons', entry.name, 'manifest.json')))
    .map(({ name }) => [name, moduleOf(name)]),
);
if (process.argv.includes('--release')) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  writeFileSync(recordFile, `${JSON.stringify({ commit, modules }, null, 2)}\n`);
  for (const name of Object.keys(modules)) modules[name].version = moveVersion(name);
}

const { modules: released } = JSON.parse(readFileSync(recordFile, 'utf8'));
const unmoved = Object.entries(modules).filter(
  ([name, { version, digest }]) => released[name]?.version === version && released[name].digest !== digest,
);
for (const [name, { version }] of unmoved) {
  console.error(`addons/${name} has changed since ${version} was released: move "version" in its manifest.json`);
}

const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
const silent = sections.filter((section) => !/^### What to do$/m.test(section));
for (const section of silent) console.error(`CHANGELOG.md: "${section.split('\n')[0]}" does not say what to do`);
process.exit(unmoved.length + silent.length === 0 ? 0 : 1);

/** What is changed from now on belongs to the next version. */
function moveVersion(name) {
  const path = join(root, 'addons', name, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  const [major, minor, patch] = JSON.parse(text).version.split('.').map(Number);
  const next = `${major}.${minor}.${patch + 1}`;
  writeFileSync(path, text.replace(/"version": "[^"]*"/, `"version": "${next}"`));
  return next;
}

function moduleOf(name) {
  const { version, ...manifest } = JSON.parse(readFileSync(join(root, 'addons', name, 'manifest.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify(manifest));
  for (const folder of [`addons/${name}`, ...(more[name] ?? [])]) {
    for (const file of filesUnder(join(root, folder))) hash.update(relative(root, file)).update(readFileSync(file));
  }
  return { version, digest: hash.digest('hex') };
}

/** What an installation has of it: tests and the manifest are left out. */
function filesUnder(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !/(^|\/)(tests|node_modules)(\/|$)|^manifest\.json$|^package\.json$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}
