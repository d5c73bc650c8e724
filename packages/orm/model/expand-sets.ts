import {
  type ConditionNode,
  type Domain,
  type DomainNode,
  didYouMean,
  invalidArgs,
  isToken,
  mapConditions,
  parseAuthoredDomain,
  positiveOperator,
  serializeDomain,
} from '@kontor/protocol';
import type { Field, Model, Registry } from './model.ts';

/** The name of a set that a condition uses (`['state', 'in', 'open']`), or null. */
export function setNameOf({ operator, value }: Pick<ConditionNode, 'operator' | 'value'>): string | null {
  return typeof value === 'string' && positiveOperator(operator) === 'in' && !isToken(value) ? value : null;
}

/** The values of a set of a field; throws INVALID_ARGS with the nearest name. */
export function setValues(field: Field | undefined, path: readonly string[], name: string): readonly string[] {
  const values = field?.sets.get(name);
  if (values) return values;
  const shown = name.slice(0, 60);
  const hint = didYouMean(shown, field?.sets.keys() ?? []);
  throw invalidArgs(`"${path.join('.')}" has no set "${shown}": "in" needs an array or a set of the field.${hint}`, {
    field: path.join('.'),
  });
}

/** The domain with every set replaced by its values. Nothing that leaves the server contains sets. */
export function expandSets(node: DomainNode, fieldAt: (path: readonly string[]) => Field | undefined): DomainNode {
  return mapConditions(node, (condition) => {
    const name = setNameOf(condition);
    if (name === null) return condition;
    return { ...condition, value: setValues(fieldAt(condition.path), condition.path, name) };
  });
}

/** The same for a domain on a model. */
export function expandDomain(registry: Registry, model: Model, node: DomainNode): DomainNode {
  return expandSets(node, (path) => {
    let at: Model | undefined = model;
    for (const step of path.slice(0, -1)) at = registry.models.get(at?.fields.get(step)?.spec.relation ?? '');
    return at?.fields.get(path.at(-1) as string);
  });
}

/** The same for domains that code answers for relations, by the name of the field. */
export function expandAnswered(
  registry: Registry,
  fields: ReadonlyMap<string, Field>,
  domains: Readonly<Record<string, Domain>>,
): Record<string, Domain> {
  const expanded = Object.entries(domains).map(([name, domain]): [string, Domain] => {
    const model = registry.models.get(fields.get(name)?.spec.relation ?? '');
    if (!model) return [name, domain];
    const node = parseAuthoredDomain(domain);
    const without = expandDomain(registry, model, node);
    return [name, without === node ? domain : serializeDomain(without)];
  });
  return Object.fromEntries(expanded);
}

/** The values of a list of choices and sets. */
export function expandChoices(sets: Field['sets'] | undefined, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => sets?.get(name) ?? [name]);
}
