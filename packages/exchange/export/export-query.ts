import { flagOf, invalidArgs } from '@kontor/protocol';
import { type RawQuery, readWorkspaceQuery, type WorkspaceQuery } from '@kontor/workspace';
import { type PageSize, pageSizes } from '../pdf/table-spec.ts';

/** The parameters of an export: columns, and the rows that a list with the same parameters shows. */
export interface ExportQuery {
  readonly model: string;
  readonly fields: readonly string[];
  /** Only these records; null: all matching ones. */
  readonly ids: readonly number[] | null;
  readonly pageSize: PageSize;
  /** CSV with labels and names, to read; it cannot be imported again. */
  readonly isReadable: boolean;
  /** Only checks whether it would work. */
  readonly isTrial: boolean;
  readonly search: WorkspaceQuery;
}

const maxFields = 200;
const maxIds = 10_000;

/** Parses and checks the parameters of an export; INVALID_ARGS names the invalid one. */
export function readExportQuery(raw: RawQuery, format: string): ExportQuery {
  const search = readWorkspaceQuery({ ...raw, group_by: undefined });
  const { id } = search;
  const given = textOf(raw, 'id');
  if (given !== '' && id === null) throw invalidArgs('id must be the id of a record.', { field: 'id' });
  return {
    ...readColumnsQuery(raw),
    ids: id === null ? recordIds(raw) : [id],
    // Only PDF has a paper size.
    pageSize: format === 'pdf' ? pageSize(raw) : 'a4',
    isReadable: flagOf(textOf(raw, 'readable'), 'readable'),
    isTrial: flagOf(textOf(raw, 'dry_run'), 'dry_run'),
    search,
  };
}

/** The parameters of a template, which an export has as well. */
export interface ColumnsQuery extends Pick<ExportQuery, 'model' | 'fields'> {
  /** Includes the columns of the record's lines. */
  readonly hasLines: boolean;
}

export function readColumnsQuery(raw: RawQuery): ColumnsQuery {
  const model = textOf(raw, 'model');
  if (model === '') throw invalidArgs('Say which model to export.', { field: 'model' });
  const fields = namesOf(raw, 'fields');
  if (fields.length === 0) throw invalidArgs('Say which fields to export.', { field: 'fields' });
  if (fields.length > maxFields) throw invalidArgs(`At most ${maxFields} fields are exported.`, { field: 'fields' });
  return { model, fields, hasLines: flagOf(textOf(raw, 'lines'), 'lines') };
}

function recordIds(raw: RawQuery): readonly number[] | null {
  const names = namesOf(raw, 'ids');
  if (names.length === 0) return null;
  const ids = names.map((name) => (/^\d{1,15}$/.test(name) ? Number(name) : 0));
  if (ids.length <= maxIds && ids.every((id) => id > 0)) return ids;
  throw invalidArgs(`ids must be at most ${maxIds} record ids with commas between them.`, { field: 'ids' });
}

function pageSize(raw: RawQuery): PageSize {
  const given = textOf(raw, 'page_size').toLowerCase() || 'a4';
  const known = pageSizes.find((size) => size === given);
  if (known) return known;
  throw invalidArgs(`page_size must be ${pageSizes.join(', ')}.`, { field: 'page_size', hint: pageSizes.join(', ') });
}

function namesOf(raw: RawQuery, name: string): readonly string[] {
  const parts = textOf(raw, name).split(',');
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

function textOf(raw: RawQuery, name: string): string {
  const value = Object.hasOwn(raw, name) ? (raw[name] ?? '') : '';
  if (typeof value === 'string') return value.trim();
  throw invalidArgs(`${name} is given more than once.`, { field: name });
}
