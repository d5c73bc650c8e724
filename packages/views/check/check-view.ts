import type { Model } from '@kontor/orm';
import { childKind, tagSpec } from '../grammar/grammar.ts';
import { checkShape } from '../parse/check-shape.ts';
import type { ViewNode } from '../view-node.ts';
import { checkAttribute } from './check-attribute.ts';
import type { CheckContext } from './check-context.ts';
import { checkRules } from './check-rules.ts';
import { fieldNamed, modelNamed } from './scope.ts';

/** Throws a ViewError with the place and the nearest valid name where a composed view, or an action, names what does not exist. */
export function checkView(view: ViewNode, context: CheckContext): void {
  checkShape(view, view.tag);
  checkNode(view, view.tag, modelNamed(context, view, 'model', view.attributes.model ?? ''), context);
}

function checkNode(node: ViewNode, kind: string, model: Model, context: CheckContext): void {
  const spec = tagSpec(kind);
  const scope = { context, node, model };
  for (const [name, attribute] of Object.entries(spec.attributes)) checkAttribute(scope, name, attribute);
  checkRules[kind]?.(scope);
  for (const child of node.children) {
    const inside = childKind(spec, child.tag);
    if (inside === null) continue;
    checkNode(child, inside, isInline(inside) ? relatedModel(node, model, context) : model, context);
  }
}

function isInline(kind: string): boolean {
  return kind === 'inline.list' || kind === 'inline.form';
}

/** The model whose lines stand inside a field. */
function relatedModel(node: ViewNode, model: Model, context: CheckContext): Model {
  const field = fieldNamed({ context, node, model }, 'name', node.attributes.name ?? '');
  return modelNamed(context, node, 'name', field.spec.relation ?? '');
}
