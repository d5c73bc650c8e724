import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { clientRoomProblem, viewPackageProblem } from './client-rooms.mjs';
import { dayProblems } from './day-of-instant.mjs';
import { floorProblem } from './floors.mjs';
import { root, sourceFiles } from './source-files.mjs';
import { tableProblems } from './table-owners.mjs';
import { typeNameProblems } from './type-names.mjs';

/** Which room may import which. Tests and the testing room may import any package. */
const arrows = {
  protocol: [],
  database: ['protocol'],
  orm: ['protocol', 'database'],
  views: ['protocol', 'orm'],
  kernel: ['protocol', 'database', 'orm', 'views'],
  workspace: ['protocol', 'database', 'orm', 'views', 'kernel'],
  exchange: ['protocol', 'database', 'orm', 'kernel', 'workspace'],
  parts: ['protocol', 'database', 'orm', 'kernel', 'workspace', 'exchange'],
  addon: ['protocol', 'orm', 'kernel', 'parts', 'exchange'],
  testing: ['protocol', 'database', 'orm', 'views', 'kernel', 'workspace', 'exchange', 'parts', 'addon', 'server'],
  server: ['protocol', 'database', 'orm', 'views', 'kernel', 'workspace', 'exchange', 'parts'],
  web: ['protocol'],
  client: ['web'],
  rpc: ['protocol'],
  'create-kontor': ['addon', 'client', 'testing'],
};
/** Parts that a part may import from; the list of all parts stands above them. */
const partArrows = {
  settings: [],
  queue: [],
  texts: [],
  mail: ['queue', 'texts'],
  events: ['change-log'],
  identity: ['events', 'mail', 'settings', 'texts'],
  presence: ['events', 'identity'],
  'change-log': [],
  audit: ['identity', 'settings', 'change-log'],
  personal: ['audit', 'change-log'],
  automations: [],
  agents: ['events', 'identity', 'settings', 'texts', 'change-log'],
  customise: ['identity'],
  jobs: ['events', 'identity', 'queue', 'settings'],
  logs: [],
};
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

const problems = [];
const graph = new Map();
for (const file of sourceFiles('packages', 'apps', 'addons')) {
  if (/\.(ts|tsx)$/.test(file)) checkFile(file);
}
findCycles();
problems.push(...tableProblems(), ...typeNameProblems(), ...dayProblems());
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

function checkFile(file) {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const room = roomOf(file);
  const targets = [];
  for (const match of text.matchAll(importPattern)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (specifier.startsWith('.')) targets.push(checkRelative(file, room, specifier));
    else checkBare(file, room, specifier);
  }
  graph.set(file, targets);
}

function checkRelative(file, room, specifier) {
  const target = normalize(join(dirname(file), specifier));
  if (roomOf(target).home !== room.home)
    problems.push(`${file}: ${specifier} leaves its room; import the package by name`);
  const wrongArrow = clientRoomProblem(file, target) ?? partProblem(file, target) ?? floorProblem(file, target);
  if (wrongArrow) problems.push(wrongArrow);
  return target;
}

function partProblem(file, target) {
  const [from, to] = [partOf(file), partOf(target)];
  if (from === null || to === null || from === to || isTest(file)) return null;
  return partArrows[from]?.includes(to) ? null : `${file}: no arrow from the part ${from} to ${to}`;
}

function partOf(file) {
  const [, name, part, inner] = file.split('/');
  return name === 'parts' && inner !== undefined ? part : null;
}

function checkBare(file, room, specifier) {
  if (specifier.startsWith('node:')) {
    const isBuildOrTest = isTest(file) || file.endsWith('vite.config.ts');
    if (['protocol', 'web', 'rpc'].includes(room.name) && !isBuildOrTest)
      problems.push(`${file}: ${room.name} runs in the browser, no ${specifier}`);
    return;
  }
  if (builtinModules.includes(specifier)) return problems.push(`${file}: write node:${specifier}`);
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!isTest(file) && !declared(room, name))
    problems.push(`${file}: ${name} is not declared in ${room.home}/package.json`);
  const beside = viewPackageProblem(file, name);
  if (beside) problems.push(beside);
  if (room.name === 'server' && name.startsWith('@addons/')) problems.push(`${file}: the server names an addon`);
  const [scope, other] = name.split('/');
  if (scope !== '@kontor' || isTest(file)) return;
  const allowed = room.isAddon ? addonDoors(file) : (arrows[room.name] ?? []);
  if (other !== room.name && !allowed.includes(other)) problems.push(`${file}: no arrow from ${room.name} to ${other}`);
}

/** Code for the server and code for the browser have a door each. */
function addonDoors(file) {
  return file.split('/')[2] === 'client' ? ['client'] : ['addon', 'testing'];
}

function declared(room, name) {
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {}, name: own } = manifest(room.home);
  return name === own || name in dependencies || name in optionalDependencies || name in devDependencies;
}

function manifest(home) {
  return JSON.parse(readFileSync(`${root}/${home}/package.json`, 'utf8'));
}

function isTest(file) {
  return /\/tests\/|\.test(-d)?\.tsx?$/.test(file);
}

function roomOf(file) {
  const [top, name] = file.split('/');
  return { home: `${top}/${name}`, name, isAddon: top === 'addons' };
}

/** Imports of types count as those of values: two files that need each other's types are one idea. */
function findCycles() {
  const done = new Set();
  const visit = (file, chain) => {
    if (chain.includes(file)) return problems.push(`cycle: ${[...chain.slice(chain.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...chain, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
}
