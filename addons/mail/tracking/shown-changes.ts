import { anyModel, type Env, KontorError } from '@kontor/addon';
import { idsIn, relationOf } from './relation-names.ts';
import type { KeptChange } from './tracked-change.ts';

export type ShownValue = string | number | boolean | null;
export interface ShownChange {
  readonly field: string;
  readonly label: string;
  readonly old: ShownValue;
  readonly new: ShownValue;
}

/** Ids by related model that the reader may be told the names of. */
export type Readable = ReadonlyMap<string, ReadonlySet<number>>;

/** Which of the records that changes point at the reader may see; asked once for a whole page. */
export async function readableRelations(env: Env, model: string, changes: readonly KeptChange[]): Promise<Readable> {
  const wanted = new Map<string, Set<number>>();
  for (const change of changes) {
    const relation = relationOf(env, model, change.field);
    if (relation === null || !env.registry.models.has(relation)) continue;
    const ids = wanted.get(relation) ?? new Set();
    wanted.set(relation, ids);
    for (const id of [...idsIn(change.old), ...idsIn(change.new)]) ids.add(id);
  }
  const readable = new Map<string, ReadonlySet<number>>();
  for (const [relation, ids] of wanted) readable.set(relation, await readableIn(env, relation, [...ids]));
  return readable;
}

/** A change as the reader sees it; null for a field that is gone or closed to them. */
export function shownChange(env: Env, model: string, change: KeptChange, readable: Readable): ShownChange | null {
  const field = env.registry.model(model).fields.get(change.field);
  const groups = field?.spec.groups;
  const isOpen = groups === undefined || groups.some((group) => env.actor.groups.has(group));
  if (!field || !isOpen || field.spec.secret) return null;
  const show = (value: unknown): ShownValue => {
    if (field.spec.relation) return namesOf(change, value, readable.get(field.spec.relation));
    if (field.selection && typeof value === 'string') return field.selection.get(value) ?? value;
    return field.kind.isExact && typeof value === 'string' ? numberOf(value) : (value as ShownValue);
  };
  return { field: field.name, label: field.label, old: show(change.old), new: show(change.new) };
}

/** The names that they had then, of those that the reader may see now. */
function namesOf({ names = {} }: KeptChange, value: unknown, readable: ReadonlySet<number> | undefined): string | null {
  const shown = idsIn(value).filter((id) => readable?.has(id));
  return shown.length === 0 ? null : shown.map((id) => names[id] ?? '').join(', ');
}

/** Deleted ones may be named where no rule could have hidden them. */
async function readableIn(env: Env, relation: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  try {
    const visible = await anyModel(env, relation).search([['id', 'in', [...ids]]]);
    if (visible.length === ids.length || isRuled(env, relation)) return new Set(visible);
    const existing = new Set(await anyModel(env.sudo(), relation).search([['id', 'in', [...ids]]]));
    return new Set([...visible, ...ids.filter((id) => !existing.has(id))]);
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return new Set();
    throw error;
  }
}

function isRuled(env: Env, name: string): boolean {
  const { hasCompany, companyRule, partOf, fields } = env.registry.model(name);
  if ((env.policy.rules.get(name) ?? []).length > 0 || (hasCompany && companyRule !== false)) return true;
  const whole = partOf === null ? undefined : fields.get(partOf)?.spec.relation;
  return whole !== undefined && isRuled(env, whole);
}

/** A JSON number where that says the same, else the digits. */
function numberOf(digits: string): string | number {
  const number = Number(digits);
  return Number.isFinite(number) && Math.abs(number) < 1e15 ? number : digits;
}
