import { formulaLimits } from '@kontor/orm';
import { type FieldType, fieldTypes, parseAuthoredDomain, type Text, type TextFormat, text } from '@kontor/protocol';
import { isLanguageCode } from '../../translations/read-wordbooks.ts';
import { type AddedModel, type AddedModels, linesField, readAddedModel } from './added-model.ts';
import { type CustomChoice, readChoices } from './choices.ts';
import {
  createReader,
  customLimits,
  type DocumentProblem,
  documentError,
  externalId,
  matches,
  present,
} from './document-reader.ts';
import { type CustomCheck, type CustomStates, readChecks, readStates } from './states.ts';
import { type CustomView, readView } from './view-steps.ts';

/** The module whose source is a document in the database. It depends on all others. */
export const customModule = 'custom';
/** Fields of customisations begin with it; those of addons never do, so that no later version can collide. */
export const customPrefix = 'x_';

export type DefaultWord = 'today' | 'now' | 'user' | 'company';

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
  /** What a short text holds. */
  readonly format?: TextFormat;
  /** A path through many2ones to the initial value. */
  readonly from?: string;
  /** An expression that gives the value. */
  readonly formula?: string;
  /** A measure of lines that gives the value: `line_ids.subtotal`, or `line_ids` for their number. */
  readonly lines?: { readonly measure: 'sum' | 'count' | 'min' | 'max'; readonly path: string };
  /** With a formula: its value is kept in a column, so that records can be searched and grouped by it. */
  readonly stored?: boolean;
  readonly tracking?: boolean;
  readonly personal?: boolean;
  /** It keeps its data and stays readable, and no screen offers it. */
  readonly retired?: boolean;
}

/** What a customisation adds to one model. */
export interface CustomExtension {
  readonly fields: Readonly<Record<string, CustomField>>;
  readonly states?: CustomStates;
  /** Rules that every record satisfies. */
  readonly checks?: readonly CustomCheck[];
}

/** A customisation: the source of the module `custom`, as JSON. */
export interface CustomDocument {
  /** Models that are added; absent if there are none. */
  readonly models?: AddedModels;
  readonly extends: Readonly<Record<string, CustomExtension>>;
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

export function extensionIn(document: CustomDocument, model: string): CustomExtension {
  return (Object.hasOwn(document.extends, model) && document.extends[model]) || { fields: {} };
}

/** The document with other members of an extension; what is undefined is taken away, and an empty one leaves. */
export function withExtension(
  document: CustomDocument,
  model: string,
  members: { readonly [Name in keyof CustomExtension]?: CustomExtension[Name] | undefined },
): CustomDocument {
  const next = present<CustomExtension>({ ...extensionIn(document, model), ...members } as CustomExtension);
  const isEmpty = Object.keys(next.fields).length === 0 && !next.states && !next.checks;
  const others = Object.entries(document.extends).filter(([name]) => name !== model);
  const order = Object.keys(document.extends);
  const all = isEmpty ? others : [...others, [model, next] as const];
  const at = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return { ...document, extends: Object.fromEntries(all.sort(([a], [b]) => at(a) - at(b))) };
}

/** An added model of the document. */
export function modelIn({ models = {} }: CustomDocument, name: string): AddedModel | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined;
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

const fieldName = /^x_[a-z0-9_]{1,57}$/;
const modelName = /^(?:x_[a-z][a-z0-9_]*|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)$/;
const path = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}$/;
const textFormats: readonly TextFormat[] = ['email', 'phone', 'url', 'iban'];
/** Whether a name can be that of a custom field. */
export function isCustomName(name: string): boolean {
  return fieldName.test(name);
}

/**
 * The document in a value from outside. Throws with every mistake at its part; unknown keys are mistakes. An incomplete one may name fields of models that
 * later changes add.
 */
export function readDocument(value: unknown, isComplete = true): CustomDocument {
  if (JSON.stringify(value ?? null).length > customLimits.document)
    throw documentError([
      {
        at: 'document',
        message: text('A customisation has at most {max} characters.', { max: customLimits.document }),
      },
    ]);
  const problems: DocumentProblem[] = [];
  const read = createReader('document', value, problems);
  const models = read.map('models', (name, model) => readAddedModel(name, model, problems));
  const { models: max } = customLimits;
  const { length } = Object.keys(models);
  if (length > max) read.fail('document', text('A customisation has at most {max} added models.', { max }));
  const document: CustomDocument = {
    ...(length > 0 && { models }),
    extends: read.map('extends', (model, extension) => {
      if (!modelName.test(model)) read.fail(model, text('"{name}" is not a model.', { name: model }));
      return readExtension(model, extension, problems);
    }),
    views: read.list('views', (view, at) => readView(view, at, problems)),
    words: read.map('words', (lang, words) => readWords(lang, words, problems)),
  };
  read.end();
  if (isComplete) checkModels(document, problems);
  if (problems.length > 0) throw documentError(problems);
  return document;
}

/** What is said of a model in two places of the document. */
function checkModels(document: CustomDocument, problems: DocumentProblem[]): void {
  for (const [name, { shown, board, calendar, partOf, access }] of Object.entries(document.models ?? {})) {
    const say = (message: Text) => void problems.push({ at: name, message });
    const named = [...shown, ...(board ? [board] : []), ...(calendar ? [calendar] : [])];
    const missing = named.find((field) => field !== 'name' && !fieldIn(document, name, field));
    if (missing) say(text('It has no field "{name}".', { name: missing }));
    const [column, day] = [board, calendar].map((field) => fieldIn(document, name, field ?? '')?.type);
    if (board && !(column && (fieldTypes[column].isChoice || fieldTypes[column].isToOne)))
      say(text('The columns of a board are a choice or a link.'));
    if (calendar && !(day && fieldTypes[day].isDate)) say(text('A calendar needs a date.'));
    const person = access.find(({ only }) => only && !linksPeople(document, name, only))?.only;
    if (person) say(text('It has no link to people "{name}", which says what a group sees.', { name: person }));
    if (partOf && fieldIn(document, partOf.model, linesField(name)))
      say(text('"{name}" is the name of another field of this model.', { name: linesField(name) }));
  }
  for (const [name, { states }] of Object.entries(document.extends)) {
    if (!states) continue;
    const own = fieldIn(document, name, states.field);
    const say = (message: Text) => void problems.push({ at: `${name}.states`, message });
    if (own && states.choices) say(text('The states of an added choice are its choices.'));
    if (isCustomName(states.field) && !(own && fieldTypes[own.type].isChoice))
      say(text('There is no choice "{name}".{hint}', { name: states.field, hint: '' }));
    if (isCustomName(states.field) && !modelIn(document, name))
      say(text('States begin on models that were added. Those of apps get more states and moves.'));
  }
  for (const name of Object.keys(document.extends))
    if (isCustomName(name) && !modelIn(document, name))
      problems.push({ at: name, message: text('There is no model {model}.', { model: name }) });
}

/** Whether a field of a model says which people a record is about. */
export function linksPeople(document: CustomDocument, model: string, name: string): boolean {
  return name === 'create_uid' || fieldIn(document, model, name)?.relation === 'core.user';
}

function readExtension(model: string, value: unknown, problems: DocumentProblem[]): CustomExtension {
  const read = createReader(model, value, problems);
  const [states, checks] = [read.take('states'), read.take('checks')];
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
  return {
    fields,
    ...(states !== undefined && { states: readStates(model, states, problems) }),
    ...(checks !== undefined && { checks: readChecks(model, checks, problems) }),
  };
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
    format: read.checked('format', 'email, phone, url or iban', (found) => textFormats.includes(found as TextFormat)),
    from: read.checked('from', 'a path such as partner_id.phone', (found) => matches(found, path)),
    formula: read.line('formula', formulaLimits.length),
    lines: read.checked('lines', 'a measure and a path of lines', isMeasure),
    stored: read.flag('stored'),
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
  if (traits && !traits.isShort && field.format !== undefined) say(text('Only a short text has a format.'));
  if (traits && !traits.isShort && field.size !== undefined) say(text('Only a short text has a size.'));
  const given = (['from', 'formula', 'lines', 'default'] as const).filter((key) => field[key] !== undefined);
  if (given.length > 1) say(text('Only one of these can give the value: {names}.', { names: given.join(', ') }));
  const isDerived = field.formula !== undefined || field.lines !== undefined;
  if (isDerived && field.required) say(text('A calculated field cannot be required.'));
  if (field.stored !== undefined && field.formula === undefined) say(text('Only a formula is stored or not.'));
  if (traits?.isChoice !== true && field.choices !== undefined) say(text('Only a choice has choices.'));
  return traits?.isChoice ? { ...field, choices: readChoices(at, field.choices ?? [], problems) } : field;
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

function isMeasure(value: unknown): boolean {
  const { measure, path: lines, ...others } = (value ?? {}) as { measure?: unknown; path?: unknown };
  return (
    ['sum', 'count', 'min', 'max'].includes(measure as string) &&
    matches(lines, path) &&
    Object.keys(others).length === 0
  );
}

function isDomain(value: unknown): boolean {
  try {
    parseAuthoredDomain(value as never);
    return Array.isArray(value);
  } catch {
    return false;
  }
}
