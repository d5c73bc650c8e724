import type { Model } from '@kontor/orm';
import { asksModel } from '../asks-model.ts';
import { childKind, tagSpec } from '../grammar/grammar.ts';
import { checkShape } from '../parse/check-shape.ts';
import type { ViewNode } from '../view-node.ts';
import { checkAttribute } from './check-attribute.ts';
import type { CheckContext } from './check-context.ts';
import { checkRules } from './check-rules.ts';
import { fieldNamed, modelNamed, problem, type Scope } from './scope.ts';

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
    checkNode(child, inside, modelInside(inside, { context, node, model }), context);
  }
}

/** The model whose fields the children of a kind name. */
function modelInside(kind: string, scope: Scope): Model {
  if (kind === 'asks.form') return askedModel(scope);
  return isInline(kind) ? relatedModel(scope) : scope.model;
}

function isInline(kind: string): boolean {
  return kind === 'inline.list' || kind === 'inline.form';
}

/** The model whose lines stand inside a field. */
function relatedModel(scope: Scope): Model {
  const field = fieldNamed(scope, 'name', scope.node.attributes.name ?? '');
  return modelNamed(scope.context, scope.node, 'name', field.spec.relation ?? '');
}

/** What the action of a button or a move asks, as the model of its dialog. */
function askedModel(scope: Scope): Model {
  const { node, model } = scope;
  const name = node.tag === 'move' ? `action_${node.attributes.name}` : (node.attributes.name ?? '');
  const asked = model.actions.get(name)?.asks;
  if (asked && asked.size > 0) return asksModel(model, asked);
  throw problem(scope, 'name', `"${node.attributes.name}" asks for nothing and takes no <form>.`);
}
