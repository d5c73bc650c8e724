import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, Registry } from '@kontor/orm';
import { conditionsIn, didYouMean, parseDomain } from '@kontor/protocol';
import { parseNode, walkNodes } from '@kontor/views';
import { type Addon, isPicture } from '../addons/catalogue.ts';
import type { DataField, DataRecord } from '../addons/data/data-record.ts';
import type { Findings } from './findings.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

export interface ModelCheck {
  readonly addon: Addon;
  readonly registry: Registry;
  /** Of the addon itself. */
  readonly records: readonly DataRecord[];
  readonly allRecords: readonly DataRecord[];
  readonly groups: ReadonlySet<string>;
  /** Names of the client's icons; null where they are not known. */
  readonly icons: ReadonlySet<string> | null;
  readonly findings: Findings;
}

/** What is wrong with the models of an addon though each of its definitions is right by itself. */
export function checkModels(check: ModelCheck): void {
  const places = sourcePlaces(check.addon);
  const own = [...check.registry.models.values()].filter(({ module }) => module === check.addon.name);
  for (const model of own) checkRights(check, model, places);
  for (const model of check.registry.models.values()) {
    checkGroups(check, model, places);
    checkModelIcons(check, model, places);
  }
  checkFileIcons(check);
  for (const model of own) checkOrder(check, model, places);
  checkDomains(check);
}

/** A model without a row is closed to everyone; quiet ones that only the server writes are meant to be. */
function checkRights({ addon, allRecords, findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  if (model.quiet && !model.isTransient) return;
  const isOpen = allRecords.some((record) => record.model === 'sys.access' && textOf(record, 'model') === model.name);
  if (isOpen) return;
  const id = `access_${model.name.replace(`${addon.name}.`, '').replaceAll('.', '_')}`;
  const fix = `Add to security/access.csv: ${id},Users,${model.name},base.group_user,1,1,1,1`;
  findings.add('rights', places.of(model.name), `Nobody may read ${model.name}: no row gives a right to it.`, fix);
}

function checkGroups({ addon, groups, findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  const say = (name: string, named: readonly string[] | null | undefined) => {
    for (const group of named ?? []) {
      if (groups.has(group)) continue;
      findings.add('groups', places.of(model.name, name), `There is no group "${group}".`, didYouMean(group, groups));
    }
  };
  for (const field of model.fields.values()) if (field.module === addon.name) say(field.name, field.spec.groups);
  if (model.module !== addon.name) return;
  for (const [name, action] of model.actions)
    if (action.kind === 'action') say(name.replace(/^action_/, ''), action.groups);
  for (const [name, variants] of model.states?.moves ?? []) for (const move of variants) say(name, move.groups);
}

function checkModelIcons(check: ModelCheck, model: Model, places: SourcePlaces): void {
  if (model.module !== check.addon.name) return;
  const say = (name: string, icon: string | null | undefined) => {
    if (isUnknownIcon(check, icon)) addIcon(check, places.of(model.name, name), icon as string);
  };
  for (const [name, action] of model.actions) {
    if (action.kind === 'action') say(name.replace(/^action_/, ''), action.icon);
  }
  for (const [name, variants] of model.states?.moves ?? []) for (const move of variants) say(name, move.icon);
  say('due', model.due?.icon);
}

function checkFileIcons(check: ModelCheck): void {
  const { addon, records } = check;
  const text = readFileSync(join(addon.folder, 'manifest.json'), 'utf8').split('\n');
  const line = Math.max(1, text.findIndex((each) => each.includes('"icon"')) + 1);
  if (isUnknownIcon(check, addon.manifest.icon)) {
    addIcon(check, { addon: addon.name, file: 'manifest.json', line }, addon.manifest.icon);
  }
  for (const record of records) {
    const icon = record.model === 'sys.menu' ? textOf(record, 'icon') : null;
    if (isUnknownIcon(check, icon)) addIcon(check, record.place, icon as string);
    if (record.model !== 'sys.view') continue;
    for (const node of walkNodes(parseNode(textOf(record, 'arch') ?? '', record.place))) {
      if (isUnknownIcon(check, node.attributes.icon)) addIcon(check, node.place, node.attributes.icon as string);
    }
  }
}

function isUnknownIcon({ icons }: ModelCheck, icon: string | null | undefined): boolean {
  return !!icon && icons !== null && !isPicture(icon) && !icons.has(icon);
}

function addIcon({ icons, findings }: ModelCheck, place: Parameters<Findings['add']>[1], icon: string): void {
  const fix =
    didYouMean(icon, icons ?? []) || 'Choose one of the client, or name a picture of your own such as icon.svg.';
  findings.add('icons', place, `The client has no icon "${icon}".`, fix);
}

/** The first page of every list is sorted: without an index the database reads and sorts the whole table for it. */
function checkOrder({ findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  const [first] = model.order;
  // Parts are read by what they are parts of, and what people put in order by hand is short.
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

/** What rules and actions ask is asked with every list. */
function checkDomains({ addon, registry, records, findings }: ModelCheck): void {
  for (const record of records) {
    if (record.model !== 'sys.rule' && record.model !== 'sys.action.window') continue;
    const model = registry.models.get(textOf(record, 'model') ?? '');
    const item = record.fields.find(({ name }) => name === 'domain');
    const domain = domainOf(item);
    if (!model || model.isTransient || !domain) continue;
    const names = conditionsIn(domain)
      .filter(
        ({ path, operator }) => path.length === 1 && ['=', 'in', '>', '>=', '<', '<=', 'child_of'].includes(operator),
      )
      .map(({ path }) => path[0] as string);
    const stored = names.filter((name) => model.fields.get(name)?.isStored && !isFewValued(model, name));
    if (stored.length === 0 || stored.some((name) => isIndexed(model, name))) continue;
    findings.add(
      'index',
      { ...record.place, addon: addon.name, line: item?.line ?? record.place.line },
      `${model.name} is looked up by "${stored[0]}", which has no index.`,
      `Add index: true to ${stored[0]}, or to indexes of the model.`,
      'warning',
    );
  }
}

/** An index on what has a handful of values finds too many rows to be of use. */
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

function domainOf(item: DataField | undefined) {
  const value = item?.value;
  try {
    if (value?.kind === 'text' && value.text !== '') return parseDomain(JSON.parse(value.text));
    return value?.kind === 'json' && value.json !== null ? parseDomain(value.json) : null;
  } catch {
    return null; // Not a domain: the check of values says so.
  }
}

export function textOf(record: DataRecord, name: string): string | null {
  const value = record.fields.find((field) => field.name === name)?.value;
  return value?.kind === 'text' ? value.text : null;
}
