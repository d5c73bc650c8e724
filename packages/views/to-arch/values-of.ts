import { expandDomain, type Model } from '@kontor/orm';
import { type DomainNode, serializeDomain } from '@kontor/protocol';
import { readAttribute, readCondition } from '../grammar/attribute-value.ts';
import { tagSpec } from '../grammar/grammar.ts';
import type { AttributeKind } from '../grammar/tag-spec.ts';
import { optionConditions } from '../grammar/widgets.ts';
import type { ViewNode } from '../view-node.ts';
import type { ArchScope } from './arch-scope.ts';

export type Values = Readonly<Record<string, unknown>>;

/**
 * The attributes of a node as the grammar reads them, under the names that the arch has for them (`all-day` is `allDay`). Sets
 * in domains are replaced by their values.
 */
export function valuesOf(scope: ArchScope, node: ViewNode, kind: string): Values {
  const { attributes } = tagSpec(kind);
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(node.attributes)) {
    const spec = attributes[name];
    if (!spec) continue;
    const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = readAttribute(spec, text);
    values[key] =
      name === 'options' ? expandOptions(scope, node, value as Values) : expand(scope, node, spec.kind, value);
  }
  return values;
}

function expand(scope: ArchScope, node: ViewNode, kind: AttributeKind, value: unknown): unknown {
  if (kind === 'relation-domain') {
    const relation = scope.model.fields.get(node.attributes.name ?? '')?.spec.relation;
    return expandFor(scope, scope.registry.models.get(relation ?? ''), value);
  }
  return kind === 'domain' || kind === 'condition' ? expandFor(scope, scope.model, value) : value;
}

function expandFor({ registry }: ArchScope, model: Model | undefined, value: unknown): unknown {
  return typeof value === 'boolean' || !model ? value : expandDomain(registry, model, value as DomainNode);
}

/** Options of a widget that are conditions, such as `done` of the remaining days. */
function expandOptions(scope: ArchScope, node: ViewNode, options: Values): Values {
  const conditions = optionConditions(node.attributes.widget, options).map(([name, text]) => {
    const condition = readCondition(text);
    const expanded = typeof condition === 'boolean' ? condition : expandDomain(scope.registry, scope.model, condition);
    return [name, typeof expanded === 'boolean' ? expanded : serializeDomain(expanded)];
  });
  return { ...options, ...Object.fromEntries(conditions) };
}

/** The values that are set, for the keys of an arch node. */
export function pick<Shape>(values: Values, keys: readonly (keyof Shape & string)[]): Partial<Shape> {
  const entries = keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]);
  return Object.fromEntries(entries) as Partial<Shape>;
}
