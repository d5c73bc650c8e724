import { conditionsIn, parseAuthoredDomain, text } from '@kontor/protocol';
import type { ViewNode } from '@kontor/views';
import {
  createReader,
  customLimits,
  type DocumentProblem,
  documentError,
  externalId,
  matches,
  present,
} from './document-reader.ts';

/** A field as a view shows it. */
export interface ShownField {
  readonly name: string;
  readonly widget?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly optional?: 'show' | 'hide';
}

/** A part of a form without fields: a group, a tab, or the tabs with their first one. */
export interface ShownElement {
  readonly tag: 'group' | 'page' | 'notebook';
  readonly label: string;
}

type Place = { readonly expr: string; readonly position: 'before' | 'after' | 'inside' };

/** One `<xpath>`: fields or an element that are inserted, an element that is moved, or attributes that are set. */
export type ViewStep =
  | (Place & { readonly fields: readonly ShownField[] })
  | (Place & { readonly element: ShownElement })
  | (Place & { readonly move: string })
  | {
      readonly expr: string;
      readonly position: 'attributes';
      readonly attributes: Readonly<Record<string, string>>;
    };

export interface CustomView {
  /** The external id of the changed view. */
  readonly view: string;
  readonly steps: readonly ViewStep[];
}

const tag =
  '(?:form|list|kanban|card|header|title|subtitle|footer|avatar|stats|field|group|notebook|page|separator|text|button|move|moves)';
const name = '[a-z][a-z0-9_]*';
const test = `\\[(?:@name='${name}'|@label=(?:'[^'\\p{Cc}]{1,100}'|"[^"\\p{Cc}]{1,100}")|field/@name='${name}'|[1-9]\\d{0,2})\\]`;
/** Elements by name, label, a field in them or their number: nothing else of XPath. */
const anchor = new RegExp(`^(?://${tag}${test}|/${tag})(?:/${tag}(?:${test})?)*$`, 'u');

/** Attributes that a step can set; an empty value removes one. */
const settable = new Set([
  ...['label', 'help', 'placeholder', 'optional', 'invisible', 'readonly', 'required', 'nolabel', 'columns', 'colspan'],
  ...['widget', 'sum'],
]);

export function readView(value: unknown, at: string, problems: DocumentProblem[]): CustomView {
  const read = createReader(at, value, problems);
  const view = read.checked<string>('view', 'the external id of a view', (found) => matches(found, externalId)) ?? '';
  const steps = read.list('steps', (step) => readStep(step, view, problems));
  const { steps: max } = customLimits;
  if (steps.length > max) read.fail(view, text('A view has at most {max} changes.', { max }));
  read.end();
  return { view, steps };
}

/** Steps from outside. Throws with every mistake. */
export function readSteps(view: string, steps: unknown): readonly ViewStep[] {
  const problems: DocumentProblem[] = [];
  const read = readView({ view, steps }, view, problems);
  if (problems.length > 0) throw documentError(problems);
  return read.steps;
}

const positions: readonly unknown[] = ['before', 'after', 'inside', 'attributes'];

function readStep(value: unknown, at: string, problems: DocumentProblem[]): ViewStep {
  const read = createReader(at, value, problems);
  const element = (key: string): string => {
    const found = read.take(key);
    if (matches(found, anchor)) return found as string;
    const what = "an element of the view such as //field[@name='partner_id']";
    read.fail(at, text('"{name}" must be {what}.', { name: key, what }));
    return '';
  };
  const expr = element('expr');
  const position = read.checked<ViewStep['position']>('position', 'before, after, inside or attributes', (found) =>
    positions.includes(found),
  );
  if (position === 'attributes') {
    const attributes = read.map('attributes', (key, given) => readAttribute(key, given, at, problems));
    read.end();
    return { expr, position, attributes };
  }
  const place = { expr, position: position ?? 'after' };
  const step: ViewStep = read.take('move')
    ? { ...place, move: element('move') }
    : read.take('element')
      ? { ...place, element: readElement(read.take('element'), at, problems) }
      : { ...place, fields: read.list('fields', (field) => readShown(field, at, problems)) };
  read.end();
  return step;
}

function readAttribute(key: string, given: unknown, at: string, problems: DocumentProblem[]): string {
  const isText = typeof given === 'string' && given.length <= customLimits.help && !/\p{Cc}/u.test(given);
  if (settable.has(key) && isText) return given;
  problems.push({ at, message: text('"{name}" cannot be set here.', { name: key.slice(0, 80) }) });
  return '';
}

function readElement(value: unknown, at: string, problems: DocumentProblem[]): ShownElement {
  const read = createReader(at, value, problems);
  const found: ShownElement = {
    tag:
      read.checked<ShownElement['tag']>('tag', 'group, page or notebook', (given) =>
        ['group', 'page', 'notebook'].includes(given as string),
      ) ?? 'group',
    label: read.line('label', customLimits.label) ?? '',
  };
  read.end();
  if (found.label === '') problems.push({ at, message: text('Give it a label.') });
  return found;
}

function readShown(value: unknown, at: string, problems: DocumentProblem[]): ShownField {
  const read = createReader(at, value, problems);
  const field = present<ShownField>({
    name: read.checked<string>('name', 'a field', (found) => matches(found, /^[a-z][a-z0-9_]*$/)) ?? '',
    widget: read.checked('widget', 'the name of a widget', (found) => matches(found, /^[a-z][a-z0-9_]*$/)),
    options: read.checked('options', 'an object', (found) => typeof found === 'object' && !Array.isArray(found)),
    optional: read.checked('optional', 'show or hide', (found) => found === 'show' || found === 'hide'),
  });
  read.end();
  return field;
}

const conditions = new Set(['invisible', 'readonly', 'required']);

/** Whether the value of an attribute is a domain. */
export function isCondition(attribute: string): boolean {
  return conditions.has(attribute);
}

/** The paths that the conditions of a step read. A condition that is not one is a mistake of the view. */
export function pathsIn(step: ViewStep): readonly (readonly string[])[] {
  if (step.position !== 'attributes') return [];
  return Object.entries(step.attributes).flatMap(([key, value]) => {
    if (!isCondition(key) || !value.startsWith('[')) return [];
    try {
      return conditionsIn(parseAuthoredDomain(JSON.parse(value))).map(({ path }) => path);
    } catch {
      return [];
    }
  });
}

/** Whether a step shows a field, is anchored at it or asks for it. */
export function mentions(step: ViewStep, field: string): boolean {
  const own = `@name='${field}'`;
  if (step.expr.includes(own) || ('move' in step && step.move.includes(own))) return true;
  if ('fields' in step) return step.fields.some((shown) => shown.name === field);
  return pathsIn(step).some((path) => path.includes(field));
}

/** Texts of a step that people read. */
export function textsIn(step: ViewStep): readonly string[] {
  if ('element' in step) return [step.element.label];
  return step.position === 'attributes' ? Object.values(step.attributes) : [];
}

/**
 * Steps with those of an editor after them. Attributes of one element that are set again, and an element by name that is moved again, are one step, so
 * that trying things out does not fill the document.
 */
export function addSteps(known: readonly ViewStep[], added: readonly ViewStep[]): readonly ViewStep[] {
  const steps = [...known];
  for (const step of added) {
    const last = steps.at(-1);
    if (last?.position === 'attributes' && step.position === 'attributes' && last.expr === step.expr)
      steps[steps.length - 1] = { ...step, attributes: { ...last.attributes, ...step.attributes } };
    else if (
      last &&
      'move' in last &&
      'move' in step &&
      last.move === step.move &&
      isNamed(step.move) &&
      isNamed(step.expr)
    )
      steps[steps.length - 1] = step;
    else steps.push(step);
  }
  return steps;
}

/** Found wherever it is. */
function isNamed(expr: string): boolean {
  return /^\/\/[a-z]+\[@name='[a-z0-9_]+'\]$/.test(expr);
}

const place = { addon: 'custom', file: 'views', line: 1 };

/** A step as an addon would write it. */
export function stepNode(step: ViewStep): ViewNode {
  return viewNode('xpath', { expr: step.expr, position: step.position }, contentOf(step));
}

function contentOf(step: ViewStep): readonly ViewNode[] {
  if (step.position === 'attributes')
    return Object.entries(step.attributes).map(([key, value]) => viewNode('attribute', { name: key }, [], value));
  if ('move' in step) return [viewNode('xpath', { expr: step.move, position: 'move' })];
  if ('element' in step) {
    const { tag: kind, label } = step.element;
    return [kind === 'notebook' ? viewNode(kind, {}, [viewNode('page', { label })]) : viewNode(kind, { label })];
  }
  return step.fields.map(({ name: field, widget, options, optional }) =>
    viewNode('field', {
      name: field,
      ...(widget && { widget }),
      ...(options && { options: JSON.stringify(options) }),
      ...(optional && { optional }),
    }),
  );
}

export function viewNode(
  kind: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly ViewNode[] = [],
  content = '',
): ViewNode {
  return { tag: kind, attributes, text: content, children, place };
}
