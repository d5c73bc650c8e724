import type { Registry } from '@kontor/orm';
import { chooseOne, didYouMean, inEnglish, modelHint, placeholderMistake, placeholdersIn } from '@kontor/protocol';
import type { Addon } from '../addons/catalogue.ts';
import { migrationFault } from '../addons/code-migrations.ts';
import { type DataRecord, fieldPlace } from '../addons/data/data-record.ts';
import type { AddonDefinition } from '../addons/define-addon.ts';
import type { RouteSpec } from '../addons/route-spec.ts';
import { textOf } from './check-models.ts';
import { argumentsAt } from './code-texts.ts';
import type { Findings } from './findings.ts';
import { type SourceFile, type SourcePlaces, sourcePlaces } from './source-places.ts';

interface CodeCheck {
  readonly addon: Addon;
  readonly registry: Registry;
  /** Of all addons that are loaded with it. */
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
  /** Of the addon itself. */
  readonly records: readonly DataRecord[];
  readonly findings: Findings;
}

/** Mistakes that the compiler does not see and that would only show at run time: routes, jobs and queues. */
export function checkCode(check: CodeCheck): void {
  const places = sourcePlaces(check.addon);
  checkRoutes(check, places);
  checkJobs(check, places);
  checkQueues(check, places);
  checkSchedules(check);
  checkDays(check, places);
  checkMigrations(check, places);
  checkTexts(check, places);
  checkMails(check, places);
}

function checkMigrations({ addon, definitions, findings }: CodeCheck, places: SourcePlaces): void {
  const definition = definitions.get(addon.name);
  const fault = definition ? migrationFault(definition, addon.manifest) : null;
  if (fault !== null) findings.add('code', places.saying('migrations'), fault);
}

/** The code defines a model or a text, and addon.ts leaves it out: then nothing knows of it. */
export function checkListed(addon: Addon, { models, texts }: AddonDefinition, findings: Findings): void {
  const listed = new Set([
    ...models.map(({ kind, name }) => `${kind} ${name}`),
    ...texts.map(({ kind, key }) => `${kind} ${key}`),
  ]);
  for (const { kind, name, place } of sourcePlaces(addon).defined()) {
    if (listed.has(`${kind} ${name}`)) continue;
    const what = kind === 'inherit' ? `${name} is extended here` : `${name} is defined here`;
    const list = kind === 'text' ? 'texts' : 'models';
    findings.add(
      'code',
      place,
      `${what}, but not listed in addon.ts.`,
      `Import it in addon.ts and add it to \`${list}\`.`,
    );
  }
}

/** The texts that administrators may change: as an addon declares them, they must fit themselves. */
function checkTexts({ addon, definitions, registry, findings }: CodeCheck, places: SourcePlaces): void {
  const seen = new Set<string>();
  for (const { key, model, load, values, ...parts } of definitions.get(addon.name)?.texts ?? []) {
    const say = (words: string, message: string, fix = '') =>
      findings.add('code', places.within(key, words), `The text ${key} ${message}`, fix);
    if (seen.has(key)) say(key, 'is defined twice.', 'Give one of them another key.');
    seen.add(key);
    if (!key.startsWith(`${addon.name}.`)) say(key, 'has a key of another addon.', `Name it "${addon.name}.…".`);
    const written = [parts.subject, ...parts.body, parts.button, parts.note].filter((each) => each !== null);
    const known = Object.keys(values);
    for (const line of written) {
      const mistake = placeholderMistake(line, known);
      if (!mistake) continue;
      const unknown = placeholdersIn(line).find((name) => !known.includes(name));
      if (unknown === undefined) say(line.slice(0, 40), `is not readable: ${inEnglish(mistake)}`);
      else {
        const near = didYouMean(unknown, known) || `Add it to \`values\`: ${unknown}: { label: '…', sample: '…' }`;
        say(`{${unknown}}`, `has a placeholder {${unknown}} without a value.`, near);
      }
    }
    const used = new Set(written.flatMap(placeholdersIn));
    for (const name of known.filter((each) => values[each]?.needed && !used.has(each)))
      say(`${name}:`, `needs {${name}}, but does not contain it.`, 'Use it in the subject or body, or drop `needed`.');
    if (model !== null && !registry.models.has(model))
      say(`'${model}'`, `is about "${model}", which is no model.`, modelHint(model, registry.models.keys()));
    if ((model === null) !== (load === null))
      say(key, 'needs both `model` and `load` for a preview with a record, or neither.', 'Add the other one.');
  }
}

const sentenceInCode =
  /\b(?:text|say)\(\s*['"`]|\b(?:subject|paragraphs|note|label)\s*:\s*\[?\s*['"`](?=[^'"`\n]*\p{L})/u;
const namedPart =
  /\b(?:subject|paragraphs|note|label)\s*:\s*\[?\s*([\w$]+)\s*(?=[\],}])|(?<=[{,]\s*)(subject|paragraphs|note)\s*(?=[,}])/g;

/** Administrators can change and translate what is mailed, unless its sentences are in code. */
function checkMails({ addon, findings }: CodeCheck, places: SourcePlaces): void {
  for (const { file, lines } of places.files) {
    const source = lines.map((line) => (/^\s*(\*|\/[/*])/.test(line) ? '' : line)).join('\n');
    for (const { index, 0: call } of source.matchAll(/\bcomposeMail\(/g)) {
      const [content = ''] = argumentsAt(source, index + call.length);
      const from = source.indexOf(content, index);
      const own = sentenceInCode.exec(content);
      const named = [...content.matchAll(namedPart)].map(([, name, short]) => sentenceOf(source, name ?? short ?? ''));
      const found = [...(own ? [from + own.index] : []), ...named.filter((at) => at >= 0)];
      for (const at of found) {
        const line = source.slice(0, at).split('\n').length;
        findings.add(
          'code',
          { addon: addon.name, file, line },
          'This mail has a sentence in code, which administrators can neither change nor translate.',
          'Declare it with defineText, and use renderText.',
        );
      }
    }
  }
}

/** Where a constant is a sentence; -1 if it is none. */
function sentenceOf(source: string, name: string): number {
  const constant = new RegExp(`\\b(?:const|let) ${name} = ([^;]*);`).exec(source);
  const isSentence = /\b(?:text|say)\(|['"`](?:\p{Lu}|[^'"`\n]*\p{L} \p{L})/u.test(constant?.[1] ?? '');
  return constant && isSentence ? constant.index : -1;
}

const dayCut = /\.(slice\(0, 10\)|substr(?:ing)?\(0, 10\)|split\((['"`])T\2\)(?:\[0\]|\.at\(0\)|\.shift\(\)))/;
/** An instant by its name: `toISOString()`, `row.sent_at`, `String(at)`. */
const instant =
  /(?:\bto(?:ISOString|JSON)\(\)|(?:\b(?:at|now|instant|moment|timestamp)|\w(?:_at|_time|At|Time))\b['"\]!?)]*)/;
const dayOfInstant = new RegExp(instant.source + dayCut.source);
const dayFix = 'and addDays or addMonths to calculate with days.';

/** The first ten characters of an instant are its day in UTC, which is another day elsewhere for some hours. */
function checkDays({ addon, findings }: CodeCheck, { files, clientFiles }: SourcePlaces): void {
  const find = (source: SourceFile, patterns: readonly RegExp[], fix: string) => {
    for (const [index, line] of source.lines.entries()) {
      // A time of a zone has its own day.
      const code = line.replaceAll(/\btoLocal(?:Input)?\([^()]*\)/g, 'local');
      const found = patterns.map((pattern) => pattern.exec(code)).find((match) => match !== null);
      if (!found || /^\s*(\*|\/[/*])/.test(line)) continue;
      const message = `${found[1]} of an instant is its day in UTC, not the day of the people who read it.`;
      findings.add('code', { addon: addon.name, file: source.file, line: index + 1 }, message, fix);
    }
  };
  // On the server, ten characters are rarely anything but a day.
  const onServer = [dayOfInstant, /\.(slice\(0, 10\))/];
  for (const source of files) find(source, onServer, `Use dateIn(tz, instant), ${dayFix}`);
  const inBrowser = `Use today() or toLocalInput(instant).slice(0, 10), ${dayFix}`;
  for (const source of clientFiles) find(source, [dayOfInstant], inBrowser);
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const auths: readonly string[] = ['none', 'session', 'apikey'];

function checkRoutes({ addon, definitions, findings }: CodeCheck, places: SourcePlaces): void {
  const served = new Map<string, string>();
  for (const [module, { routes }] of definitions) {
    for (const route of routes) {
      const { method, path } = route;
      const other = served.get(`${method} ${path}`);
      served.set(`${method} ${path}`, module);
      if (module !== addon.name) continue;
      const say = (message: string, fix = '') =>
        findings.add('code', places.saying(path), `The route ${method} ${path} cannot be served: ${message}`, fix);
      if (other !== undefined) say(`${other} has it already.`);
      for (const problem of routeProblems(route)) say(problem.message, problem.fix);
    }
  }
}

function routeProblems({ method, path, auth }: RouteSpec): readonly { message: string; fix: string }[] {
  const problems = [];
  const oneOf = (known: readonly string[]) => `Choose one of ${known.join(', ')}.`;
  if (!methods.includes(method)) problems.push({ message: 'there is no such method.', fix: oneOf(methods) });
  if (!path.startsWith('/')) problems.push({ message: 'a path begins with "/".', fix: `Write "/${path}".` });
  if (!auths.includes(auth)) problems.push({ message: `nobody is let in by "${auth}".`, fix: oneOf(auths) });
  return problems;
}

function checkJobs({ addon, definitions, findings }: CodeCheck, places: SourcePlaces): void {
  const seen = new Set<string>();
  for (const { name } of definitions.get(addon.name)?.jobs ?? []) {
    if (seen.has(name)) findings.add('code', places.saying(`'${name}'`), `There are two jobs "${name}".`);
    seen.add(name);
  }
}

/** A schedule for a missing job would fail at every run. */
function checkSchedules({ definitions, records, findings }: CodeCheck): void {
  const known = [...definitions].flatMap(([module, { jobs }]) => jobs.map(({ name }) => `${module}.${name}`));
  for (const record of records) {
    const item = record.fields.find(({ name }) => name === 'handler');
    const handler = record.model === 'sys.cron' ? textOf(record, 'handler')?.trim() : undefined;
    if (!item || handler === undefined || known.includes(handler)) continue;
    findings.add('data', fieldPlace(record, item), `There is no job "${handler}".`, chooseOne(handler, known));
  }
}

/** Fields that every queue writes; `first_try` and `last_error` are optional. */
const queueColumns = ['state', 'attempts', 'next_try', 'locked_by', 'locked_until'];

function checkQueues({ addon, definitions, registry, findings }: CodeCheck, places: SourcePlaces): void {
  const seen = new Set<string>();
  for (const { name, model: named, orderKey, room, tries, states } of definitions.get(addon.name)?.queues ?? []) {
    const say = (message: string, fix = '') => findings.add('code', places.saying(`'${name}'`), message, fix);
    if (seen.has(name)) say(`There are two queues "${name}".`);
    seen.add(name);
    const model = registry.models.get(named);
    if (!model) {
      say(`The queue ${name} has no model "${named}".`, modelHint(named, registry.models.keys()));
      continue;
    }
    const needed = [...queueColumns, ...(tries.withinMs === undefined ? [] : ['first_try'])];
    const missing = needed.filter((field) => !model.fields.get(field)?.column);
    if (missing.length > 0) {
      say(
        `The queue ${name} needs fields that ${named} has not: ${missing.join(', ')}.`,
        'Add ...queueFields to its fields.',
      );
    }
    for (const field of [...orderKey, ...(room.targets ?? []).map((target) => target.field)]) {
      if (model.fields.get(field)?.column) continue;
      say(
        `The queue ${name} names "${field}", which is no stored field of ${named}.`,
        chooseOne(field, model.fields.keys()),
      );
    }
    const choices = Object.keys(model.fields.get('state')?.spec.selection ?? {});
    for (const state of new Set(Object.values(states).filter((each) => each !== undefined))) {
      if (missing.includes('state') || choices.includes(state)) continue;
      say(`The queue ${name} needs the state "${state}", which ${named} has not.`, chooseOne(state, choices));
    }
  }
}
