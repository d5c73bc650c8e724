import type { FieldSpec, Model, Registry } from '@kontor/orm';
import { parseNode, type ViewNode, writeXml } from '@kontor/views';

/** New names by old ones: of models, and of the fields of each model (by its new name). */
export interface Renames {
  readonly models: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The format in which a value names fields. */
export type NamesFields = Exclude<NonNullable<FieldSpec['names']>, 'model'>;

interface Renaming {
  readonly registry: Registry;
  readonly renames: Renames;
  /** The model whose fields are named. */
  readonly model: string;
}

/** The stored value with old names replaced; the same text if there are none. */
export function renameIn(kind: NamesFields, value: string, renaming: Renaming): string {
  if (kind === 'arch') return renameInView(value, renaming);
  return mapPaths(kind, value, (path) => renamePath(renaming, path));
}

/** The paths that a stored value names. */
export function pathsIn(kind: Exclude<NamesFields, 'arch'> | NamesFields, value: string): string[] {
  const paths: string[] = [];
  if (kind !== 'arch')
    mapPaths(kind, value, (path) => {
      paths.push(path);
      return path;
    });
  return paths;
}

type MapPath = (path: string) => string;

function renamePath({ registry: { models }, renames, model }: Renaming, path: string): string {
  let at: Model | undefined = models.get(model);
  const steps = path.split('.').map((step) => {
    const name = (at && renames.fields.get(at.name)?.get(step)) ?? step;
    at = models.get(at?.fields.get(name)?.spec.relation ?? '');
    return name;
  });
  return steps.join('.');
}

function mapPaths(kind: Exclude<NamesFields, 'arch'>, value: string, map: MapPath): string {
  switch (kind) {
    case 'domain':
      return mapJson(value, (json) => mapDomain(json, map));
    case 'fields':
      return mapJson(value, (json) =>
        Array.isArray(json) ? json.map((each) => (typeof each === 'string' ? map(each) : each)) : json,
      );
    case 'order':
      return mapList(value, map);
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
function mapDomain(domain: unknown, map: MapPath): unknown {
  if (!Array.isArray(domain)) return domain;
  const [path, operator] = domain;
  const isCondition = domain.length === 3 && typeof path === 'string' && typeof operator === 'string';
  return isCondition ? [map(path), operator, domain[2]] : domain.map((each) => mapDomain(each, map));
}

/** `-date_order, partner_id:month`: the text before a colon and after a minus is a path. */
function mapList(text: string, map: MapPath): string {
  return text.replace(
    /(^|,)(\s*-?)([a-z][\w.]*)/g,
    (_, comma: string, sign: string, path: string) => `${comma}${sign}${map(path)}`,
  );
}

const listParameters = ['group_by', 'sort', 'measure', 'color'];

function mapQuery(query: string, map: MapPath): string {
  const parameters = new URLSearchParams(query);
  for (const name of listParameters) {
    const given = parameters.get(name);
    if (given)
      parameters.set(
        name,
        mapList(given, (path) => (path.startsWith('__') ? path : map(path))),
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
  const { models } = renaming.renames;
  const named = node.attributes.model;
  const own = { ...renaming, model: named === undefined ? renaming.model : (models.get(named) ?? named) };
  const attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [
      name,
      name === 'model' ? own.model : plainAttributes.has(name) ? value : renameAttribute(name, value, own),
    ]),
  );
  const relation =
    node.tag === 'field' && attributes.name !== undefined
      ? own.registry.models.get(own.model)?.fields.get(attributes.name)?.spec.relation
      : undefined;
  const below = relation === undefined ? own : { ...own, model: relation };
  return { ...node, attributes, children: node.children.map((child) => renameNode(child, below)) };
}

function renameAttribute(name: string, value: string, renaming: Renaming): string {
  const names = renaming.renames.fields.get(renaming.model);
  if (name === 'expr')
    return value.replace(/(@name\s*=\s*)(['"])(\w+)\2/g, (whole, at: string, quote: string, field: string) => {
      const renamed = names?.get(field);
      return renamed === undefined ? whole : `${at}${quote}${renamed}${quote}`;
    });
  if (/^\s*\[/.test(value)) return mapJson(value, (json) => mapDomain(json, (path) => renamePath(renaming, path)));
  return /^[a-z][\w.]*$/.test(value) ? renamePath(renaming, value) : value;
}
