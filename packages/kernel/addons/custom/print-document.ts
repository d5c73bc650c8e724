import { renameInFormula } from '@kontor/orm';
import { fieldTypes } from '@kontor/protocol';
import { startTag, type ViewNode } from '@kontor/views';
import { type CustomDocument, type CustomField, customPrefix, fieldsIn } from './document.ts';
import { inheritNode } from './load-document.ts';
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
  const document = renamed(given, options.name);
  const models = Object.keys(document.extends).sort();
  const files = new Map<string, string>([
    ['manifest.json', json(manifestOf(options))],
    [
      'package.json',
      json({ name: `@addons/${options.name}`, version: '1.0.0', private: true, type: 'module', exports: './addon.ts' }),
    ],
    ['addon.ts', addonFile(models)],
    ['tests/addon.test.ts', "import { checkAddon } from '@kontor/testing';\n\ncheckAddon(import.meta.url);\n"],
  ]);
  for (const model of models)
    files.set(`models/${fileName(model)}.ts`, modelFile(given, document, model, options.name));
  for (const view of document.views) files.set(`views/${fileName(view.view)}.xml`, viewFile(view));
  for (const [lang, words] of Object.entries(document.words)) files.set(`i18n/${lang}.po`, wordsFile(lang, words));
  return files;
}

function manifestOf({ name, label, kontor, depends }: PrintOptions): object {
  return { name, label, version: '1.0.0', kontor, depends: [...depends].sort() };
}

/** Every `x_lift` becomes `acme_lift`. */
function renamed(document: CustomDocument, addon: string): CustomDocument {
  const own = (name: string) => newName(name, addon);
  const inPath = (path: string) => path.split('.').map(own).join('.');
  const inDomain = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [path, ...rest] = value;
    return value.length === 3 && typeof path === 'string' && !Array.isArray(rest[0])
      ? [inPath(path), ...rest]
      : value.map(inDomain);
  };
  const field = (each: CustomField): CustomField => ({
    ...each,
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
  const models = Object.keys(document.extends).map((model) => {
    const fields = Object.entries(fieldsIn(document, model)).map(([name, each]) => [own(name), field(each)] as const);
    return [model, { fields: Object.fromEntries(fields) }] as const;
  });
  const views = document.views.map((view): CustomView => ({ ...view, steps: view.steps.map(step) }));
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

/** The names that authors give to the sources of defaults. */
const sources = { today: 'today', now: 'now', user: 'currentUser', company: 'currentCompany' } as const;

function modelFile(given: CustomDocument, document: CustomDocument, model: string, addon: string): string {
  const before = new Map(Object.keys(fieldsIn(given, model)).map((name) => [newName(name, addon), name]));
  const lines = Object.entries(fieldsIn(document, model)).map(
    ([name, field]) => `    ${name}: ${fieldCode({ ...field, was: before.get(name) ?? '' })},\n`,
  );
  const used = Object.values(fieldsIn(document, model)).flatMap(({ default: value }) =>
    typeof value === 'object' ? sources[value.source] : [],
  );
  const imported = [...new Set(['fields', 'inheritModel', ...used])].sort();
  const computes = Object.entries(fieldsIn(document, model)).flatMap(([name, { lines: of }]) =>
    of ? `    ${name}: { ${of.measure}: ${JSON.stringify(of.path)} },\n` : [],
  );
  const computed = computes.length === 0 ? '' : `  computes: {\n${computes.join('')}  },\n`;
  return [
    `import { ${imported.join(', ')} } from '@kontor/addon';\n\n`,
    `export const ${constant(model)} = inheritModel('${model}', {\n  fields: {\n${lines.join('')}  },\n${computed}});\n`,
  ].join('');
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
}: CustomField & { readonly was: string }): string {
  const derived = lines ? { computed: true, stored: true } : options.formula ? { computed: true, required: false } : {};
  const shown = code({ was, ...options, ...derived }, '    ');
  if (fieldTypes[type].isChoice)
    return `fields.selection(${code(Object.fromEntries((choices ?? []).map(({ value, label }) => [value, label])), '    ')}, ${shown})`;
  return fieldTypes[type].isRelation ? `fields.${type}('${relation}', ${shown})` : `fields.${type}(${shown})`;
}

/** A value as TypeScript, objects with one member a line. */
function code(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (Array.isArray(value)) return `[${value.map((each) => code(each, indent)).join(', ')}]`;
  const { source, ...others } = value as { source?: keyof typeof sources };
  if (source !== undefined && Object.keys(others).length === 0) return sources[source];
  const members = Object.entries(value).map(
    ([name, member]) => `${indent}  ${name}: ${code(member, `${indent}  `)},\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

function viewFile({ view, steps }: CustomView): string {
  const root = inheritNode({ view, steps });
  const { priority: _, ...attributes } = root.attributes;
  return `<views>\n${nodeText({ ...root, attributes }, '  ')}</views>\n`;
}

function nodeText(node: ViewNode, indent: string): string {
  const tag = startTag(node);
  if (node.children.length === 0)
    return node.text === '' ? `${indent}${tag}\n` : `${indent}${tag}${escapeText(node.text)}</${node.tag}>\n`;
  return `${indent}${tag}\n${node.children.map((child) => nodeText(child, `${indent}  `)).join('')}${indent}</${node.tag}>\n`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
