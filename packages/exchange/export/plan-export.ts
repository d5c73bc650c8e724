import type { Kernel } from '@kontor/kernel';
import { type Env, type Field, knownField, type Model, planReading, type Reading } from '@kontor/orm';
import { type DomainNode, didYouMean, invalidArgs, type Projection } from '@kontor/protocol';
import { shownRows } from '@kontor/workspace';
import { importableLineFields } from '../import/import-targets.ts';
import type { ExportQuery } from './export-query.ts';

export interface ExportPlan {
  readonly model: Model;
  /** From the action, otherwise from the model. */
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly domain: DomainNode;
  readonly reading: Reading;
}

/** Plans the export, with every check that is possible before the first row is read. */
export async function planExport(
  kernel: Kernel,
  env: Env,
  query: ExportQuery,
  projection: (columns: readonly ExportColumn[]) => Projection,
): Promise<ExportPlan> {
  const model = exportModel(env, query.model);
  const columns = exportColumns(env, model, query.fields);
  const spread = columns.find(({ isSpread }) => isSpread);
  if (spread && projection !== columnsProjection) {
    throw invalidArgs(`${spread.path}: lines have rows of their own only in a CSV that can be imported again.`, {
      field: spread.path,
    });
  }
  const { title, domain, order } = await shownRows(kernel, env, model, query.search, query.ids);
  const reading = planReading(env, model, { domain, projection: projection(columns), order });
  if (query.ids) await env.model(model.name).read(query.ids, ['id']);
  return { model, title, columns, domain, reading };
}

/** One column of an export: a path through many2ones, whose last step may lead into an x2many and name a field there. */
export interface ExportColumn {
  readonly path: string;
  /** The field at the end of the path. */
  readonly field: Field;
  /** The model of that field. */
  readonly model: Model;
  /** The path before the last name, including its dot; empty at the root. */
  readonly prefix: string;
  /** Set if the path leads through an x2many: the path of the x2many. */
  readonly lines: string | null;
  /** `line_ids/quantity`: each line has its own row, as for an import. */
  readonly isSpread: boolean;
  /** Labels along the path. */
  readonly labels: readonly string[];
}

export function exportModel({ registry }: Env, name: string): Model {
  const model = registry.models.get(name);
  if (model) return model;
  const hint = didYouMean(name, registry.models.keys());
  throw invalidArgs(`There is no model ${name.slice(0, 128)}.${hint}`, { field: 'model', model: name.slice(0, 128) });
}

/** Resolves the paths; the read checks whether the caller may read them. */
export function exportColumns(env: Env, model: Model, paths: readonly string[]): readonly ExportColumn[] {
  return paths
    .flatMap((path) => spreadPaths(env, model, path))
    .map((path) => {
      const column = path.includes('/') ? lineColumn(env, model, path) : columnOf(env, model, path);
      if (column.field.kind.isFile) {
        throw invalidArgs(`${path} holds files, which are not exported.`, { field: path });
      }
      return column;
    });
}

/** `line_ids/*` means every importable field of a line, its id first. */
function spreadPaths(env: Env, model: Model, path: string): readonly string[] {
  if (!path.endsWith('/*')) return [path];
  const list = lineField(model, path);
  return ['id', ...importableLineFields(env, list).map(({ name }) => name)].map((name) => `${list.name}/${name}`);
}

function lineField(model: Model, path: string): Field {
  const list = knownField(model, path.slice(0, path.indexOf('/')));
  if (list.kind.isLines) return list;
  throw invalidArgs(`${path}: ${list.name} of ${model.name} has no lines.`, { field: path });
}

function lineColumn({ registry }: Env, root: Model, path: string): ExportColumn {
  const list = lineField(root, path);
  const model = registry.model(list.spec.relation as string);
  const field = knownField(model, path.slice(list.name.length + 1));
  const labels = [list.label, field.label];
  return { path, field, model, prefix: `${list.name}.`, lines: list.name, isSpread: true, labels };
}

function columnOf({ registry }: Env, root: Model, path: string): ExportColumn {
  const steps = path.split('.');
  let model = root;
  const labels: string[] = [];
  for (let at = 0; ; at++) {
    const field = knownField(model, steps[at] as string);
    labels.push(field.label);
    const prefix = steps.slice(0, at).map((step) => `${step}.`);
    if (at === steps.length - 1)
      return { path, field, model, prefix: prefix.join(''), lines: null, isSpread: false, labels };
    const { relation } = field.spec;
    const isMany = field.kind.isList;
    if (!relation || (isMany && at < steps.length - 2)) {
      throw invalidArgs(`${path}: ${field.name} of ${model.name} does not lead to one record.`, { field: path });
    }
    model = registry.model(relation);
    if (isMany) {
      const last = knownField(model, steps[at + 1] as string);
      labels.push(last.label);
      const lines = steps.slice(0, at + 1).join('.');
      return { path, field: last, model, prefix: `${lines}.`, lines, isSpread: false, labels };
    }
  }
}

/** Paths to read for plain columns, as RPC returns them. */
export function columnsProjection(columns: readonly ExportColumn[]): Projection {
  const nested = new Map<string, string[]>();
  for (const { lines, field } of columns) {
    if (lines !== null) nested.set(lines, [...new Set([...(nested.get(lines) ?? []), field.name])]);
  }
  // Lines that are requested with their fields include their ids.
  const plain = columns.filter(({ lines, path }) => lines === null && !nested.has(path)).map(({ path }) => path);
  return nested.size === 0 ? plain : [...plain, Object.fromEntries(nested)];
}

export function isFlat(columns: readonly ExportColumn[]): boolean {
  return columns.every(({ lines }) => lines === null);
}
