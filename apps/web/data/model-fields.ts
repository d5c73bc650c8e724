import { type ArchField, type Domain, fieldType } from '@kontor/protocol';
import { useEffect, useMemo } from 'react';
import { locale } from '../i18n/messages.ts';
import { createStore, useStorePart } from '../state/store.ts';
import { type RecordValues, rpc, searchRead } from './rpc.ts';

/** Searchable fields of models, beyond those of the current view; loaded once per page. */
const known = createStore<Readonly<Record<string, readonly ArchField[]>>>({});
const asked = new Set<string>();
const trees = new Set<string>();
const none: readonly ArchField[] = [];

/** All searchable fields of the model; empty until loaded. */
export function useModelFields(model: string, isWanted = true): readonly ArchField[] {
  useEffect(() => {
    if (isWanted && model !== '') void loadModelFields(model);
  }, [model, isWanted]);
  return useStorePart(known, (all) => all[model] ?? none);
}

/**
 * Fields at the end of paths through a many2one, named by their path; those of models that are not loaded yet are
 * missing.
 */
export function usePathFields(fields: readonly ArchField[], groups: readonly string[]): readonly ArchField[] {
  const wanted = groups
    .map((group) => group.split(':', 1)[0] as string)
    .filter((path) => path.split('.').length === 2 && !fields.some(({ name }) => name === path))
    .join();
  const models = useStorePart(known, (all) => all);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each path; the fields of a view do not change under it.
  useEffect(() => {
    for (const path of wanted.split(',')) void loadModelFields(firstStep(fields, path)?.relation ?? '');
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  return useMemo(
    () =>
      wanted.split(',').flatMap((path) => {
        const first = firstStep(fields, path);
        const field = models[first?.relation ?? '']?.find(({ name }) => name === path.split('.')[1]);
        if (!first || !field) return [];
        return [{ ...field, name: path, label: `${first.label}: ${field.label}`, groupable: true }];
      }),
    [wanted, models],
  );
}

function firstStep(fields: readonly ArchField[], path: string): ArchField | undefined {
  return fields.find(({ name }) => name === path.split('.', 1)[0]);
}

/** Whether the model is a tree, so that “belongs to” can be offered. */
export function isTree(model: string | undefined): boolean {
  return model !== undefined && trees.has(model);
}

async function loadModelFields(model: string): Promise<void> {
  if (model === '' || asked.has(model)) return;
  asked.add(model);
  const paths = ['model', 'name', 'title', 'help', 'type', 'relation', 'choices', 'stored', 'size', 'groups'];
  try {
    const [rows, readable] = await Promise.all([
      searchRead('sys.field', ['|', ['model', '=', model], ['name', '=', 'parent_id']], paths),
      readableNames(model),
    ]);
    for (const { model: owner, relation, name } of rows) {
      if (name === 'parent_id' && owner === relation) trees.add(String(owner));
    }
    const fields = rows
      .filter((row) => row.model === model && isOpen(row, readable))
      .map(toField)
      .sort(byLabel);
    known.set((all) => ({ ...all, [model]: fields }));
  } catch {
    asked.delete(model);
  }
}

/** A record read without a projection has every stored field the user may read; null if there is no record. */
async function readableNames(model: string): Promise<ReadonlySet<string> | null> {
  const [first] = await rpc<readonly RecordValues[]>({ model, method: 'search', args: [[]], kwargs: { limit: 1 } });
  return first ? new Set(Object.keys(first)) : null;
}

function isOpen(row: RecordValues, readable: ReadonlySet<string> | null): boolean {
  if (fieldType(String(row.type)).isList) return row.groups === null;
  return row.stored === true && (readable ? readable.has(String(row.name)) : row.groups === null);
}

function toField(row: RecordValues): ArchField {
  return {
    name: String(row.name),
    type: String(row.type),
    label: String(row.title),
    ...(typeof row.help === 'string' ? { help: row.help } : {}),
    ...(typeof row.relation === 'string' ? { relation: row.relation } : {}),
    ...(Array.isArray(row.choices) ? { selection: row.choices as NonNullable<ArchField['selection']> } : {}),
    ...(typeof row.size === 'number' ? { size: row.size } : {}),
    required: false,
    readonly: false,
    stored: row.stored === true,
    sortable: false,
    searchable: true,
    groupable: false,
    onchange: false,
  };
}

function byLabel(a: ArchField, b: ArchField): number {
  return a.label.localeCompare(b.label, locale());
}

/** The fields of the view, followed by those that only the model has. */
export function mergeFields(first: readonly ArchField[], more: readonly ArchField[]): readonly ArchField[] {
  if (more.length === 0) return first;
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...more.filter(({ name }) => !names.has(name))];
}

let models: Promise<ReadonlySet<string>> | null = null;

/** Excludes archived records, unless the domain has a condition on `active`. */
export async function withoutArchived(model: string, domain: Domain): Promise<Domain> {
  if (domain.some((part) => Array.isArray(part) && part[0] === 'active')) return domain;
  models ??= archivableModels();
  return (await models).has(model) ? [['active', '=', true], ...domain] : domain;
}

/** Models that support archiving, loaded once. */
async function archivableModels(): Promise<ReadonlySet<string>> {
  try {
    const found = await searchRead('sys.field', [['name', '=', 'active']], ['model_id.name'], { limit: 500 });
    return new Set(found.map((one) => String(one['model_id.name'])));
  } catch {
    models = null;
    return new Set();
  }
}
