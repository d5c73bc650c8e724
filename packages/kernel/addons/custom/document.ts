import { type FieldType, fieldTypes, parseAuthoredDomain, type Text, text, ValidationError } from '@kontor/protocol';
import { isLanguageCode } from '../../translations/read-wordbooks.ts';

/** The module whose source is a document in the database. It depends on all others. */
export const customModule = 'custom';
/** Fields of customisations begin with it; those of addons never do, so that no later version can collide. */
export const customPrefix = 'x_';

export const customLimits = {
  /** Fields of one model. */
  fields: 200,
  choices: 100,
  label: 100,
  help: 1000,
  /** Characters of a default. */
  default: 1000,
  /** Steps of one view. */
  steps: 1000,
  /** Characters of the whole document. */
  document: 1_000_000,
} as const;

export type DefaultWord = 'today' | 'now' | 'user' | 'company';

/** The looks of a badge. */
export const choiceLooks = ['mute', 'ok', 'warn', 'bad', 'info'] as const;

export interface CustomChoice {
  readonly value: string;
  readonly label: string;
  readonly look?: (typeof choiceLooks)[number];
}

/** A field of the addon language without functions. */
export interface CustomField {
  readonly type: FieldType;
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly default?: string | number | boolean | { readonly source: DefaultWord };
  readonly groups?: readonly string[];
  /** In order: JSON objects in the database have none. */
  readonly choices?: readonly CustomChoice[];
  readonly relation?: string;
  readonly domain?: readonly unknown[];
  readonly currency?: string;
  readonly size?: number;
  /** A path through many2ones to the initial value. */
  readonly from?: string;
  readonly tracking?: boolean;
  readonly personal?: boolean;
  /** It keeps its data and stays readable, and no screen offers it. */
  readonly retired?: boolean;
}

/** A field as a view shows it. */
export interface ShownField {
  readonly name: string;
  readonly widget?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly optional?: 'show' | 'hide';
}

/** One `<xpath>`: fields that are inserted, or attributes that are set. */
export type ViewStep =
  | { readonly expr: string; readonly position: 'before' | 'after'; readonly fields: readonly ShownField[] }
  | {
      readonly expr: string;
      readonly position: 'attributes';
      readonly attributes: Readonly<Record<string, string>>;
    };

export interface CustomView {
  /** The external id of the changed view. */
  readonly view: string;
  readonly steps: readonly ViewStep[];
}

/** A customisation: the source of the module `custom`, as JSON. */
export interface CustomDocument {
  readonly extends: Readonly<Record<string, { readonly fields: Readonly<Record<string, CustomField>> }>>;
  readonly views: readonly CustomView[];
  /** Translations by language and text. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const emptyDocument: CustomDocument = { extends: {}, views: [], words: {} };

/** The fields that a document adds to a model. Names come from outside, so only own members count. */
export function fieldsIn(document: CustomDocument, model: string): Readonly<Record<string, CustomField>> {
  return (Object.hasOwn(document.extends, model) && document.extends[model]?.fields) || {};
}

export function fieldIn(document: CustomDocument, model: string, name: string): CustomField | undefined {
  const fields = fieldsIn(document, model);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The field types that a customisation can use: lines would need a field in another model. */
export const customTypes = (Object.keys(fieldTypes) as FieldType[]).filter(
  (type) => !fieldTypes[type].isLines && !fieldTypes[type].isReference,
);

/** The same text for equal values, whatever the order of their keys: JSON in the database has another. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** A mistake, and the part of the document that has it: `crm.lead.x_lift`. */
export interface DocumentProblem {
  readonly at: string;
  readonly message: Text;
}

/** All mistakes at once, each at its part. */
export function documentError(problems: readonly DocumentProblem[]): ValidationError {
  const fields = new Map<string, Text[]>();
  for (const { at, message } of problems) fields.set(at, [...(fields.get(at) ?? []), message]);
  return new ValidationError(Object.fromEntries(fields));
}

const fieldName = /^x_[a-z0-9_]{1,57}$/;
const modelName = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const externalId = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const path = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}$/;
const choiceValue = /^[a-z][a-z0-9_]{0,62}$/;
/** A field of the view, or one of the lines inside a field. */
const anchor = /^\/\/field\[@name='[a-z][a-z0-9_]*'\](\/list\/field\[@name='[a-z][a-z0-9_]*'\])?$/;
const settable = new Set(['label', 'help', 'placeholder', 'optional', 'invisible', 'readonly']);

/** Whether a name can be that of a custom field. */
export function isCustomName(name: string): boolean {
  return fieldName.test(name);
}

/** The document in a value from outside. Throws with every mistake at its part; unknown keys are mistakes. */
export function readDocument(value: unknown): CustomDocument {
  if (JSON.stringify(value ?? null).length > customLimits.document)
    throw documentError([
      {
        at: 'document',
        message: text('A customisation has at most {max} characters.', { max: customLimits.document }),
      },
    ]);
  const problems: DocumentProblem[] = [];
  const read = createReader('document', value, problems);
  const document = {
    extends: read.map('extends', (model, extension) => {
      if (!modelName.test(model)) read.fail(model, text('"{name}" is not a model.', { name: model }));
      return { fields: readFields(model, extension, problems) };
    }),
    views: read.list('views', (view, at) => readView(view, at, problems)),
    words: read.map('words', (lang, words) => readWords(lang, words, problems)),
  };
  read.end();
  if (problems.length > 0) throw documentError(problems);
  return document;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads the members of one object, and reports those that nobody asked for. */
function createReader(at: string, value: unknown, problems: DocumentProblem[]) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const given: Json = isObject ? (value as Json) : {};
  const asked = new Set<string>();
  const fail = (where: string, message: Text) => void problems.push({ at: where, message });
  if (!isObject) fail(at, text('This must be an object.'));
  const take = (name: string): unknown => {
    asked.add(name);
    return Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
  };
  const wrong = (name: string, what: string) => fail(at, text('"{name}" must be {what}.', { name, what }));
  const checked = <T>(name: string, what: string, fits: (found: unknown) => boolean): T | undefined => {
    const found = take(name);
    if (found === undefined || fits(found)) return found as T | undefined;
    wrong(name, what);
    return undefined;
  };
  return {
    fail,
    take,
    checked,
    line: (name: string, max: number) =>
      checked<string>(
        name,
        `a text of 1 to ${max} characters`,
        // Control characters cannot be in XML, and are in no label.
        (found) =>
          typeof found === 'string' && found.trim() !== '' && found.length <= max && !/\p{Cc}/u.test(found.trim()),
      ),
    flag: (name: string) => checked<boolean>(name, 'true or false', (found) => typeof found === 'boolean'),
    map<T>(name: string, each: (key: string, member: unknown) => T): Readonly<Record<string, T>> {
      const found = checked<Json>(name, 'an object', (it) => typeof it === 'object' && !Array.isArray(it)) ?? {};
      return Object.fromEntries(Object.entries(found).map(([key, member]) => [key, each(key, member)]));
    },
    list<T>(name: string, each: (member: unknown, at: string) => T): readonly T[] {
      const found = checked<readonly unknown[]>(name, 'a list', Array.isArray) ?? [];
      return found.map((member, index) => each(member, `${name}.${index + 1}`));
    },
    end() {
      for (const name of Object.keys(given)) {
        if (!asked.has(name)) fail(at, text('Unknown key "{name}".', { name: name.slice(0, 80) }));
      }
    },
  };
}

/** Without the members that are absent. */
function present<T extends object>(members: { readonly [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

function readFields(model: string, value: unknown, problems: DocumentProblem[]): Readonly<Record<string, CustomField>> {
  const read = createReader(model, value, problems);
  const fields = read.map('fields', (name, field) => {
    if (!fieldName.test(name))
      read.fail(
        `${model}.${name.slice(0, 80)}`,
        text('The name of a field begins with x_ and has lower-case letters, digits and _, at most 59 of them.'),
      );
    return readField(`${model}.${name}`, field, problems);
  });
  const { fields: max } = customLimits;
  if (Object.keys(fields).length > max) read.fail(model, text('A model has at most {max} added fields.', { max }));
  read.end();
  return fields;
}

// Over 60 lines with its checks: the members of a field, one line each.
function readField(at: string, value: unknown, problems: DocumentProblem[]): CustomField {
  const read = createReader(at, value, problems);
  const type = read.checked<FieldType>('type', `one of ${customTypes.join(', ')}`, (found) =>
    customTypes.includes(found as FieldType),
  );
  const traits = type === undefined ? null : fieldTypes[type];
  const label = read.line('label', customLimits.label);
  const field = present<CustomField>({
    type: type ?? 'char',
    label: label ?? '',
    help: read.line('help', customLimits.help),
    required: read.flag('required'),
    default: read.checked('default', 'a value or a source such as {"source": "today"}', isDefault),
    groups: read.checked('groups', 'a list of groups such as base.group_user', isListOf(externalId)),
    choices: read.checked('choices', 'a list of choices', Array.isArray),
    relation: read.checked('relation', 'the name of a model', (found) => matches(found, modelName)),
    domain: read.checked('domain', 'a domain', isDomain),
    currency: read.checked('currency', 'a path to a currency', (found) => matches(found, path)),
    size: read.checked('size', 'a whole number from 1 to 10000', isSize),
    from: read.checked('from', 'a path such as partner_id.phone', (found) => matches(found, path)),
    tracking: read.flag('tracking'),
    personal: read.flag('personal'),
    retired: read.flag('retired'),
  });
  read.end();
  const say = (message: Text) => read.fail(at, message);
  if (type === undefined) say(text('Choose a type.'));
  if (label === undefined) say(text('Give it a label.'));
  if (traits?.isRelation && field.relation === undefined) say(text('Choose what it links to.'));
  if (traits && !traits.isRelation && (field.relation ?? field.domain) !== undefined)
    say(text('Only a link has a model and a filter.'));
  if (traits && !traits.isMoney && field.currency !== undefined) say(text('Only money has a currency.'));
  if (traits && !traits.isShort && field.size !== undefined) say(text('Only a short text has a size.'));
  if (traits?.isChoice !== true && field.choices !== undefined) say(text('Only a choice has choices.'));
  return traits?.isChoice ? { ...field, choices: readChoices(at, field.choices ?? [], problems) } : field;
}

function readChoices(at: string, given: readonly unknown[], problems: DocumentProblem[]): readonly CustomChoice[] {
  const say = (message: Text) => void problems.push({ at, message });
  const { choices: max, label: maxLabel } = customLimits;
  if (given.length === 0) say(text('Add a choice.'));
  if (given.length > max) say(text('A field has at most {max} choices.', { max }));
  const seen = new Set<string>();
  return given.slice(0, max).map((value) => {
    const read = createReader(at, value, problems);
    const choice = present<CustomChoice>({
      value:
        read.checked<string>('value', 'lower-case letters, digits and _', (found) => matches(found, choiceValue)) ?? '',
      label: read.line('label', maxLabel) ?? '',
      look: read.checked('look', `one of ${choiceLooks.join(', ')}`, (found) => choiceLooks.includes(found as 'ok')),
    });
    read.end();
    if (choice.label === '') say(text('Every choice needs a label.'));
    if (seen.has(choice.value)) say(text('Two choices have the value "{value}".', { value: choice.value }));
    seen.add(choice.value);
    return choice;
  });
}

function readView(value: unknown, at: string, problems: DocumentProblem[]): CustomView {
  const read = createReader(at, value, problems);
  const view = read.checked<string>('view', 'the external id of a view', (found) => matches(found, externalId)) ?? '';
  const steps = read.list('steps', (step) => readStep(step, view, problems));
  const { steps: max } = customLimits;
  if (steps.length > max) read.fail(view, text('A view has at most {max} changes.', { max }));
  read.end();
  return { view, steps };
}

function readStep(value: unknown, at: string, problems: DocumentProblem[]): ViewStep {
  const read = createReader(at, value, problems);
  const expr =
    read.checked<string>('expr', "a field of the view such as //field[@name='partner_id']", (found) =>
      matches(found, anchor),
    ) ?? '';
  const position = read.checked<ViewStep['position']>('position', 'before, after or attributes', (found) =>
    ['before', 'after', 'attributes'].includes(found as string),
  );
  if (position !== 'attributes') {
    const fields = read.list('fields', (field) => readShown(field, at, problems));
    read.end();
    return { expr, position: position ?? 'after', fields };
  }
  const attributes = read.map('attributes', (name, given) => {
    const isText = typeof given === 'string' && given.length <= customLimits.help && !/\p{Cc}/u.test(given);
    if (settable.has(name) && isText) return given;
    read.fail(at, text('"{name}" cannot be set here.', { name: name.slice(0, 80) }));
    return '';
  });
  read.end();
  return { expr, position, attributes };
}

function readShown(value: unknown, at: string, problems: DocumentProblem[]): ShownField {
  const read = createReader(at, value, problems);
  const field = present<ShownField>({
    name: read.checked<string>('name', 'a field', (found) => matches(found, /^[a-z][a-z0-9_]*$/)) ?? '',
    widget: read.checked('widget', 'the name of a widget', (found) => matches(found, /^[a-z][a-z0-9_]*$/)),
    options: read.checked('options', 'an object', (found) => typeof found === 'object' && !Array.isArray(found)),
    optional: read.checked('optional', 'show or hide', (found) => found === 'show' || found === 'hide'),
  });
  read.end();
  return field;
}

function readWords(lang: string, value: unknown, problems: DocumentProblem[]): Readonly<Record<string, string>> {
  const fail = (message: Text) => void problems.push({ at: `words.${lang.slice(0, 20)}`, message });
  if (!isLanguageCode(lang)) fail(text('"{name}" is not a language.', { name: lang.slice(0, 20) }));
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const { help: max } = customLimits;
  const isText = (found: unknown): found is string =>
    typeof found === 'string' && found !== '' && found.length <= max && !/\p{Cc}/u.test(found);
  const wrong = given.find(([english, said]) => !isText(english) || !isText(said));
  if (wrong) fail(text('A translation has 1 to {max} characters.', { max }));
  return Object.fromEntries(given) as Readonly<Record<string, string>>;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && value.length <= 300 && pattern.test(value);
}

function isListOf(pattern: RegExp): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.length <= 50 && value.every((each) => matches(each, pattern));
}

function isSize(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 10_000;
}

function isDefault(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.length <= customLimits.default;
  const { source, ...others } = (value ?? {}) as { source?: unknown };
  return ['today', 'now', 'user', 'company'].includes(source as string) && Object.keys(others).length === 0;
}

function isDomain(value: unknown): boolean {
  try {
    parseAuthoredDomain(value as never);
    return Array.isArray(value);
  } catch {
    return false;
  }
}
