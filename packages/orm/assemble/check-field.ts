import {
  chooseOne,
  conditionsIn,
  didYouMean,
  isToken,
  KontorError,
  modelHint,
  parseAuthoredDomain,
} from '@kontor/protocol';
import { isDefaultSource } from '../fields/default-sources.ts';
import { BadValue } from '../fields/kind.ts';
import { expandSets } from '../model/expand-sets.ts';
import type { Field } from '../model/model.ts';
import { memberNameFault } from '../model/names.ts';
import { fieldAt } from './build-fields.ts';
import { type FieldTable, walkPath } from './path.ts';
import { checkSource } from './sourced-fields.ts';

type Check = (field: Field, table: FieldTable) => string | null;

/** Each gives the mistake in a field's declaration, or null. */
export const fieldChecks: readonly Check[] = [
  checkInverse,
  checkSelection,
  checkSets,
  checkDefault,
  checkStoredAttributes,
  checkTranslated,
  checkOndelete,
  checkPrecision,
  checkBounds,
  checkCurrency,
  checkRatesOn,
  checkAggregate,
  checkMeantFor,
  checkRelationDomain,
  checkReferenceModels,
  checkSource,
];

function checkInverse(field: Field, table: FieldTable): string | null {
  const { relation, inverse } = field.spec;
  if (!field.kind.isLines || field.related !== null || field.spec.computed) return null;
  const fields = table.get(relation as string);
  const other = fields?.get(inverse as string);
  if (other === undefined) {
    const back = [...(fields?.values() ?? [])].filter(
      (each) => each.kind.isToOne && each.spec.relation === field.model,
    );
    const hint = didYouMean(String(inverse), fields?.keys() ?? []);
    const names = back.map(({ name }) => `"${name}"`).join(', ');
    return `its inverse: ${relation} has no field "${inverse}".${hint || (names && ` Name the many2one to ${field.model}: ${names}.`)}`;
  }
  const isBack = other.kind.isToOne && other.spec.relation === field.model && other.isStored;
  return isBack ? null : `its inverse ${relation}.${inverse} is not a stored many2one to ${field.model}.`;
}

function checkSelection(field: Field): string | null {
  if (!field.kind.isChoice) return null;
  const size = field.selection?.size ?? 0;
  if (size === 0) return 'a selection needs at least one value.';
  return field.selection?.has('') ? 'a selection cannot have an empty value.' : null;
}

/** A name that is both a set and a choice would mean two things in `locks` and in `from`. */
function checkSets({ selection, sets, kind }: Field): string | null {
  if (sets.size > 0 && !kind.isChoice) return 'only a selection has sets.';
  const names = [...(selection?.keys() ?? [])];
  for (const [name, values] of sets) {
    if (selection?.has(name)) return `its set "${name}" has the name of a choice.`;
    if (isToken(name) || memberNameFault(name) !== null) return `"${name}" cannot be the name of a set.`;
    if (values.length === 0) return `its set "${name}" is empty.`;
    const unknown = values.find((value) => !selection?.has(value));
    if (unknown !== undefined)
      return `its set "${name}" has "${unknown}", which is no value.${chooseOne(unknown, names)}`;
  }
  return null;
}

function checkDefault(field: Field, table: FieldTable): string | null {
  const value = field.spec.default;
  if (value === undefined || typeof value === 'function') return null;
  if (field.spec.computed) return 'a computed field cannot have a default.';
  if (isDefaultSource(value)) {
    if (value.source === 'company-value') return companyValueFault(field, value.field, table);
    return sourceFault(field, value.source, 'default ');
  }
  try {
    field.kind.cast(value, field);
    return null;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return `its default does not fit: ${error.message}${field.selection ? '' : defaultHint(field)}`;
  }
}

/** A choice that is wrong already names the right ones. */
function defaultHint({ kind }: Field): string {
  if (kind.isNumber) return ' Give a number such as 1, or leave the default out.';
  if (kind.isText) return " Give a text such as 'New', or leave the default out.";
  return ' Give a value of its type, or leave the default out.';
}

export function companyValueFault(field: Field, name: string, table: FieldTable, what = 'its default'): string | null {
  const company = table.get('core.company');
  const source = company?.get(name);
  if (!source)
    return `${what} is core.company.${name}: there is no such field.${chooseOne(name, company?.keys() ?? [])}`;
  const isSame = source.spec.type === field.spec.type && source.spec.relation === field.spec.relation;
  return isSame ? null : `${what} is core.company.${name}, which is ${source.spec.type} and does not fit.`;
}

/** Why a source such as the current user cannot fill a field, or null. */
export function sourceFault(field: Field, source: string, what = ''): string | null {
  const types: Record<string, readonly string[]> = {
    sequence: ['char', 'text'],
    user: ['many2one'],
    company: ['many2one'],
    today: ['date'],
    now: ['datetime'],
  };
  const wanted = types[source] as readonly string[];
  if (!wanted.includes(field.spec.type)) return `the ${what}"${source}" is for ${wanted.join(' or ')} fields.`;
  const model = { user: 'core.user', company: 'core.company' }[source];
  return model !== undefined && field.spec.relation !== model
    ? `the ${what}"${source}" is a record of ${model}.`
    : null;
}

function checkStoredAttributes(field: Field): string | null {
  const { unique, index, tracking, stored, computed } = field.spec;
  if (field.kind.isList && stored && !field.isEditable) return 'a computed relation to many records cannot be stored.';
  if (field.isStored) return null;
  if (unique) return 'a field that is not stored cannot be unique.';
  if (index) return 'a field that is not stored cannot be indexed.';
  return tracking && ((computed && !field.isEditable) || field.related)
    ? 'a field that is not stored cannot be tracked.'
    : null;
}

function checkTranslated(field: Field, table: FieldTable): string | null {
  if (!field.spec.translated) return null;
  if (!field.kind.isText || field.kind.shownAs === 'html') return 'only a char or a text can be translated.';
  if (!field.isStored || field.compute !== null || field.spec.secret)
    return 'only a text that is stored as given can be translated.';
  const name = `${field.name}_words`;
  return table.get(field.model)?.has(name) ? `its translations are stored in "${name}", which is a field.` : null;
}

function checkOndelete(field: Field): string | null {
  if (field.spec.key === false && !field.kind.isToOne) return 'only a many2one can be without a key.';
  if (!field.kind.isToOne || !field.required || field.spec.ondelete !== 'set null') return null;
  return "a required many2one cannot be emptied: use ondelete 'restrict' or 'cascade'.";
}

function checkPrecision(field: Field): string | null {
  const { precision, size } = field.spec;
  if (size !== undefined && !(Number.isInteger(size) && size > 0 && size <= 10_485_760))
    return 'its size must be a whole number above 0.';
  if (precision === undefined) return null;
  const [digits, scale] = precision;
  const isSound =
    Number.isInteger(digits) && Number.isInteger(scale) && scale >= 0 && digits > 0 && digits >= scale && digits <= 100;
  return isSound ? null : 'its precision is [digits in all, digits after the point], such as [16, 2].';
}

function checkBounds(field: Field): string | null {
  const { min, max } = field.spec;
  return min !== undefined && max !== undefined && min > max ? `its min ${min} is above its max ${max}.` : null;
}

function checkCurrency(field: Field, table: FieldTable): string | null {
  const { currency } = field.spec;
  if (!field.kind.isMoney || currency === undefined) return null;
  const walked = walkPath(table, field.model, currency.split('.'));
  if (typeof walked === 'string') return `its currency ${walked}`;
  const isCurrency = walked.every(({ kind }) => kind.isToOne) && walked.at(-1)?.spec.relation === 'core.currency';
  return isCurrency ? null : `its currency "${currency}" is not a many2one to core.currency.`;
}

function checkRatesOn(field: Field, table: FieldTable): string | null {
  const { ratesOn, relation } = field.spec;
  if (ratesOn === undefined) return null;
  if (!field.kind.isToOne || relation !== 'core.currency')
    return 'only a many2one to core.currency has rates of a day.';
  const day = table.get(field.model)?.get(ratesOn);
  return (day?.kind.isDate || day?.kind.isInstant) && day.isStored
    ? null
    : `its rates are those of "${ratesOn}", which is no stored date.`;
}

function checkMeantFor(field: Field): string | null {
  if (field.spec.meantFor === undefined || field.column !== null) return null;
  return 'only a stored value is meant for some people in some records.';
}

function checkAggregate(field: Field, table: FieldTable): string | null {
  const { aggregate } = field.spec;
  if (aggregate === undefined) return null;
  if (!field.kind.isNumber) return 'only a number has an aggregate.';
  if (typeof aggregate === 'string') return null;
  const fields = table.get(field.model);
  const wrong = aggregate.ratio.find((name) => !fields?.get(name)?.isStored || !fields.get(name)?.kind.isNumber);
  if (wrong === undefined) return null;
  return `its aggregate: ${field.model} has no stored number "${wrong}".${chooseOne(wrong, fields?.keys() ?? [])}`;
}

function checkRelationDomain(field: Field, table: FieldTable): string | null {
  const { domain, relation } = field.spec;
  if (domain === undefined) return null;
  if (relation === undefined) return 'only a relation can have a domain.';
  try {
    const node = parseAuthoredDomain(domain);
    const walks = conditionsIn(node).map(({ path }) => walkPath(table, relation, path));
    const problem = walks.find((walked) => typeof walked === 'string');
    if (problem !== undefined) return `its domain ${problem}`;
    expandSets(node, (path) => fieldAt(table, relation, path));
    return null;
  } catch (error) {
    if (error instanceof KontorError) return `its domain is none. ${error.message}`;
    throw error;
  }
}

function checkReferenceModels(field: Field, table: FieldTable): string | null {
  const unknown = field.spec.models?.find((model) => !table.has(model));
  return unknown === undefined ? null : `there is no model ${unknown}.${modelHint(unknown, table.keys())}`;
}
