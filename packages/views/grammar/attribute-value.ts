import {
  conditionsIn,
  type DomainNode,
  didYouMean,
  granularities,
  KontorError,
  parseAuthoredDomain,
  viewTypes,
} from '@kontor/protocol';
import type { AttributeKind, AttributeSpec } from './tag-spec.ts';

/** A value that its attribute does not accept; the message follows the name of the attribute. */
export class BadAttribute extends Error {
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message);
    this.hint = hint;
  }
}

const fieldName = /^[a-z_][a-z0-9_]*$/;
const fieldPath = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/;

/** How the text of each kind of attribute is read. Other kinds are plain texts. */
const readers: Partial<Readonly<Record<AttributeKind, (text: string) => unknown>>> = {
  boolean: readBoolean,
  integer: readInteger,
  json: readObject,
  name: matching(/^[a-z][a-z0-9_]*$/, 'takes lower-case letters, digits and _'),
  model: matching(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, 'takes the name of a model'),
  field: matching(fieldName, 'takes the name of a field'),
  fields: (text) => listOf(text).map(matching(fieldName, 'takes names of fields')),
  path: matching(fieldPath, 'takes a field or a path through many2ones'),
  order: (text) => listOf(text).map(readTerm).join(', '),
  'group-by': readGroupBy,
  'group-bys': (text) => listOf(text).map(readGroupBy),
  domain: readDomain,
  'relation-domain': readDomain,
  condition: readCondition,
  groups: listOf,
  'view-type': readViewType,
  'view-types': readViewTypes,
};

/** The value of an attribute; throws BadAttribute if the text is invalid for its kind. */
export function readAttribute(spec: AttributeSpec, text: string): unknown {
  if (spec.kind === 'choice' && !spec.values?.includes(text)) {
    const values = spec.values ?? [];
    throw new BadAttribute(`takes ${values.join(', ')}, not "${text}".`, didYouMean(text, values));
  }
  if (text.trim() === '') throw new BadAttribute('is empty.');
  const read = readers[spec.kind];
  return read ? read(text.trim()) : text;
}

function readBoolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new BadAttribute(`takes true or false, not "${text}".`);
}

function readInteger(text: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new BadAttribute(`takes a whole number, not "${text}".`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAttribute(`is not JSON: ${text}`, 'Names and texts need double quotes.');
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadAttribute(`takes a JSON object, not ${text}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function readDomain(text: string): DomainNode {
  const value = readJson(text);
  try {
    return parseAuthoredDomain(value);
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    throw new BadAttribute(`is not a domain. ${error.message}`, String(error.details.hint ?? ''));
  }
}

/** Conditions are evaluated in the browser, which knows no hierarchies. */
export function readCondition(text: string): boolean | DomainNode {
  if (!text.startsWith('[')) return readBoolean(text);
  const domain = readDomain(text);
  const asked = conditionsIn(domain).find(({ operator }) => operator === 'child_of' || operator === 'parent_of');
  if (asked) throw new BadAttribute(`cannot use "${asked.operator}": it can only be asked of the server.`);
  return domain.kind === 'all' ? true : domain;
}

function readGroupBy(text: string): string {
  const [path = '', granularity, ...rest] = text.split(':');
  if (!fieldPath.test(path) || rest.length > 0) throw new BadAttribute(`takes a field, not "${text}".`);
  if (granularity !== undefined && !(granularities as readonly string[]).includes(granularity)) {
    throw new BadAttribute(
      `has no granularity "${granularity}".`,
      didYouMean(granularity, granularities) || `There are ${granularities.join(', ')}.`,
    );
  }
  return text;
}

function readTerm(text: string): string {
  const path = text.startsWith('-') ? text.slice(1).trim() : text;
  if (!fieldPath.test(path)) throw new BadAttribute(`takes fields such as "name, -date", not "${text}".`);
  return text.startsWith('-') ? `-${path}` : path;
}

/** The maximum length of its column. */
function readViewType(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,15}$/.test(text)) throw new BadAttribute(`takes the name of a view type, not "${text}".`);
  if ((viewTypes as readonly string[]).includes(text)) {
    throw new BadAttribute(`takes a view type of an addon; ${text} is one that the client has.`);
  }
  return text;
}

function readViewTypes(text: string): readonly string[] {
  const names = listOf(text);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new BadAttribute(`names ${twice} twice.`);
  return names;
}

export function listOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new BadAttribute(`has an empty name in "${text}".`);
  return names;
}

function matching(pattern: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (!pattern.test(text)) throw new BadAttribute(`${what}, not "${text}".`);
    return text;
  };
}
