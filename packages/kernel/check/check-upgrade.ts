import { earlierNames, type FieldSpec, type ModelDefinition } from '@kontor/orm';
import { fieldTypes } from '@kontor/protocol';
import type { Addon } from '../addons/catalogue.ts';
import type { AddonDefinition } from '../addons/define-addon.ts';
import { readMigrations } from '../addons/install-modules.ts';
import type { Findings } from './findings.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

/** A version of an addon and its code. */
export interface AddonVersion {
  readonly addon: Addon;
  readonly definition: AddonDefinition;
}

/** What an upgrade from an earlier version would reject or leave behind. */
export async function checkUpgrade(earlier: AddonVersion, now: AddonVersion, findings: Findings): Promise<void> {
  if (await hasNewMigration(earlier, now)) return;
  const places = sourcePlaces(now.addon);
  const { version } = earlier.addon.manifest;
  for (const definition of now.definition.models) {
    const before = fieldsBefore(earlier, definition);
    if (before === null) continue;
    checkRequired(definition, before, { version, places, findings });
    checkGone(definition, before, { version, places, findings });
  }
}

async function hasNewMigration(earlier: AddonVersion, now: AddonVersion): Promise<boolean> {
  const old = new Set((await readMigrations(earlier.addon)).map(({ name }) => name));
  const files = (await readMigrations(now.addon)).some(({ name }) => !old.has(name));
  return files || Object.keys(now.definition.migrations).some((each) => !(each in earlier.definition.migrations));
}

type Fields = ReadonlyMap<string, FieldSpec>;

/** The fields of the addon in the model; null if the model is new. */
function fieldsBefore({ definition }: AddonVersion, { name, was, kind }: ModelDefinition): Fields | null {
  const names = [name, ...earlierNames(was === undefined ? {} : { was })];
  const found = definition.models.filter((each) => names.includes(each.name));
  if (found.length === 0 && kind === 'model') return null;
  return new Map(found.flatMap(({ fields }) => Object.entries(fields)));
}

interface Told {
  readonly version: string;
  readonly places: SourcePlaces;
  readonly findings: Findings;
}

function checkRequired({ name: model, fields }: ModelDefinition, before: Fields, { version, places, findings }: Told) {
  for (const [name, spec] of Object.entries(fields)) {
    const isKnown = [name, ...earlierNames(spec)].some((each) => before.has(each));
    const hasValue =
      spec.default !== undefined ||
      spec.computed ||
      spec.related !== undefined ||
      spec.from !== undefined ||
      spec.follows;
    if (isKnown || hasValue || !spec.required || fieldTypes[spec.type]?.isBoolean) continue;
    const message = `${model}.${name} is new and required: records of version ${version} have no value for it.`;
    const fix = 'Give it a default or a compute, or fill it in a migration.';
    findings.add('upgrade', places.of(model, name), message, fix);
  }
}

function checkGone({ name: model, fields }: ModelDefinition, before: Fields, { version, places, findings }: Told) {
  const known = new Set(Object.entries(fields).flatMap(([name, spec]) => [name, ...earlierNames(spec)]));
  for (const [name, spec] of before) {
    const isStored = !spec.computed && spec.related === undefined && !fieldTypes[spec.type]?.isLines;
    if (known.has(name) || !isStored) continue;
    const message = `${model}.${name} of version ${version} is gone: its data are kept, and nothing reads them.`;
    const fix = `If it was renamed, say was: '${name}' at the new field. To drop the data, do so in a migration.`;
    findings.add('upgrade', places.of(model), message, fix, 'warning');
  }
}
