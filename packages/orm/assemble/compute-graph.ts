import { computeDepends } from '../model/depends.ts';
import type { Field, Model } from '../model/model.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

interface Edge {
  readonly field: Field;
  /** Reached through a relation, so it is on another record. */
  readonly isElsewhere: boolean;
}

/**
 * Stored computes of all models, each after those it depends on. A field may depend on itself on another record (the
 * full name of a category on that of its parent); any other cycle is a mistake.
 */
export function orderComputes(models: ReadonlyMap<string, Model>, table: FieldTable, problems: Problems): Field[] {
  const ordered: Field[] = [];
  const done = new Set<Field>();
  const visit = (field: Field, chain: readonly Field[]): void => {
    if (done.has(field)) return;
    const start = chain.indexOf(field);
    if (start >= 0) {
      const circle = [...chain.slice(start), field].map(({ model, name }) => `${model}.${name}`).join(' → ');
      done.add(field);
      const at = { module: field.module, model: field.model, field: field.name };
      problems.add(at, `it depends on itself: ${circle}.`);
      return;
    }
    for (const edge of edgesOf(field, models, table)) {
      const isRecursive = edge.field === field && edge.isElsewhere && field.isStored;
      if (!isRecursive) visit(edge.field, [...chain, field]);
    }
    if (field.compute !== null && field.isStored && !done.has(field)) ordered.push(field);
    done.add(field);
  };
  for (const model of models.values()) {
    for (const field of model.fields.values()) visit(field, []);
  }
  return ordered;
}

function edgesOf(field: Field, models: ReadonlyMap<string, Model>, table: FieldTable): Edge[] {
  return readsOf(field, models).flatMap((path) => {
    const walked = walkPath(table, field.model, path);
    return typeof walked === 'string' ? [] : walked.map((step, index) => ({ field: step, isElsewhere: index > 0 }));
  });
}

/** The paths on its own model that a derived field depends on. */
export function readsOf(field: Field, models: ReadonlyMap<string, Model>): readonly (readonly string[])[] {
  if (field.name === 'display_name') {
    const parts = models.get(field.model)?.displayName ?? [];
    return parts.flatMap((part) => ('path' in part ? [part.path] : []));
  }
  if (field.compute !== null) return computeDepends(field.compute).map((path) => path.split('.'));
  return field.related === null ? [] : [field.related];
}
