import type { Env } from '@kontor/addon';

/** A field of some model that can point at records of a given model. */
export interface Reference {
  readonly model: string;
  readonly field: string;
  /** `pair`: the model's name and the record's id in two fields, as messages and external ids have them. */
  readonly kind: 'many2one' | 'many2many' | 'reference' | 'pair';
}

/**
 * Every field of every installed model that can point at the model, asked of the registry: an addon that is written tomorrow
 * is in the list tomorrow. What is worked out from other fields follows them and is left out.
 */
export function referencesTo(env: Env, target: string): readonly Reference[] {
  const found: Reference[] = [];
  const tables = new Set<string>();
  for (const [name, model] of env.registry.models) {
    // What a dialog asked for is nobody's record.
    if (model.isTransient) continue;
    const at = { model: name };
    if (isPair(model)) found.push({ ...at, field: 'res_id', kind: 'pair' });
    for (const field of model.fields.values()) {
      const { relation, models } = field.spec;
      if (field.compute !== null || field.related !== null) continue;
      if (field.kind.isToOne && relation === target && field.isStored) {
        found.push({ ...at, field: field.name, kind: 'many2one' });
      } else if (field.kind.isReference && field.isStored && (models === undefined || models.includes(target))) {
        found.push({ ...at, field: field.name, kind: 'reference' });
      } else if (field.kind.isLinks && relation === target && field.through && !tables.has(field.through.table)) {
        tables.add(field.through.table);
        found.push({ ...at, field: field.name, kind: 'many2many' });
      }
    }
  }
  return found;
}

type Model = Env['registry']['models'] extends ReadonlyMap<string, infer M> ? M : never;

/** Logs and histories of the server tell what was, and are not rewritten; external ids follow their record. */
function isPair({ name, fields }: Model): boolean {
  if (name.startsWith('sys.') && name !== 'sys.model.data') return false;
  return fields.get('model')?.kind.isShort === true && fields.get('res_id')?.kind.isWhole === true;
}
