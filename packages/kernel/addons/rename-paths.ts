import type { FieldSpec, Model, Registry } from '@kontor/orm';
import { parseNode, type ViewNode, writeXml } from '@kontor/views';

/** New names by old ones: of models, and of the fields of each model (by its new name). */
export interface Renames {
  readonly models: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** New ids by old ones, of earlier models whose records were joined with those of their successor. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** The models that fields referred to, by model and field, all with the names of then. */
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The format in which a value names fields. */
export type NamesFields = Exclude<NonNullable<FieldSpec['names']>, 'model'>;

interface Renaming {
  readonly registry: Registry;
  readonly renames: Renames;
  /** The model whose fields are named, by its name then. */
  readonly model: string;
}

/** The stored value with old names replaced; the same text if there are none. */
export function renameIn(kind: NamesFields, value: string, renaming: Renaming): string {
  if (kind === 'arch') return renameInView(value, renaming);
  return mapPaths(kind, value, renamed(renaming));
}

function renamed(renaming: Renaming): Mapping {
  return {
    path: (path) => renamePath(renaming, path),
    value: (path, value) => moveIds(value, idsAt(renaming, path)),
  };
}

/** The paths that a stored value names. */
export function pathsIn(kind: Exclude<NamesFields, 'arch'> | NamesFields, value: string): string[] {
  const paths: string[] = [];
  if (kind !== 'arch')
    mapPaths(kind, value, {
      path: (path) => {
        paths.push(path);
        return path;
      },
    });
  return paths;
}

interface Mapping {
  readonly path: (path: string) => string;
  /** The value that a path is compared with. */
  readonly value?: (path: string, value: unknown) => unknown;
}

/** The model by its current name. */
function currentModel({ registry: { models }, renames }: Renaming, name: string): Model | undefined {
  return models.get(renames.models.get(name) ?? name);
}

function renamePath(renaming: Renaming, path: string): string {
  let at = currentModel(renaming, renaming.model);
  const steps = path.split('.').map((step) => {
    const name = (at && renaming.renames.fields.get(at.name)?.get(step)) ?? step;
    at = renaming.registry.models.get(at?.fields.get(name)?.spec.relation ?? '');
    return name;
  });
  return steps.join('.');
}

type Ids = ReadonlyMap<number, number>;

/** The new ids of the records at the end of a path, if they were joined with others. */
function idsAt({ renames, model }: Renaming, path: string): Ids | undefined {
  const steps = path.split('.').filter((step) => step !== 'id');
  return renames.ids.get(steps.reduce((at, step) => renames.relations.get(at)?.get(step) ?? '', model));
}

function moveIds(value: unknown, ids: Ids | undefined): unknown {
  if (ids === undefined) return value;
  if (typeof value === 'number') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => moveIds(each, ids));
  return isObject(value) ? mapEntries(value, (_, each) => moveIds(each, ids)) : value;
}

/** Ids in values by field, also as defaults of a screen: `{"default_team_id": 3}`, and below other keys for other models. */
export function moveIdsInValues(text: string, renaming: Renaming): string {
  const walk = (json: unknown, within: Renaming): unknown => {
    if (Array.isArray(json)) return json.map((each) => walk(each, within));
    if (!isObject(json)) return json;
    const own = typeof json.model === 'string' ? { ...within, model: json.model } : within;
    return mapEntries(json, (key, value) => {
      const ids = idsAt(own, key.replace(/^default_/, ''));
      return ids === undefined || key === 'model' ? walk(value, own) : moveIds(value, ids);
    });
  };
  return mapJson(text, (json) => walk(json, renaming));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapEntries(value: Readonly<Record<string, unknown>>, map: (key: string, value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(key, each)]));
}

function mapPaths(kind: Exclude<NamesFields, 'arch'>, value: string, map: Mapping): string {
  switch (kind) {
    case 'domain':
      return mapJson(value, (json) => mapDomain(json, map));
    case 'fields':
      return mapJson(value, (json) =>
        Array.isArray(json) ? json.map((each) => (typeof each === 'string' ? map.path(each) : each)) : json,
      );
    case 'order':
      return mapList(value, map.path);
    case 'query':
      return mapQuery(value, map);
  }
}

function mapJson(text: string, map: (json: unknown) => unknown): string {
  const json = readJson(text);
  if (json === undefined) return text;
  const mapped = map(json);
  return JSON.stringify(mapped) === JSON.stringify(json) ? text : JSON.stringify(mapped);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Conditions are lists of path, operator and value; all other lists contain conditions. */
function mapDomain(domain: unknown, map: Mapping): unknown {
  if (!Array.isArray(domain)) return domain;
  const [path, operator] = domain;
  const isCondition = domain.length === 3 && typeof path === 'string' && typeof operator === 'string';
  if (!isCondition) return domain.map((each) => mapDomain(each, map));
  return [map.path(path), operator, map.value ? map.value(path, domain[2]) : domain[2]];
}

/** `-date_order, partner_id:month`: the text before a colon and after a minus is a path. */
function mapList(text: string, map: Mapping['path']): string {
  return text.replace(
    /(^|,)(\s*-?)([a-z][\w.]*)/g,
    (_, comma: string, sign: string, path: string) => `${comma}${sign}${map(path)}`,
  );
}

const listParameters = ['group_by', 'sort', 'measure', 'color'];

function mapQuery(query: string, map: Mapping): string {
  const parameters = new URLSearchParams(query);
  for (const name of listParameters) {
    const given = parameters.get(name);
    if (given)
      parameters.set(
        name,
        mapList(given, (path) => (path.startsWith('__') ? path : map.path(path))),
      );
  }
  const domain = parameters.get('domain');
  if (domain)
    parameters.set(
      'domain',
      mapJson(domain, (json) => mapDomain(json, map)),
    );
  const mapped = parameters.toString();
  return mapped === new URLSearchParams(query).toString() ? query : mapped;
}

/** Field names in a view: attributes that are one, and the conditions in attributes. */
function renameInView(arch: string, renaming: Renaming): string {
  const source = { addon: 'database', file: 'view', line: 1 };
  const root = parseNode(arch, source);
  const renamed = renameNode(root, renaming);
  const before = writeXml(root);
  const after = writeXml(renamed);
  return before === after ? arch : after;
}

const plainAttributes = new Set(['id', 'label', 'help', 'string', 'class', 'widget', 'as', 'groups']);

function renameNode(node: ViewNode, renaming: Renaming): ViewNode {
  const own = { ...renaming, model: node.attributes.model ?? renaming.model };
  const attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [
      name,
      name === 'model'
        ? (renaming.renames.models.get(value) ?? value)
        : plainAttributes.has(name)
          ? value
          : renameAttribute(name, value, own),
    ]),
  );
  const relation =
    node.tag === 'field' && attributes.name !== undefined
      ? currentModel(own, own.model)?.fields.get(attributes.name)?.spec.relation
      : undefined;
  const below = relation === undefined ? own : { ...own, model: relation };
  return { ...node, attributes, children: node.children.map((child) => renameNode(child, below)) };
}

function renameAttribute(name: string, value: string, renaming: Renaming): string {
  const names = renaming.renames.fields.get(currentModel(renaming, renaming.model)?.name ?? '');
  if (name === 'expr')
    return value.replace(/(@name\s*=\s*)(['"])(\w+)\2/g, (whole, at: string, quote: string, field: string) => {
      const renamed = names?.get(field);
      return renamed === undefined ? whole : `${at}${quote}${renamed}${quote}`;
    });
  if (/^\s*\[/.test(value)) return mapJson(value, (json) => mapDomain(json, renamed(renaming)));
  return /^[a-z][\w.]*$/.test(value) ? renamePath(renaming, value) : value;
}
