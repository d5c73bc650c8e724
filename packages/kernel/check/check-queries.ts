import type { Model } from '@kontor/orm';
import {
  type ConditionNode,
  chooseOne,
  conditionsIn,
  type DomainNode,
  KontorError,
  parseAuthoredDomain,
} from '@kontor/protocol';
import { parseNode, walkNodes } from '@kontor/views';
import type { Place } from '../addons/addon-error.ts';
import { type DataField, type DataRecord, fieldPlace } from '../addons/data/data-record.ts';
import { type ModelCheck, textOf } from './check-models.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

/** Checks fields that lists sort and search by: unknown fields, and fields without an index. */
export function checkQueries(check: ModelCheck): void {
  const { addon, registry } = check;
  const places = sourcePlaces(addon);
  for (const model of registry.models.values()) if (model.module === addon.name) checkOrder(check, model, places);
  for (const record of check.records) {
    if (record.model === 'sys.rule' || record.model === 'sys.action.window') checkIsDomain(check, record);
    if (record.model === 'sys.rule') checkRuleFields(check, record);
    for (const asked of askedBy(check, record)) checkAsked(check, asked);
  }
}

/** The first page of every list is sorted: without an index the database reads and sorts the whole table for it. */
function checkOrder({ findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  const [first] = model.order;
  // Parts are read through their whole, and manually ordered records are few.
  if (model.isTransient || model.quiet || model.partOf !== null || !first || first.path.length !== 1) return;
  const name = first.path[0] as string;
  if (isIndexed(model, name) || name === 'sequence' || isFewValued(model, name)) return;
  const terms = model.order.filter(({ path }) => path.length === 1 && model.fields.get(path[0] as string)?.isStored);
  const written = terms.map(({ path, descending }) => `${descending ? '-' : ''}${path[0]}`).join(', ');
  findings.add(
    'index',
    places.of(model.name, 'order'),
    `${model.name} is sorted by "${name}", which has no index: a long table is sorted for every page.`,
    `Add indexes: ['${written}'], or index: true to the field.`,
    'warning',
  );
}

/** Operators and their order; an install would report them too, but one at a time. */
function checkIsDomain({ findings }: ModelCheck, record: DataRecord): void {
  const item = record.fields.find(({ name }) => name === 'domain');
  if (!item) return;
  try {
    readDomain(item.value);
  } catch (error) {
    const why = error instanceof KontorError ? error.message : 'it is not JSON.';
    findings.add('data', fieldPlace(record, item), `This is not a domain: ${why}`);
  }
}

/** An install would report unknown names in a rule too, but one at a time. */
function checkRuleFields({ registry, findings }: ModelCheck, record: DataRecord): void {
  const model = registry.models.get(textOf(record, 'model') ?? '');
  const item = record.fields.find(({ name }) => name === 'domain');
  const domain = domainOf(item?.value);
  if (!model || !item || !domain) return;
  for (const { path } of conditionsIn(domain)) {
    let at: Model | undefined = model;
    for (const name of path) {
      const field: ReturnType<Model['fields']['get']> = at?.fields.get(name);
      if (at && !field) {
        const fix = chooseOne(name, at.fields.keys());
        findings.add('data', fieldPlace(record, item), `${at.name} has no field "${name}".`, fix);
      }
      at = field?.spec.relation === undefined ? undefined : registry.models.get(field.spec.relation);
    }
  }
}

interface Asked {
  readonly model: Model;
  readonly domain: DomainNode;
  readonly place: Place;
}

/** Conditions of rules, actions and default filters are part of every list. */
function askedBy({ registry }: ModelCheck, record: DataRecord): readonly Asked[] {
  if (record.model === 'sys.view') {
    const root = parseNode(textOf(record, 'arch') ?? '', record.place);
    const model = registry.models.get(root.attributes.model ?? '');
    if (!model) return [];
    return [...walkNodes(root)].flatMap(({ tag, attributes, place }) => {
      const isAsked = tag === 'filter' && attributes.default === 'true';
      const domain = isAsked ? domainOf({ kind: 'text', text: attributes.domain ?? '' }) : null;
      return domain ? [{ model, domain, place }] : [];
    });
  }
  if (record.model !== 'sys.rule' && record.model !== 'sys.action.window') return [];
  const model = registry.models.get(textOf(record, 'model') ?? '');
  const item = record.fields.find(({ name }) => name === 'domain');
  const domain = domainOf(item?.value);
  return model && item && domain ? [{ model, domain, place: fieldPlace(record, item) }] : [];
}

const lookedUp: ReadonlySet<ConditionNode['operator']> = new Set(['=', 'in', '>', '>=', '<', '<=', 'child_of']);

function checkAsked({ findings }: ModelCheck, { model, domain, place }: Asked): void {
  if (model.isTransient) return;
  const names = conditionsIn(domain).filter(({ path, operator }) => path.length === 1 && lookedUp.has(operator));
  const stored = names
    .map(({ path }) => path[0] as string)
    .filter((name) => model.fields.get(name)?.isStored && !isFewValued(model, name));
  if (stored.length === 0 || stored.some((name) => isIndexed(model, name))) return;
  findings.add(
    'index',
    place,
    `${model.name} is looked up by "${stored[0]}", which has no index.`,
    `Add index: true to ${stored[0]}, or to indexes of the model.`,
    'warning',
  );
}

/** An index on a field with a handful of values finds too many rows to be useful. */
function isFewValued(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  return !field || field.kind.isBoolean || field.selection !== null;
}

function isIndexed(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  if (!field?.isStored || name === 'id' || field.spec.index || field.spec.unique || field.kind.isToOne) return true;
  const isFirst = (names: readonly string[]) => names[0] === name;
  return (
    model.uniques.some(({ fields }) => isFirst(fields)) ||
    model.indexes.some((terms) => terms[0]?.path.join('.') === name)
  );
}

function domainOf(value: DataField['value'] | undefined): DomainNode | null {
  try {
    return readDomain(value);
  } catch {
    return null; // Mistakes in it are reported where it is checked.
  }
}

function readDomain(value: DataField['value'] | undefined): DomainNode | null {
  if (value?.kind === 'text' && value.text !== '') return parseAuthoredDomain(JSON.parse(value.text));
  return value?.kind === 'json' && value.json !== null ? parseAuthoredDomain(value.json) : null;
}
