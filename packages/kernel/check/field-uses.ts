import {
  computeDepends,
  type Field,
  type FormulaCheck,
  formulaPaths,
  type ModelDefinition,
  type Registry,
} from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { baseOf, type CheckContext, checkView, composeStoredView, openXml, ViewError } from '@kontor/views';
import type { Place } from '../addons/addon-error.ts';
import { addonOf } from '../addons/catalogue.ts';
import type { DataRecord } from '../addons/data/data-record.ts';
import { actionNode } from '../addons/data/xml-view-loader.ts';
import { pathsIn } from '../addons/rename-paths.ts';
import { dependsIn, namesIn, storedViews } from './check-views.ts';
import type { OpenAddons } from './read-addons.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

/** A place that uses a field or a model. */
export interface Use {
  /** `compute`, `constraint`, `move`, `view`, `rule` and so on. */
  readonly kind: string;
  /** The name of what uses it: a field, a move, an external id. */
  readonly name: string;
  readonly place: Place;
}

/** Of the one field that is asked for: places of other uses are not looked up. */
interface Uses {
  /** Adds a use if the path goes through the field. */
  path(model: string, path: string, use: () => Use): void;
  domain(model: string, domain: Domain | undefined, use: () => Use): void;
}

/** All uses of a field by models, data files and views of the addons. */
export async function fieldUses(open: OpenAddons, model: string, field: string): Promise<readonly Use[]> {
  const found = new Map<string, Use>();
  const add = (use: Use) => void found.set(JSON.stringify(use), use);
  const uses = collector(open.registry, `${model}.${field}`, add);
  for (const [module, { models }] of open.definitions) {
    const places = sourcePlaces(addonOf(open.catalogue, module));
    for (const definition of models) modelUses(definition, places, uses);
  }
  const records = [...open.records.values()].flat();
  for (const record of records) recordUses(open.registry, record, uses);
  await openXml();
  viewUses(open, records, { model, field, add });
  return [...found.values()];
}

function collector({ models }: Registry, wanted: string, add: (use: Use) => void): Uses {
  const path: Uses['path'] = (model, given, use) => {
    let at: string | undefined = model;
    for (const name of given.split('.')) {
      const field: Field | undefined = models.get(at ?? '')?.fields.get(name);
      if (!field) return;
      if (`${at}.${name}` === wanted) add(use());
      at = field.spec.relation;
    }
  };
  const domain: Uses['domain'] = (model, given, use) => {
    for (const each of given ? pathsIn('domain', JSON.stringify(given)) : []) path(model, each, use);
  };
  return { path, domain };
}

function modelUses(definition: ModelDefinition, places: SourcePlaces, uses: Uses): void {
  const { name: model } = definition;
  const all = (kind: string, name: string, paths: readonly (string | undefined)[], part?: string) => {
    const use = () => ({ kind, name: `${model}.${name}`, place: places.of(model, name, part) });
    for (const path of paths) if (path !== undefined) uses.path(model, path, use);
  };
  for (const [name, spec] of Object.entries(definition.fields)) {
    const as = (kind: string) => () => ({ kind, name: `${model}.${name}`, place: places.of(model, name) });
    for (const path of [spec.related, spec.from, spec.follows])
      if (path !== undefined) uses.path(model, path, as('related'));
    if (spec.currency !== undefined) uses.path(model, spec.currency, as('currency'));
    if (spec.relation === undefined) continue;
    if (spec.inverse !== undefined) uses.path(spec.relation, spec.inverse, as('list'));
    uses.domain(spec.relation, spec.domain, as('choices'));
  }
  for (const [name, spec] of Object.entries(definition.computes))
    all('compute', name, 'formula' in spec ? readsOf(spec) : computeDepends(spec), 'computes');
  for (const [name, spec] of Object.entries(definition.onchange)) all('onchange', name, [name, ...(spec.reads ?? [])]);
  for (const [name, spec] of Object.entries(definition.constraints))
    all('constraint', name, [
      ...(spec.on ?? []),
      ...('formula' in spec ? readsOf(spec) : (spec.reads ?? [])),
      ...(spec.serialize ?? []),
    ]);
  for (const [name, { over }] of Object.entries(definition.acyclic)) all('acyclic', name, over);
  for (const [name, spec] of Object.entries(definition.uniques)) {
    all('unique', name, spec.fields);
    uses.domain(model, spec.where, () => ({
      ...{ kind: 'unique', name: `${model}.${name}`, place: places.of(model, name) },
    }));
  }
  for (const [name, spec] of Object.entries(definition.excludes))
    all('exclude', name, [...(spec.same ?? []), ...spec.range]);
  for (const [name, spec] of Object.entries(definition.normalise))
    all('normalise', name, [...spec.on, ...(spec.reads ?? [])]);
  all('hook', 'hooks', definition.hooks.on ?? []);
  stateUses(definition, all);
  dueUses(definition, places, uses, all);
  all('order', 'order', definition.order?.split(',').map((term) => term.trim().replace(/^-/, '')) ?? []);
  const shown = [...(definition.displayName ?? '').matchAll(/\{([\w.]+)\}/g)].map(([, path]) => path);
  all('name', 'displayName', shown);
  all('part', 'partOf', [definition.partOf]);
  for (const index of definition.indexes)
    all(
      'index',
      'indexes',
      index.split(',').map((term) => term.trim().replace(/^-/, '')),
    );
}

/** A formula with a mistake is reported when the models are assembled. */
function readsOf({ formula }: Pick<FormulaCheck, 'formula'>): readonly string[] {
  try {
    return formulaPaths(formula).map((path) => path.join('.'));
  } catch {
    return [];
  }
}

type AddAll = (kind: string, name: string, paths: readonly (string | undefined)[], part?: string) => void;

function stateUses({ states, moves }: ModelDefinition, all: AddAll): void {
  all('states', 'states', [states?.field, states?.stages?.field, states?.stages?.before]);
  for (const [state, locked] of Object.entries(states?.locks ?? {})) {
    if (locked !== 'all') all(`locked in ${state}`, 'locks', locked, 'states');
  }
  for (const [name, spec] of Object.entries(states?.conditions ?? {}))
    all('condition', name, 'reads' in spec ? spec.reads : readsOf(spec));
  for (const [name, variants] of Object.entries(moves)) {
    for (const { sets = {} } of variants) all('move sets', name, Object.keys(sets), 'moves');
  }
}

function dueUses({ name: model, due }: ModelDefinition, places: SourcePlaces, uses: Uses, all: AddAll): void {
  if (!due) return;
  all('due', 'due', [due.date, due.by, due.until, due.allDay, due.iconAt, ...(due.about ?? [])]);
  uses.domain(model, due.open, () => ({ kind: 'due', name: `${model}.due`, place: places.of(model, 'due') }));
}

/** Values of data files that name fields: domains of rules, actions and automations, orders, queries of tiles. */
function recordUses({ models }: Registry, record: DataRecord, uses: Uses): void {
  const target = modelNamedBy(models.get(record.model), record);
  if (target === null) return;
  for (const { name, value, line } of record.fields) {
    const names = models.get(record.model)?.fields.get(name)?.spec.names;
    if (names === undefined || names === 'model' || names === 'arch') continue;
    const text = value.kind === 'text' ? value.text : value.kind === 'json' ? JSON.stringify(value.json) : '';
    const use = () => ({ kind: kindOfRecord(record), name: record.id, place: { ...record.place, line } });
    for (const path of pathsIn(names, text)) uses.path(target, path, use);
  }
}

/** The model that a record of a data file is about: that of an access row, a rule, an action. */
export function modelNamedBy(model: ReturnType<Registry['models']['get']>, { fields }: DataRecord): string | null {
  for (const { name, value } of fields) {
    if (value.kind === 'text' && model?.fields.get(name)?.spec.names === 'model') return value.text;
  }
  return null;
}

/** `rule` of `sys.rule`, `action` of `sys.action.window`. */
export function kindOfRecord({ model }: Pick<DataRecord, 'model'>): string {
  return model === 'sys.action.window' ? 'action' : model.replace(/^(sys|core)\./, '');
}

interface Wanted {
  readonly model: string;
  readonly field: string;
  add(use: Use): void;
}

function viewUses(open: OpenAddons, records: readonly DataRecord[], wanted: Wanted): void {
  const views = storedViews(records);
  let use: Pick<Use, 'kind' | 'name'> = { kind: 'view', name: '' };
  const context: CheckContext = {
    registry: open.registry,
    names: namesIn(records),
    report: () => {}, // Mistakes are for `kontor check`.
    onField: ({ model, name }, place) => {
      if (model === wanted.model && name === wanted.field) wanted.add({ ...use, place });
    },
  };
  const visit = (given: typeof use, work: () => void) => {
    use = given;
    try {
      work();
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
    }
  };
  // Composing all views takes a second. Those with the field name it, and are of its model or name a relation to it.
  const named = new RegExp(`\\b${wanted.field}\\b`);
  const relations = [...open.registry.models.values()].flatMap(({ fields }) =>
    [...fields.values()].filter(({ spec }) => spec.relation === wanted.model).map(({ name }) => name),
  );
  const model = wanted.model.replaceAll('.', '\\.');
  const reaching = new RegExp(`\\b(?:${[...new Set([model, ...relations])].join('|')})\\b`);
  for (const record of records) {
    if (record.model !== 'sys.action.window' || !named.test(JSON.stringify(record.fields))) continue;
    visit({ kind: 'action', name: record.id }, () => checkView(actionNode(record), context));
  }
  const bases = new Map<number, { readonly name: string; readonly arch: string }>();
  for (const view of views) {
    visit(use, () => {
      const { id, key } = baseOf(views, view.id);
      bases.set(id, { name: key, arch: `${bases.get(id)?.arch ?? ''}\n${view.arch}` });
    });
  }
  for (const [id, { name, arch }] of bases) {
    if (!named.test(arch) || !reaching.test(arch)) continue;
    visit({ kind: 'view', name }, () =>
      checkView(composeStoredView(views, id, dependsIn(open.catalogue), context.report), context),
    );
  }
}
