import { type FieldSpec, inferredType } from '../fields/spec.ts';
import type { Drafts } from './draft.ts';

/** The fields that every model has. */
function systemField(drafts: Drafts, name: string): FieldSpec | undefined {
  if (name === 'id') return { type: 'integer' };
  if (name === 'display_name') return { type: 'char' };
  if (name === 'create_date' || name === 'write_date') return { type: 'datetime' };
  if (name !== 'create_uid' && name !== 'write_uid') return undefined;
  return drafts.has('core.user') ? { type: 'many2one', relation: 'core.user' } : { type: 'integer' };
}

/** Gives fields of `fields.related` the type and the label of the field at the end of their path. */
export function inferRelatedTypes(drafts: Drafts): void {
  for (const draft of drafts.values()) for (const name of draft.fields.keys()) inferOne(drafts, draft.name, name, []);
}

/** The field with its type; a wrong path or a cycle is reported where related fields are built. */
function inferOne(drafts: Drafts, model: string, name: string, chain: readonly string[]): FieldSpec | undefined {
  const draft = drafts.get(model);
  const declared = draft?.fields.get(name);
  if (!draft || !declared) return systemField(drafts, name);
  const { module, value: spec } = declared;
  const key = `${model}.${name}`;
  if (spec.type !== inferredType) return spec;
  const target = chain.includes(key) ? undefined : endOf(drafts, model, spec.related as string, [...chain, key]);
  const label = spec.label ?? target?.label;
  const inferred = Object.freeze({
    ...spec,
    type: target?.type ?? 'char',
    ...(label === undefined ? {} : { label }),
    ...(target?.relation === undefined ? {} : { relation: target.relation }),
    ...(target?.format === undefined ? {} : { format: target.format }),
  });
  draft.fields.set(name, { module, value: inferred });
  return inferred;
}

function endOf(drafts: Drafts, model: string, path: string, chain: readonly string[]): FieldSpec | undefined {
  let at: string | undefined = model;
  let found: FieldSpec | undefined;
  for (const step of path.split('.')) {
    found = at === undefined ? undefined : inferOne(drafts, at, step, chain);
    at = found?.relation;
  }
  return found;
}
