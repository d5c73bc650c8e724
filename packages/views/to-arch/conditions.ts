import type { Field, Model } from '@kontor/orm';
import { type Condition, condition, conditionsIn, type DomainNode, disjoin, serializeDomain } from '@kontor/protocol';
import { looks } from '../grammar/attributes.ts';
import { type ArchScope, needValue, readablePath } from './arch-scope.ts';
import type { Values } from './values-of.ts';

/** The value of a condition on a field that the viewer may not read: the cautious answer. */
const unreadable = { invisible: true, readonly: true, required: false } as const;

type ConditionName = keyof typeof unreadable;
/** A condition while the arch is built; undefined: as the field declares. */
type Built = boolean | DomainNode | undefined;

/** `invisible`, `readonly` and `required` of a node; the records load the values that they use. */
export function conditionsOf(scope: ArchScope, values: Values): Readonly<Record<ConditionName, Built>> {
  const built = (name: ConditionName): Built => {
    const condition = values[name] as Built;
    if (name === 'invisible' && condition === false) return undefined;
    return typeof condition !== 'object' || need(scope, condition) ? condition : unreadable[name];
  };
  return { invisible: built('invisible'), readonly: built('readonly'), required: built('required') };
}

/** A field that is locked in some states is readonly in them, whatever else the view declares. */
export function withLock(scope: ArchScope, field: Field, readonly: Built): Built {
  const { states } = scope.model;
  const closed = [...(states?.locks ?? [])].filter(([, names]) => names.has(field.name)).map(([state]) => state);
  if (!states || closed.length === 0 || readonly === true) return readonly;
  const lock = condition(states.field, 'in', closed);
  if (!need(scope, lock)) return true;
  return typeof readonly === 'object' ? disjoin(lock, readonly) : lock;
}

/** Conditions as the arch has them. */
export function wireConditions<Name extends ConditionName>(
  conditions: Readonly<Record<Name, Built>>,
): { readonly [Each in Name]?: Condition } {
  const entries = Object.entries<Built>(conditions).filter(([, built]) => built !== undefined);
  return Object.fromEntries(
    entries.map(([name, built]) => [name, typeof built === 'object' ? serializeDomain(built) : built]),
  ) as { [Each in Name]?: Condition };
}

/** Row and card looks by condition. */
export function decorationsOf(scope: ArchScope, values: Values) {
  const decorations = looks.flatMap((look): readonly { readonly look: string; readonly when: Condition }[] => {
    const when = values[`decoration${look[0]?.toUpperCase()}${look.slice(1)}`] as Built;
    if (when === undefined || when === false) return [];
    if (when === true) return [{ look, when }];
    return need(scope, when) ? [{ look, when: serializeDomain(when) }] : [];
  });
  return decorations.length > 0 ? { decorations } : {};
}

/** Makes records load the values that a domain uses; false if the viewer may not read one of them. */
function need(scope: ArchScope, domain: DomainNode): boolean {
  if (!isReadable(scope, domain)) return false;
  for (const { path } of conditionsIn(domain)) needValue(scope, path);
  return true;
}

/** Whether the viewer may read every field that a domain uses. */
export function isReadable(scope: ArchScope, domain: DomainNode, model: Model = scope.model): boolean {
  return conditionsIn(domain).every(({ path }) => readablePath(scope, path, model) !== null);
}
