import type { Field } from '@kontor/orm';
import { type Domain, type DomainNode, type FieldNode, serializeDomain } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, needShown, needValue, readableField } from './arch-scope.ts';
import { conditionsOf, isReadable, wireConditions, withLock } from './conditions.ts';
import { pick, type Values, valuesOf } from './values-of.ts';

const plainKeys = ['label', 'nolabel', 'help', 'placeholder', 'widget', 'options', 'colspan'] as const;

/** A field in a view; null if the viewer may not read it or it is never visible. */
export function fieldNode(scope: ArchScope, node: ViewNode, kind: string): FieldNode | null {
  const shown = shownField(scope, node, kind);
  if (!shown) return null;
  const { field, values, conditions } = shown;
  return {
    kind: 'field',
    name: field.name,
    ...pick<FieldNode>(values, plainKeys),
    ...conditions,
    ...domainOf(scope, field, values),
  };
}

export function fieldNodes(scope: ArchScope, nodes: readonly ViewNode[], kind: string): readonly FieldNode[] {
  return nodes.filter((node) => node.tag === 'field').flatMap((node) => fieldNode(scope, node, kind) ?? []);
}

/** The properties of a field in a view, once the values it needs are collected. */
export function shownField(scope: ArchScope, node: ViewNode, kind: string) {
  if (!isForViewer(scope, node)) return null;
  const values = valuesOf(scope, node, kind);
  const field = readableField(scope, String(values.name));
  if (!field) return null;
  const conditions = conditionsOf(scope, values);
  if (conditions.invisible === true) {
    needValue(scope, [field.name]);
    return null;
  }
  needShown(scope, field);
  const readonly = withLock(scope, field, conditions.readonly);
  return { field, values, conditions: wireConditions({ ...conditions, readonly }) };
}

export function domainOf(scope: ArchScope, field: Field, values: Values): { readonly domain?: Domain } {
  const domain = values.domain as DomainNode | undefined;
  const related = scope.registry.models.get(field.spec.relation ?? '');
  return domain && related && isReadable(scope, domain, related) ? { domain: serializeDomain(domain) } : {};
}

/** A field that is named without a node of its own. */
export function plainFieldNode(scope: ArchScope, name: string): FieldNode {
  const field = readableField(scope, name);
  if (field) needShown(scope, field);
  return { kind: 'field', name };
}
