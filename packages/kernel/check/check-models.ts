import { type Model, type Registry, sequenceCode } from '@kontor/orm';
import { didYouMean } from '@kontor/protocol';
import { parseNode, walkNodes } from '@kontor/views';
import { type Addon, isPicture } from '../addons/catalogue.ts';
import { customPrefix } from '../addons/custom/document.ts';
import type { DataRecord } from '../addons/data/data-record.ts';
import { placeInManifest } from '../addons/manifest.ts';
import { explainLeak, findLeaks } from './find-leaks.ts';
import type { Findings } from './findings.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

export interface ModelCheck {
  readonly addon: Addon;
  readonly registry: Registry;
  /** Of the addon itself. */
  readonly records: readonly DataRecord[];
  readonly allRecords: readonly DataRecord[];
  readonly groups: ReadonlySet<string>;
  /** Names of the client's icons; null if unknown. */
  readonly icons: ReadonlySet<string> | null;
  readonly findings: Findings;
}

/** Mistakes in the models of an addon whose definitions are each correct. */
export function checkModels(check: ModelCheck): void {
  const places = sourcePlaces(check.addon);
  const own = [...check.registry.models.values()].filter(({ module }) => module === check.addon.name);
  for (const model of own) checkRights(check, model, places);
  for (const model of check.registry.models.values()) {
    checkSequences(check, model, places);
    checkGroups(check, model, places);
    checkNames(check, model, places);
    checkModelIcons(check, model, places);
  }
  checkLeaks(check, places);
  checkFileIcons(check);
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

/** Stored values are the same for all readers, whatever they may read of what these are made from. */
function checkLeaks({ addon, registry, allRecords, findings }: ModelCheck, places: SourcePlaces): void {
  const rules = allRecords.filter(({ model }) => model === 'sys.rule');
  const ruled = new Set(rules.flatMap((rule) => textOf(rule, 'model') ?? []));
  for (const leak of findLeaks(registry, ruled)) {
    if (leak.module !== addon.name || leak.reason !== null) continue;
    const { message, fix } = explainLeak(leak);
    findings.add('rights', places.of(leak.model, leak.name, 'computes'), message, fix);
  }
}

/** A default that draws its number from a sequence that no data file defines. */
function checkSequences({ addon, allRecords, findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  for (const field of model.fields.values()) {
    const code = field.module === addon.name ? sequenceCode(field) : null;
    if (code === null) continue;
    const codes = allRecords.flatMap((record) =>
      record.model === 'sys.sequence' ? (textOf(record, 'code') ?? []) : [],
    );
    if (codes.includes(code)) continue;
    const record = `<record id="sequence_${field.name}" model="sys.sequence">`;
    const values = `<field name="name">${model.label}</field><field name="code">${code}</field>`;
    const fix = didYouMean(code, codes) || `Add to a file in data/: ${record}${values}</record>`;
    findings.add('models', places.of(model.name, field.name), `No data file defines the sequence "${code}".`, fix);
  }
}

/** Names of customisations: a later version of an addon must not collide with one. */
function checkNames({ addon, findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  if (model.module === addon.name && model.name.startsWith(customPrefix)) {
    const message = `${model.name} begins with ${customPrefix}, which is for models that are added in the browser.`;
    findings.add('models', places.of(model.name), message, 'Choose another name.');
  } else if (model.module === addon.name && model.table.startsWith(customPrefix)) {
    const message = `The table of ${model.name}, ${model.table}, could be that of a model that is added in the browser.`;
    findings.add('models', places.of(model.name), message, 'Choose a name that does not begin with "x.".');
  }
  for (const { name, module } of model.fields.values()) {
    if (module !== addon.name || !name.startsWith(customPrefix)) continue;
    const message = `${model.name}.${name} begins with ${customPrefix}, which is for fields that are added in the browser.`;
    findings.add('models', places.of(model.name, name), message, 'Choose another name.');
  }
}

function checkGroups({ addon, groups, findings }: ModelCheck, model: Model, places: SourcePlaces): void {
  const say = (name: string, named: readonly string[] | null | undefined) => {
    for (const group of named ?? []) {
      if (groups.has(group)) continue;
      const id = group.replace(`${addon.name}.`, '');
      const record = `<record id="${id}" model="core.group"><field name="name">…</field></record>`;
      const fix = didYouMean(group, groups) || `Add to a file in data/: ${record}`;
      findings.add('groups', places.of(model.name, name), `There is no group "${group}".`, fix);
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
  for (const { icon } of model.timeline?.values() ?? []) say('timeline', icon);
}

function checkFileIcons(check: ModelCheck): void {
  const { addon, records } = check;
  const { icon: own } = addon.manifest;
  if (isUnknownIcon(check, own)) addIcon(check, placeInManifest(addon, 'icon'), own);
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

export function textOf(record: DataRecord, name: string): string | null {
  const value = record.fields.find((field) => field.name === name)?.value;
  return value?.kind === 'text' ? value.text : null;
}
