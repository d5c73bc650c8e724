import { anyModel, type Command, type Env } from '@kontor/addon';

export interface Move {
  readonly model: string;
  readonly keep: number;
  readonly others: readonly number[];
}

const mostAtOnce = 5000;

/**
 * Moves all references from the others to the kept record: many2ones, many2manys, references, and pairs of model and id. With the
 * server's rights: the merged records are the same thing, whoever may see the references.
 */
export async function moveReferences(env: Env, move: Move): Promise<void> {
  const server = env.sudo();
  for (const reference of referencesTo(env, move.model)) await moveOne(server, move, reference);
}

async function moveOne(env: Env, move: Move, reference: Reference): Promise<void> {
  const { field, kind } = reference;
  const { keep, others } = move;
  const records = anyModel(env, reference.model);
  const named = (id: number) => `${move.model},${id}`;
  const values = { many2one: keep, pair: keep, reference: named(keep), many2many: relinked(move) }[kind];
  const wanted = kind === 'reference' ? others.map(named) : others;
  const pair = kind === 'pair' ? [['model', '=', move.model] as const] : [];
  const found = await records.search([...pair, [field, 'in', wanted]]);
  // A contact that was under one of the others must not end up under itself.
  const ids = reference.model === move.model && kind === 'many2one' ? found.filter((id) => !isMerged(move, id)) : found;
  for (let start = 0; start < ids.length; start += mostAtOnce) {
    await records.write(ids.slice(start, start + mostAtOnce), { [field]: values });
  }
}

function isMerged({ keep, others }: Move, id: number): boolean {
  return id === keep || others.includes(id);
}

function relinked({ keep, others }: Move): readonly Command<'core.partner'>[] {
  return [['link', keep], ...others.map((id): Command<'core.partner'> => ['unlink', id])];
}

/** A field of some model that can refer to records of a given model. */
export interface Reference {
  readonly model: string;
  readonly field: string;
  /** `pair`: the model's name and the record's id in two fields, as messages and external ids have them. */
  readonly kind: 'many2one' | 'many2many' | 'reference' | 'pair';
}

/**
 * Every field of every installed model that can refer to the model, from the registry, so that addons written later are included.
 * Derived fields follow their sources and are left out.
 */
export function referencesTo(env: Env, target: string): readonly Reference[] {
  const found: Reference[] = [];
  const tables = new Set<string>();
  for (const [name, model] of env.registry.models) {
    // The values of a dialog are not records.
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

/** Logs and histories of the server describe the past and are not rewritten; external ids follow their record. */
function isPair({ name, fields }: Model): boolean {
  if (name.startsWith('sys.') && name !== 'sys.model.data') return false;
  return fields.get('model')?.kind.isShort === true && fields.get('res_id')?.kind.isWhole === true;
}
