import type { DisplayNamePart, Field } from '../model.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';
import { parseDisplayName, pathPart } from './terms.ts';

/** The template's parts; without a template the field `name`, or `Sales order #7`. */
export function buildDisplayName(
  draft: Draft,
  label: string,
  table: FieldTable,
  problems: Problems,
): readonly DisplayNamePart[] {
  if (draft.displayName === undefined) {
    const name = table.get(draft.name)?.get('name');
    const isUsable = name !== undefined && !name.spec.secret && (name.isStored || name.related !== null);
    return Object.freeze(isUsable ? [pathPart('name')] : [Object.freeze({ text: `${label} #` }), pathPart('id')]);
  }
  const at = { module: draft.displayName.module, model: draft.name };
  const parts = parseDisplayName(draft.displayName.value);
  if (parts === null || !parts.some((part) => 'path' in part)) {
    problems.add(at, `displayName "${draft.displayName.value}" is not a template such as "{name} ({ref})".`);
    return [];
  }
  return Object.freeze(parts.map((part) => ('path' in part ? checkPart(part.path) : part)));

  function checkPart(path: readonly string[]): DisplayNamePart {
    const walked = walkPath(table, draft.name, path);
    const fault = typeof walked === 'string' ? walked : pathFault(walked);
    if (fault !== null) problems.add(at, `displayName ${fault}`);
    const isRecord = typeof walked !== 'string' && walked.at(-1)?.kind.isToOne;
    return pathPart([...path, ...(isRecord ? ['display_name'] : [])].join('.'));
  }
}

function pathFault(walked: readonly Field[]): string | null {
  const path = `"${walked.map((field) => field.name).join('.')}"`;
  const many = walked.find((field) => field.kind.isList);
  if (many !== undefined) return `${path}: "${many.name}" has many values; only many2ones can be followed.`;
  const last = walked.at(-1) as Field;
  if (last.kind.isOpaque || last.kind.shownAs === 'html')
    return `${path}: a ${last.spec.type} cannot be part of a name.`;
  if (last.spec.secret) return `${path}: a secret cannot be part of a name.`;
  const valueless = walked.find((field) => !field.isStored && field.related === null && field.name !== 'display_name');
  return valueless === undefined ? null : `${path}: "${valueless.name}" is computed and not stored.`;
}
