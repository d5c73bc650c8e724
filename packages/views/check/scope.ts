import { type Field, isUnresolved, type Model, type Registry } from '@kontor/orm';
import { chooseOne, modelHint } from '@kontor/protocol';
import type { Widgets } from '../grammar/widgets.ts';
import { type ReportProblem, UncheckedView, ViewError } from '../view-error.ts';
import { type Place, placeOf, type ViewNode } from '../view-node.ts';

export type ReferenceKind = 'action' | 'group' | 'menu' | 'view';

/** What a view is checked against. */
export interface CheckContext {
  readonly registry: Registry;
  /** The known field widgets; by default those of the client. */
  readonly widgets?: Widgets;
  /** View types of addons, in addition to those of the client. */
  readonly viewTypes?: ReadonlySet<string>;
  /** Called with every mistake; by default the first one is thrown. */
  readonly report?: ReportProblem;
  /** Called with every field that the view names, and where. */
  readonly onField?: (field: Field, place: Place) => void;
  /** External ids (with their module) of records of a kind. */
  names(kind: ReferenceKind): ReadonlySet<string>;
}

/** The node being checked, and the model whose fields it names. */
export interface Scope {
  readonly context: CheckContext;
  readonly node: ViewNode;
  readonly model: Model;
}

export function problem({ node }: Scope, attribute: string, message: string, hint = ''): ViewError {
  return new ViewError(placeOf(node, attribute), `<${node.tag}>: ${message}`, hint);
}

/** The model of that name; throws at the attribute. */
export function modelNamed(context: CheckContext, node: ViewNode, attribute: string, name: string): Model {
  const { models } = context.registry;
  const model = models.get(name);
  if (model) return model;
  throw new ViewError(placeOf(node, attribute), `There is no model "${name}".`, modelHint(name, models.keys()));
}

/** The field of that name, if it can be shown to users at all. */
export function fieldNamed(scope: Scope, attribute: string, name: string, model = scope.model): Field {
  const field = model.fields.get(name);
  if (!field) {
    const near = chooseOne(name, model.fields.keys());
    throw problem(scope, attribute, `${model.name} has no field "${name}".`, near);
  }
  scope.context.onField?.(field, placeOf(scope.node, attribute));
  if (isUnresolved(field, scope.context.registry.models)) throw new UncheckedView(scope.node.place);
  if (field.spec.secret) throw problem(scope, attribute, `${model.name}.${name} is secret and shown to nobody.`);
  return field;
}

/** The field at the end of a path; through x2many only if lines are meant. */
export function fieldAtPath(
  scope: Scope,
  attribute: string,
  path: readonly string[],
  { throughLines = false, model = scope.model } = {},
): Field {
  let at = model;
  for (const [index, name] of path.entries()) {
    const field = fieldNamed(scope, attribute, name, at);
    if (index === path.length - 1) return field;
    const { relation } = field.spec;
    if (relation === undefined) {
      throw problem(
        scope,
        attribute,
        `${at.name}.${name} is not a relation: "${path.join('.')}" cannot go through it.`,
      );
    }
    if (field.kind.isList && !throughLines) {
      throw problem(scope, attribute, `"${path.join('.')}" goes through ${name}, which holds many records.`);
    }
    at = modelNamed(scope.context, scope.node, attribute, relation);
  }
  throw problem(scope, attribute, 'has an empty path.');
}
