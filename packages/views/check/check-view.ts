import type { Field, Model } from '@kontor/orm';
import { chooseOne, measures } from '@kontor/protocol';
import { hasMeasure, isGroupable, isSearchable, usualMeasure } from '../field-traits.ts';
import { childKind, tagSpec } from '../grammar/grammar.ts';
import { checkShape } from '../parse/check-shape.ts';
import { asksModel } from '../to-arch/asks-arch.ts';
import { attempt } from '../view-error.ts';
import type { ViewNode } from '../view-node.ts';
import { checkAttribute } from './check-attribute.ts';
import { type CheckContext, fieldNamed, modelNamed, problem, type Scope } from './scope.ts';

/**
 * Throws a ViewError with the position and the nearest valid name if a composed view or an action names something that
 * does not exist.
 */
export function checkView(view: ViewNode, context: CheckContext): void {
  const { report } = context;
  checkShape(view, view.tag, report);
  attempt(report, () =>
    checkNode(view, view.tag, modelNamed(context, view, 'model', view.attributes.model ?? ''), context),
  );
}

function checkNode(node: ViewNode, kind: string, model: Model, context: CheckContext): void {
  const spec = tagSpec(kind);
  const scope = { context, node, model };
  const { report } = context;
  for (const [name, attribute] of Object.entries(spec.attributes)) {
    attempt(report, () => checkAttribute(scope, name, attribute));
  }
  attempt(report, () => checkRules[kind]?.(scope));
  for (const child of node.children) {
    const inside = childKind(spec, child.tag);
    if (inside === null) continue;
    attempt(report, () => checkNode(child, inside, modelInside(inside, scope), context));
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

/** The model of the lines inside a field. */
function relatedModel(scope: Scope): Model {
  const field = fieldNamed(scope, 'name', scope.node.attributes.name ?? '');
  return modelNamed(scope.context, scope.node, 'name', field.spec.relation ?? '');
}

/** The questions of a button's or a move's action, as the model of its dialog. */
function askedModel(scope: Scope): Model {
  const { node, model } = scope;
  const name = node.tag === 'move' ? `action_${node.attributes.name}` : (node.attributes.name ?? '');
  const asked = model.actions.get(name)?.asks;
  if (asked && asked.size > 0) return asksModel(model, asked);
  throw problem(scope, 'name', `"${node.attributes.name}" asks for nothing and takes no <form>.`);
}

type Rule = (scope: Scope) => void;

/** Rules about several attributes of one tag. */
const checkRules: Readonly<Record<string, Rule>> = {
  list: (scope) => checkHandle(scope),
  'inline.list': (scope) => checkHandle(scope),
  'list.field': (scope) => {
    for (const measure of ['sum', 'avg']) {
      if (scope.node.attributes[measure] !== undefined) checkMeasure(scope, named(scope), measure, measure);
    }
  },
  'form.field': (scope) => {
    const field = named(scope);
    const [inside] = scope.node.children;
    if (!inside || field.kind.isList) return;
    throw problem(
      scope,
      'name',
      `${field.name} is ${field.spec.type} and takes no <${inside.tag}>; only x2many fields do.`,
    );
  },
  button: checkLabel,
  moves: (scope) => {
    if (!scope.model.states) throw problem(scope, 'groups', `${scope.model.name} has no states and no moves.`);
  },
  'stats.button': checkLabel,
  kanban: (scope) => {
    checkHandle(scope);
    checkKanbanGroup(scope);
    for (const name of scope.node.attributes.sums?.split(',') ?? []) {
      checkMeasure(scope, fieldNamed(scope, 'sums', name.trim()), 'sum', 'sums');
    }
  },
  measure: (scope) =>
    checkMeasure(scope, named(scope), scope.node.attributes.measure ?? usualMeasure(named(scope)), 'name'),
  'group-by': checkAxis,
  row: checkAxis,
  column: checkAxis,
  calendar: checkRange,
  gantt: checkRange,
  cohort: checkRange,
  'search.field': checkSearchField,
  action: checkContext,
};

function named(scope: Scope): Field {
  return fieldNamed(scope, 'name', scope.node.attributes.name ?? '');
}

function checkLabel(scope: Scope): void {
  const { label, name = '' } = scope.node.attributes;
  const action = scope.model.actions.get(name);
  if (label !== undefined || (action?.kind === 'action' && action.label !== null)) return;
  if (!action && scope.node.attributes.type === undefined) return; // Reported as an unknown action.
  throw problem(scope, 'name', `"${name}" has no label of its own: give the button one.`);
}

function checkHandle(scope: Scope): void {
  const { handle } = scope.node.attributes;
  if (handle === undefined || fieldNamed(scope, 'handle', handle).isStored) return;
  throw problem(scope, 'handle', `"${handle}" is not stored and keeps no order.`);
}

function checkKanbanGroup(scope: Scope): void {
  const name = scope.node.attributes['group-by'];
  if (name === undefined || isGroupable(fieldNamed(scope, 'group-by', name))) return;
  throw problem(scope, 'group-by', `Records cannot be grouped by "${name}".`);
}

function checkMeasure(scope: Scope, field: Field, measure: string, attribute: string): void {
  const known = measures.find((each) => each === measure);
  if (known && hasMeasure(field, known)) return;
  throw problem(scope, attribute, `${field.model}.${field.name} (${field.spec.type}) has no ${measure}.`);
}

function checkAxis(scope: Scope): void {
  const field = named(scope);
  const { interval } = scope.node.attributes;
  if (!isGroupable(field)) throw problem(scope, 'name', `Records cannot be grouped by "${field.name}".`);
  if (interval !== undefined && !field.kind.isDate) {
    throw problem(scope, 'interval', `"${field.name}" is not a date and has no ${interval}.`);
  }
}

/** The visible range is requested from the database. */
function checkRange(scope: Scope): void {
  for (const attribute of ['start', 'stop']) {
    const name = scope.node.attributes[attribute];
    if (name === undefined || isSearchable(fieldNamed(scope, attribute, name))) continue;
    throw problem(scope, attribute, `"${name}" is computed and cannot be searched for.`);
  }
}

function checkSearchField(scope: Scope): void {
  const field = named(scope);
  if (!isSearchable(field)) throw problem(scope, 'name', `"${field.name}" is computed and cannot be searched for.`);
  if (scope.node.attributes.operator === 'child_of' && !field.spec.relation) {
    throw problem(scope, 'operator', `"${field.name}" is not a relation and has no hierarchy.`);
  }
}

/** Defaults of fields that do not exist would be silently ignored. */
function checkContext(scope: Scope): void {
  const context = scope.node.attributes.context;
  if (context === undefined) return;
  for (const key of Object.keys(JSON.parse(context) as object)) {
    const name = key.startsWith('default_') ? key.slice('default_'.length) : null;
    if (name === null || scope.model.fields.has(name)) continue;
    const near = chooseOne(name, scope.model.fields.keys());
    throw problem(scope, 'context', `${scope.model.name} has no field "${name}" for "${key}".`, near);
  }
}
