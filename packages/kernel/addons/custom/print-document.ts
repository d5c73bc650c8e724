import { renameInFormula } from '@kontor/orm';
import { fieldTypes } from '@kontor/protocol';
import type { CarriedNames } from '../carried-records.ts';
import type { AddedModel } from './added-model.ts';
import type { CustomChoice } from './choices.ts';
import {
  type CustomDocument,
  type CustomField,
  customModule,
  customPrefix,
  extensionIn,
  fieldsIn,
  modelIn,
} from './document.ts';
import { inheritNode } from './load-document.ts';
import { code, sources } from './print-code.ts';
import {
  type AddonNames,
  accessFile,
  addonNames,
  linesCode,
  modelMembers,
  nodeText,
  numbersFile,
  rulesFile,
  screensFile,
  standardCode,
} from './print-models.ts';
import { type CustomCheck, type CustomStates, checkSpecs, moveSpecs, statesSpec } from './states.ts';
import { type CustomView, isCondition, type ShownField, type ViewStep } from './view-steps.ts';

export interface PrintOptions {
  /** The name of the addon; its fields begin with it. */
  readonly name: string;
  readonly label: string;
  /** The versions of Kontor that it is for. */
  readonly kontor: string;
  /** The modules that own what the document names. */
  readonly depends: readonly string[];
}

/**
 * The document as the source of an addon, by path. Fields are called after the addon, so that a later customisation can use the `x_`
 * names again; `was` moves their data along.
 */
export function printDocument(given: CustomDocument, options: PrintOptions): ReadonlyMap<string, string> {
  const names = addonNames(options.name, given);
  const printed = { given, document: renamed(given, options.name, names), names };
  const wholes = Object.values(given.models ?? {}).flatMap(({ partOf }) => partOf?.model ?? []);
  const models = [...new Set([...Object.keys(given.extends), ...Object.keys(given.models ?? {}), ...wholes])].sort();
  const files = new Map<string, string>([
    ['manifest.json', json(manifestOf(options, given))],
    [
      'package.json',
      json({ name: `@addons/${options.name}`, version: '1.0.0', private: true, type: 'module', exports: './addon.ts' }),
    ],
    ['addon.ts', addonFile(models.map(names.model))],
    ['tests/addon.test.ts', "import { checkAddon } from '@kontor/testing';\n\ncheckAddon(import.meta.url);\n"],
  ]);
  for (const model of models) files.set(`models/${fileName(names.model(model))}.ts`, modelFile(printed, model));
  for (const [name, model] of Object.entries(given.models ?? {}))
    files.set(screensPath(names.id(name), model), screensFile(given, name, model, names));
  if (given.models) files.set('security/access.csv', accessFile(given, names));
  const rules = rulesFile(given, names);
  if (rules) files.set('security/rules.xml', rules);
  const numbers = numbersFile(given, names);
  if (numbers) files.set('data/10-numbers.xml', numbers);
  for (const view of printed.document.views) files.set(`views/${fileName(view.view)}.xml`, viewFile(view));
  for (const [lang, words] of Object.entries(given.words)) files.set(`i18n/${lang}.po`, wordsFile(lang, words));
  return files;
}

/** Files load by name: a menu comes after the one that it is under. */
function screensPath(id: string, { menu }: AddedModel): string {
  const turn = menu?.startsWith(`${customModule}.`) ? '01' : '00';
  return `views/${turn}-${fileName(id)}.xml`;
}

function manifestOf({ name, label, kontor, depends }: PrintOptions, { models = {} }: CustomDocument): object {
  const apps = Object.values(models).filter(({ menu, partOf, retired }) => !menu && !partOf && !retired);
  const icon = apps.find((each) => each.icon)?.icon;
  const app = { ...(apps.length > 0 && { application: true }), ...(icon && { icon }) };
  return { name, label, version: '1.0.0', kontor, depends: [...depends].sort(), ...app };
}

/** Names of a document in places that are not part of it. */
export function namesInAddon(document: CustomDocument, addon: string): CarriedNames {
  const own = (name: string) => newName(name, addon);
  const path = (given: string) => given.split('.').map(own).join('.');
  const domain = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [first, ...rest] = value;
    return value.length === 3 && typeof first === 'string' && !Array.isArray(rest[0])
      ? [path(first), ...rest]
      : value.map(domain);
  };
  const { model } = addonNames(addon, document);
  return { model, path, domain, formula: (formula) => renameInFormula(formula, own) };
}

/** Every `x_lift` becomes `acme_lift`. */
// Over 60 lines: each part of a document that names others, one after the other.
function renamed(document: CustomDocument, addon: string, names: AddonNames): CustomDocument {
  const own = (name: string) => newName(name, addon);
  const { path: inPath, domain: inDomain } = namesInAddon(document, addon);
  const field = (each: CustomField): CustomField => ({
    ...each,
    ...(each.relation && { relation: names.model(each.relation) }),
    ...(each.from && { from: inPath(each.from) }),
    ...(each.currency && { currency: inPath(each.currency) }),
    ...(each.formula && { formula: renameInFormula(each.formula, own) }),
    ...(each.lines && { lines: { ...each.lines, path: inPath(each.lines.path) } }),
    ...(each.domain && { domain: inDomain(each.domain) as readonly unknown[] }),
  });
  const inExpr = (expr: string) => expr.replaceAll(/@name='(x_\w+)'/g, (_, name: string) => `@name='${own(name)}'`);
  const inConditions = (attributes: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        value.startsWith('[') && isCondition(name) ? JSON.stringify(inDomain(JSON.parse(value))) : value,
      ]),
    );
  const step = (each: ViewStep): ViewStep => {
    const expr = inExpr(each.expr);
    if (each.position === 'attributes') return { ...each, expr, attributes: inConditions(each.attributes) };
    if ('move' in each) return { ...each, expr, move: inExpr(each.move) };
    if ('element' in each) return { ...each, expr };
    return { ...each, expr, fields: each.fields.map((shown): ShownField => ({ ...shown, name: own(shown.name) })) };
  };
  const check = (each: CustomCheck): CustomCheck => ({
    ...each,
    name: own(each.name),
    formula: renameInFormula(each.formula, own),
    ...(each.field && { field: own(each.field) }),
  });
  const states = ({ places: _, ...given }: CustomStates): CustomStates => ({
    ...given,
    field: own(given.field),
    ...(given.locks && {
      locks: given.locks.map((lock) => ({ ...lock, fields: lock.fields === 'all' ? 'all' : lock.fields.map(own) })),
    }),
    ...(given.conditions && { conditions: given.conditions.map(check) }),
    ...(given.moves && {
      moves: given.moves.map((move) => ({
        ...move,
        name: own(move.name),
        ...(move.needs && { needs: move.needs.map(own) }),
        ...(move.sets && { sets: move.sets.map((set) => ({ ...set, field: own(set.field) })) }),
      })),
    }),
  });
  const models = Object.entries(document.extends).map(([model, extension]) => {
    const fields = Object.entries(extension.fields).map(([name, each]) => [own(name), field(each)] as const);
    const more = {
      ...(extension.states && { states: states(extension.states) }),
      ...(extension.checks && { checks: extension.checks.map(check) }),
    };
    return [names.model(model), { fields: Object.fromEntries(fields), ...more }] as const;
  });
  const views = document.views.map(
    ({ view, steps }): CustomView => ({ view: names.reference(view), steps: steps.map(step) }),
  );
  return { ...document, extends: Object.fromEntries(models), views };
}

export function newName(name: string, addon: string): string {
  return name.startsWith(customPrefix) ? `${addon}_${name.slice(customPrefix.length)}`.slice(0, 63) : name;
}

function fileName(name: string): string {
  return name.replaceAll(/[._]/g, '-');
}

function constant(model: string): string {
  const words = model.split(/[._]/).filter(Boolean);
  return words.map((word, at) => (at === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('');
}

function addonFile(models: readonly string[]): string {
  const imports = models.map((model) => `import { ${constant(model)} } from './models/${fileName(model)}.ts';\n`);
  const listed = models.map(constant).join(', ');
  return `import { defineAddon } from '@kontor/addon';\n${imports.join('')}\nexport default defineAddon({ models: [${listed}] });\n`;
}

interface Printed {
  readonly given: CustomDocument;
  /** With the names of the addon. */
  readonly document: CustomDocument;
  readonly names: AddonNames;
}

function modelFile({ given, document, names }: Printed, name: string): string {
  const model = names.model(name);
  const added = modelIn(given, name);
  const before = new Map(Object.keys(fieldsIn(given, name)).map((field) => [names.field(field), field]));
  const own = Object.entries(fieldsIn(document, model));
  const { states, checks } = extensionIn(document, model);
  const standard = added ? standardCode(name, added, names) : [];
  const lines = [
    ...standard.map(([field, spec]) => `    ${field}: ${fieldCode(spec as CustomField)},\n`),
    ...linesCode(given, name, names),
    ...own.map(([field, spec]) => `    ${field}: ${fieldCode({ ...spec, was: before.get(field) ?? '' })},\n`),
    ...(states?.choices ? [`    ${states.field}: ${choicesCode(states.choices)},\n`] : []),
  ];
  const used = [...standard.map(([, spec]) => spec), ...own.map(([, spec]) => spec)].flatMap(({ default: value }) => {
    const source = typeof value === 'object' ? (value as { source: keyof typeof sources | 'sequence' }).source : null;
    return source === null ? [] : source === 'sequence' ? source : sources[source];
  });
  const define = added ? 'defineModel' : 'inheritModel';
  const set = (states?.moves ?? []).flatMap(({ sets = [] }) =>
    sets.flatMap(({ value }) => (typeof value === 'object' ? sources[value.source] : [])),
  );
  const imported = [...new Set(['fields', define, ...used, ...set])].sort();
  const computes = own.flatMap(([field, { lines: of }]) =>
    of ? `    ${field}: { ${of.measure}: ${JSON.stringify(of.path)} },\n` : [],
  );
  const computed = computes.length === 0 ? '' : `  computes: {\n${computes.join('')}  },\n`;
  const members = added ? modelMembers(name, added, added.number && '{name} ({number})') : '';
  return [
    `import { ${imported.join(', ')} } from '@kontor/addon';\n\n`,
    `export const ${constant(model)} = ${define}('${model}', {\n${members}  fields: {\n${lines.join('')}  },\n${computed}${behaviourCode(states, checks)}});\n`,
  ].join('');
}

function choicesCode(choices: readonly CustomChoice[]): string {
  return `fields.selection(${code(Object.fromEntries(choices.map(({ value, label }) => [value, label])), '    ')})`;
}

function behaviourCode(states: CustomStates | undefined, checks: readonly CustomCheck[] | undefined): string {
  const members = {
    ...(states && { states: statesSpec(states) }),
    ...(states?.moves && { moves: moveSpecs(states) }),
    ...(checks && { constraints: checkSpecs(checks) }),
  };
  return Object.entries(members)
    .map(([key, value]) => `  ${key}: ${code(value, '  ')},\n`)
    .join('');
}

/** Texts are JSON strings, so whatever they contain stays text. */
function fieldCode({
  type,
  choices,
  relation,
  retired: _,
  lines,
  was,
  ...options
}: CustomField & { readonly was?: string }): string {
  const derived = lines ? { computed: true, stored: true } : options.formula ? { computed: true, required: false } : {};
  const shown = code({ ...(was && { was }), ...options, ...derived }, '    ');
  if (fieldTypes[type].isChoice)
    return `fields.selection(${code(Object.fromEntries((choices ?? []).map(({ value, label }) => [value, label])), '    ')}, ${shown})`;
  return fieldTypes[type].isRelation ? `fields.${type}('${relation}', ${shown})` : `fields.${type}(${shown})`;
}

function viewFile({ view, steps }: CustomView): string {
  const root = inheritNode({ view, steps });
  const { priority: _, ...attributes } = root.attributes;
  return `<views>\n${nodeText({ ...root, attributes }, '  ')}</views>\n`;
}

function wordsFile(lang: string, words: Readonly<Record<string, string>>): string {
  const head = `msgid ""\nmsgstr "Language: ${lang}\\nMIME-Version: 1.0\\nContent-Type: text/plain; charset=UTF-8\\n"\n`;
  const entries = Object.entries(words).map(([text, said]) => `\nmsgid ${quoted(text)}\nmsgstr ${quoted(said)}\n`);
  return head + entries.join('');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
