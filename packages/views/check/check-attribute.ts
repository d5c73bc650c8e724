import { type Field, type Model, setNameOf } from '@kontor/orm';
import {
  type ConditionNode,
  chooseOne,
  conditionsIn,
  type DomainNode,
  type DomainTokens,
  didYouMean,
  fillValue,
  KontorError,
  positiveOperator,
  toCriterion,
  valueTypeOf,
  viewTypes,
} from '@kontor/protocol';
import { fullId } from '../external-id.ts';
import { isGroupable, isSearchable, isSortable } from '../field-traits.ts';
import { BadAttribute, readAttribute, readCondition } from '../grammar/attribute-value.ts';
import type { AttributeKind, AttributeSpec } from '../grammar/tag-spec.ts';
import { clientCommands, clientWidgets, optionConditions } from '../grammar/widgets.ts';
import { placeOf } from '../view-node.ts';
import { fieldAtPath, fieldNamed, modelNamed, problem, type ReferenceKind, type Scope } from './scope.ts';

interface Given extends Scope {
  readonly name: string;
  readonly spec: AttributeSpec;
}

/** Checks the name in an attribute, by its kind. Other kinds contain no names. */
const checks: Partial<Readonly<Record<AttributeKind, (given: Given, value: never) => void>>> = {
  field: (given, name: string) => checkType(given, fieldNamed(given, given.name, name)),
  fields: (given, names: readonly string[]) => {
    for (const name of names) checkType(given, fieldNamed(given, given.name, name));
  },
  path: (given, path: string) => checkType(given, fieldAtPath(given, given.name, path.split('.'))),
  order: checkOrder,
  'group-by': checkGroupBy,
  'group-bys': (given, terms: readonly string[]) => {
    for (const term of terms) checkGroupBy(given, term);
  },
  domain: (given, domain: DomainNode) => checkDomain(given, given.name, domain, given.model),
  'relation-domain': checkRelationDomain,
  condition: (given, condition: boolean | DomainNode) => {
    if (typeof condition !== 'boolean') checkCondition(given, given.name, condition);
  },
  widget: checkWidget,
  'view-type': checkViewType,
  'view-types': (given, types: readonly string[]) => {
    for (const type of types) checkViewType(given, type);
  },
  groups: (given, names: readonly string[]) => {
    for (const name of names) checkReference(given, 'group', name);
  },
  'action-name': checkActionName,
  move: checkMove,
  action: (given, name: string) => checkReference(given, 'action', name),
  menu: (given, name: string) => checkReference(given, 'menu', name),
  view: (given, name: string) => checkReference(given, 'view', name),
};

export function checkAttribute(scope: Scope, name: string, spec: AttributeSpec): void {
  const text = scope.node.attributes[name];
  const check = checks[spec.kind];
  if (text === undefined || !check) return;
  if (scope.context.report && !isReadable(spec, text)) return;
  check({ ...scope, name, spec }, readAttribute(spec, text) as never);
}

/** Unreadable values were reported with the shape of the view. */
function isReadable(spec: AttributeSpec, text: string): boolean {
  try {
    readAttribute(spec, text);
    return true;
  } catch (error) {
    if (!(error instanceof BadAttribute)) throw error;
    return false;
  }
}

function checkType(given: Given, field: Field): void {
  const types = given.spec.fieldTypes;
  if (!types || types.includes(field.spec.type)) return;
  const message = `"${given.name}" takes a field of type ${types.join(' or ')}; ${field.model}.${field.name} is ${field.spec.type}.`;
  throw problem(given, given.name, message);
}

function checkOrder(given: Given, order: string): void {
  for (const term of order.split(', ')) {
    const path = term.startsWith('-') ? term.slice(1) : term;
    if (isSortable(fieldAtPath(given, given.name, path.split('.')))) continue;
    throw problem(given, given.name, `Records cannot be sorted by "${path}".`);
  }
}

function checkGroupBy(given: Given, term: string): void {
  const [path = '', granularity] = term.split(':');
  const field = fieldAtPath(given, given.name, path.split('.'));
  if (!isGroupable(field)) throw problem(given, given.name, `Records cannot be grouped by "${path}".`);
  if (granularity !== undefined && !field.kind.isDate) {
    throw problem(given, given.name, `"${path}" is not a date and has no ${granularity}.`);
  }
}

function checkRelationDomain(given: Given, domain: DomainNode): void {
  const field = fieldNamed(given, 'name', given.node.attributes.name ?? '');
  const { relation } = field.spec;
  if (relation === undefined) throw problem(given, given.name, `${field.name} is not a relation and takes no domain.`);
  checkDomain(given, given.name, domain, modelNamed(given.context, given.node, given.name, relation));
}

function checkWidget(given: Given, widget: string): void {
  const widgets = given.context.widgets ?? clientWidgets;
  const spec = widgets.get(widget);
  if (!spec) {
    const hint = didYouMean(widget, widgets.keys()) || `There are ${[...widgets.keys()].join(', ')}.`;
    throw problem(given, given.name, `There is no widget "${widget}".`, hint);
  }
  const field = fieldNamed(given, 'name', given.node.attributes.name ?? '');
  checkOptionConditions(given, widget);
  if (!spec.types || spec.types.includes(field.spec.type)) return;
  const message = `The widget "${widget}" shows ${spec.types.join(', ')}; ${field.name} is ${field.spec.type}.`;
  throw problem(given, given.name, message);
}

function checkOptionConditions(given: Given, widget: string): void {
  const options = optionsOf(given.node.attributes.options);
  for (const [name, text] of optionConditions(widget, options)) {
    try {
      const condition = readCondition(text);
      if (typeof condition !== 'boolean') checkCondition(given, 'options', condition);
    } catch (error) {
      if (!(error instanceof BadAttribute)) throw error;
      throw problem(given, 'options', `"${name}" of options ${error.message}`, error.hint);
    }
  }
}

/** Options that are not a JSON object are reported with the shape of the view. */
function optionsOf(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function checkViewType(given: Given, type: string): void {
  const known: readonly string[] = [...viewTypes, ...(given.context.viewTypes ?? [])];
  if (known.includes(type)) return;
  const hint = didYouMean(type, known) || `There are ${known.join(', ')}.`;
  throw problem(given, given.name, `"${given.name}" names a view type "${type}" that does not exist.`, hint);
}

function checkReference(given: Given, kind: ReferenceKind, name: string): void {
  const full = fullId(name, placeOf(given.node, given.name).addon);
  const names = given.context.names(kind);
  if (names.has(full)) return;
  throw problem(given, given.name, `There is no ${kind} "${full}".`, didYouMean(full, names));
}

function checkActionName(given: Given, name: string): void {
  const { type } = given.node.attributes;
  if (type === 'action') checkReference(given, 'action', name);
  else if (type === 'client') checkCommand(given, name);
  else checkObjectAction(given, name);
}

function checkObjectAction(given: Given, name: string): void {
  const { actions } = given.model;
  if (actions.has(name)) return;
  throw problem(given, given.name, `${given.model.name} has no action "${name}".`, chooseOne(name, actions.keys()));
}

function checkMove(given: Given, name: string): void {
  const moves = given.model.states?.moves;
  if (moves?.has(name)) return;
  throw problem(given, given.name, `${given.model.name} has no move "${name}".`, chooseOne(name, moves?.keys() ?? []));
}

function checkCommand(given: Given, name: string): void {
  if (clientCommands.has(name)) return;
  const hint = `There are ${[...clientCommands.keys()].join(', ')}.`;
  throw problem(given, given.name, `The client has no command "${name}".`, hint);
}

const anyone: DomainTokens = {
  uid: 1,
  companyId: 1,
  companyIds: [1],
  today: '2000-01-01',
  now: '2000-01-01T00:00:00Z',
};

/** Checks a domain against a model: every path leads to a field, every operator and value fits it. */
function checkDomain(scope: Scope, attribute: string, domain: DomainNode, model: Model): void {
  for (const condition of conditionsIn(domain)) {
    const field = fieldAtPath(scope, attribute, condition.path, { throughLines: true, model });
    if (!isSearchable(field)) {
      throw problem(scope, attribute, `${field.model}.${field.name} is computed and cannot be searched for.`);
    }
    checkOperand(scope, attribute, condition, field);
  }
}

/** A condition is evaluated on the record on screen, which has its many2ones loaded but not their lines. */
function checkCondition(scope: Scope, attribute: string, domain: DomainNode): void {
  for (const condition of conditionsIn(domain)) {
    checkOperand(scope, attribute, condition, fieldAtPath(scope, attribute, condition.path));
  }
}

function checkOperand(scope: Scope, attribute: string, written: ConditionNode, field: Field): void {
  const set = setNameOf(written);
  if (set !== null && field.selection && !field.sets.has(set)) {
    const names = [...field.sets.keys()];
    const hint = chooseOne(set, names);
    throw problem(scope, attribute, `"${written.path.join('.')}" has no set "${set}".`, hint);
  }
  const condition = set === null ? written : { ...written, value: field.sets.get(set) ?? written.value };
  checkSelection(scope, attribute, condition, field);
  const name = condition.path.join('.');
  try {
    toCriterion({
      type: valueTypeOf(field.spec.type, field.name),
      operator: positiveOperator(condition.operator),
      value: fillValue(condition, anyone),
      tz: 'UTC',
      field: name,
    });
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    throw problem(scope, attribute, `"${attribute}" cannot be asked. ${error.message}`);
  }
}

/** A value that the selection does not have would silently never match. */
function checkSelection(scope: Scope, attribute: string, condition: ConditionNode, { selection }: Field): void {
  if (!selection || !['=', '!=', 'in', 'not in'].includes(condition.operator)) return;
  const values = Array.isArray(condition.value) ? condition.value : [condition.value];
  for (const value of values) {
    if (typeof value !== 'string' || value === '' || selection.has(value)) continue;
    const path = condition.path.join('.');
    const hint = didYouMean(value, selection.keys()) || `It has ${[...selection.keys()].join(', ')}.`;
    throw problem(scope, attribute, `"${path}" has no value "${value}".`, hint);
  }
}
