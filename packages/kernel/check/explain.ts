import { computeDepends, type Field, type Model } from '@kontor/orm';
import { chooseOne, didYouMean, nearest } from '@kontor/protocol';
import type { Place } from '../addons/addon-error.ts';
import { addonOf } from '../addons/catalogue.ts';
import type { DataRecord } from '../addons/data/data-record.ts';
import { fieldUses, kindOfRecord, modelNamedBy, type Use } from './field-uses.ts';
import type { OpenAddons } from './read-addons.ts';
import { sourcePlaces } from './source-places.ts';

/** A model or a field: where it is defined and extended, and everything that uses it. */
export interface Explanation {
  /** `sale.order.state: selection, required`. */
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly definedAt: Place;
  readonly extendedAt: readonly Place[];
  readonly uses: readonly Use[];
}

/** Explains `sale.order` or `sale.order.state`. Throws an Error with the nearest name. */
export async function explain(open: OpenAddons, name: string): Promise<Explanation> {
  const { models } = open.registry;
  const model = models.get(name);
  if (model) return explainModel(open, model);
  const at = name.lastIndexOf('.');
  const owner = models.get(name.slice(0, at));
  const fieldName = name.slice(at + 1);
  if (!owner) {
    throw new Error(`There is no model "${name}", and no field of that name.${nearestName(open, name)}`);
  }
  const field = owner.fields.get(fieldName);
  if (!field) {
    throw new Error(`${owner.name} has no field "${fieldName}".${chooseOne(fieldName, owner.fields.keys())}`);
  }
  return explainField(open, owner, field);
}

/** A field of the model with the nearest name, or the nearest model. */
function nearestName({ registry: { models } }: OpenAddons, name: string): string {
  const at = name.lastIndexOf('.');
  const model = nearest(name.slice(0, at), models.keys());
  const field = name.slice(at + 1);
  if (model !== null && models.get(model)?.fields.has(field)) return ` Did you mean "${model}.${field}"?`;
  return didYouMean(name, models.keys());
}

async function explainField(open: OpenAddons, model: Model, field: Field): Promise<Explanation> {
  const name = `${model.name}.${field.name}`;
  const [definedAt, ...extendedAt] = placesOf(open, model, field);
  const uses = await fieldUses(open, model.name, field.name);
  const known = new Set([definedAt, ...extendedAt, ...uses.map(({ place }) => place)].map(placeKey));
  const mentions = codeMentions(open, model.name, field.name).filter((place) => !known.has(placeKey(place)));
  return {
    title: `${name}: ${traitsOf(field).join(', ')}`,
    facts: factsOf(field),
    definedAt: definedAt as Place,
    extendedAt,
    uses: [...uses, ...mentions.map((place) => ({ kind: 'code', name: 'names it', place }))],
  };
}

function traitsOf({ spec, required, isStored, isReadonly, isEditable, related }: Field): readonly string[] {
  const computed = related ? 'related' : spec.computed ? 'computed' : null;
  return [
    spec.relation ? `${spec.type} to ${spec.relation}` : spec.type,
    computed,
    isEditable ? 'editable' : null,
    isStored ? null : 'not stored',
    required ? 'required' : null,
    isReadonly && !computed ? 'readonly' : null,
    spec.tracking ? 'tracked' : null,
    spec.secret ? 'secret' : null,
  ].filter((trait) => trait !== null);
}

function factsOf(field: Field): Explanation['facts'] {
  const { spec, label, compute, editableCompute, related, selection } = field;
  const calculated = compute ?? editableCompute;
  const facts: [string, string | undefined][] = [
    ['Label', label],
    ['Help', spec.help],
    ['Groups', spec.groups?.join(', ')],
    ['Choices', selection ? [...selection.keys()].join(', ') : undefined],
    ['Depends on', calculated ? computeDepends(calculated).join(', ') : related?.join('.')],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '');
}

async function explainModel(open: OpenAddons, model: Model): Promise<Explanation> {
  const [definedAt, ...extendedAt] = placesOf(open, model);
  const fields = [...model.fields.values()];
  const byModule = new Map<string, string[]>();
  for (const { module, name } of fields) byModule.set(module, [...(byModule.get(module) ?? []), name]);
  const links = [...open.registry.models.values()].flatMap((each) =>
    [...each.fields.values()]
      .filter((field) => field.spec.relation === model.name)
      .map((field): Use => {
        const place = sourcePlaces(addonOf(open.catalogue, field.module)).of(each.name, field.name);
        return { kind: field.spec.type, name: `${each.name}.${field.name}`, place };
      }),
  );
  const records = [...open.records.values()].flat();
  const named = records
    .filter((record) => modelNamedBy(open.registry.models.get(record.model), record) === model.name)
    .map(
      (record): Use => ({ kind: kindOfRecord(record), name: `${record.id}${rightsOf(record)}`, place: record.place }),
    );
  const moves = [...(model.states?.moves.keys() ?? [])];
  const facts: [string, string][] = [
    ['Label', model.label],
    ['Table', model.table],
    ...[...byModule].map(([module, names]): [string, string] => [`Fields of ${module}`, names.join(', ')]),
    ['Moves', moves.join(', ')],
    [
      'Actions',
      [...model.actions.values()]
        .filter(({ kind }) => kind === 'action')
        .map(({ name }) => name)
        .join(', '),
    ],
  ];
  return {
    title: model.name,
    facts: facts.filter(([, value]) => value !== ''),
    definedAt: definedAt as Place,
    extendedAt,
    uses: [...links, ...named],
  };
}

/** The group and the rights of an access row, or the groups of a rule. */
function rightsOf({ model, fields }: DataRecord): string {
  if (model !== 'sys.access' && model !== 'sys.rule') return '';
  const refs = fields.flatMap(({ value }) => (value.kind === 'refs' ? value.refs : []));
  const rights = ['read', 'write', 'create', 'unlink'].filter((right) =>
    fields.some(
      ({ name, value }) =>
        name.endsWith(right) &&
        ((value.kind === 'json' && value.json === true) || (value.kind === 'text' && /^(1|true)$/i.test(value.text))),
    ),
  );
  const of = refs.length === 0 ? 'everyone' : refs.join(', ');
  return model === 'sys.rule' ? ` (${of})` : ` (${of}: ${rights.join(', ') || 'nothing'})`;
}

/** The place of the definition, then those of extensions, in load order. */
function placesOf(open: OpenAddons, model: Model, field?: Field): readonly Place[] {
  const own = field?.module ?? model.module;
  const places = (module: string) => sourcePlaces(addonOf(open.catalogue, module)).of(model.name, field?.name);
  const others = [...open.definitions].flatMap(([module, { models }]) => {
    if (module === own) return [];
    const changes = models.filter(
      ({ name, fields, computes }) => name === model.name && (!field || field.name in fields || field.name in computes),
    );
    return changes.length === 0 ? [] : [places(module)];
  });
  return [places(own), ...others];
}

/** Lines of code that name the field: in files that name its model, and at the end of paths through relations to it. */
function codeMentions(
  { catalogue, definitions, registry }: OpenAddons,
  model: string,
  field: string,
): readonly Place[] {
  const quoted = new RegExp(`['"\`](?:[\\w.]+\\.)?${field}(?:\\.[\\w.]+)?['"\`]`);
  const named = new RegExp(`['"\`]${model.replaceAll('.', '\\.')}['"\`]`);
  const relations = relationsTo(registry, model);
  const through = relations.length > 0 ? new RegExp(`\\b(?:${relations.join('|')})\\??\\.${field}\\b`) : null;
  return [...definitions.keys()].flatMap((module) => {
    const places = sourcePlaces(addonOf(catalogue, module));
    const files = new Set(places.matching(named).map(({ file }) => file));
    const found = places.matching(quoted).filter(({ file }) => files.has(file));
    const known = new Set(found.map(placeKey));
    const reached = through === null ? [] : places.matching(through).filter((place) => !known.has(placeKey(place)));
    return [...found, ...reached];
  });
}

/** Names of relations that lead to this model wherever they stand; `line_ids` leads to many. */
function relationsTo({ models }: OpenAddons['registry'], model: string): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { fields } of models.values()) {
    for (const { name, spec } of fields.values()) {
      if (spec.relation === undefined) continue;
      targets.set(name, (targets.get(name) ?? new Set()).add(spec.relation));
    }
  }
  return [...targets].filter(([, to]) => to.size === 1 && to.has(model)).map(([name]) => name);
}

function placeKey(place: Place | undefined): string {
  return JSON.stringify([place?.addon, place?.file, place?.line]);
}
