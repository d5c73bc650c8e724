import { type Field, isCopyable } from '@kontor/orm';
import type { FieldNode, FormArch, FormNode } from '@kontor/protocol';
import { generateView } from '../generate/generate-view.ts';
import type { ViewNode } from '../view-node.ts';
import { archFields } from './arch-fields.ts';
import { type ArchScope, isForViewer, lineScope, needValue } from './arch-scope.ts';
import { buttonNode, buttonNodes } from './button-node.ts';
import { conditionsOf, wireConditions } from './conditions.ts';
import { fieldNode } from './field-node.ts';
import { listArch } from './list-arch.ts';
import { pick, valuesOf } from './values-of.ts';

type GroupNode = Extract<FormNode, { kind: 'group' }>;
type SeparatorNode = Extract<FormNode, { kind: 'separator' }>;
type NotebookPage = Extract<FormNode, { kind: 'notebook' }>['pages'][number];

export function formArch(scope: ArchScope, node: ViewNode, kind: 'form' | 'inline.form'): FormArch {
  const values = valuesOf(scope, node, kind);
  const { viewer, model } = scope;
  const part = (tag: string) => {
    const found = node.children.filter((child) => child.tag === tag && isForViewer(scope, child));
    return found.flatMap(({ children }) => children);
  };
  const [title] = formFields(scope, part('title'));
  const [avatar] = formFields(scope, part('avatar'));
  const subtitle = formFields(scope, part('subtitle'));
  needValue(scope, ['display_name']);
  if (model.hasActive) needValue(scope, ['active']);
  const mayCreate = viewer.mayAccess(model, 'create');
  return {
    ...(title && { title }),
    ...(subtitle.length > 0 && { subtitle }),
    ...(avatar && { avatar }),
    stats: buttonNodes(scope, part('stats')),
    children: bodyNodes(scope, node.children),
    create: values.create !== false && mayCreate,
    edit: values.edit !== false && viewer.mayAccess(model, 'write'),
    delete: values.delete !== false && viewer.mayAccess(model, 'unlink'),
    duplicate: values.duplicate !== false && mayCreate && isCopyable(model),
    chatter: kind === 'form' && values.chatter !== false && model.chatter !== null,
  };
}

export function bodyNodes(scope: ArchScope, nodes: readonly ViewNode[]): readonly FormNode[] {
  return nodes.flatMap((node) => bodyNode(scope, node) ?? []);
}

/** One node of the body; null if it is hidden, empty, or not part of the body. */
function bodyNode(scope: ArchScope, node: ViewNode): FormNode | null {
  if (!isForViewer(scope, node)) return null;
  switch (node.tag) {
    case 'field':
      return formField(scope, node);
    case 'button':
      return buttonNode(scope, node);
    case 'group':
      return groupNode(scope, node);
    case 'notebook':
      return notebookNode(scope, node);
    case 'separator':
    case 'text':
      return wordsNode(scope, node, node.tag);
    default:
      return null;
  }
}

function formFields(scope: ArchScope, nodes: readonly ViewNode[]): readonly FieldNode[] {
  return nodes.flatMap((node) => formField(scope, node) ?? []);
}

function formField(scope: ArchScope, node: ViewNode): FieldNode | null {
  const shown = fieldNode(scope, node, 'form.field');
  const field = shown && scope.model.fields.get(shown.name);
  if (!shown || !field?.kind.isList) return shown;
  return { ...shown, ...lineViews(scope, node, field, (lines, form) => formArch(lines, form, 'inline.form')) };
}

function groupNode(scope: ArchScope, node: ViewNode): FormNode | null {
  const values = valuesOf(scope, node, 'form.group');
  const { invisible } = conditionsOf(scope, values);
  const children = bodyNodes(scope, node.children);
  if (invisible === true || isBare(children)) return null;
  const own = pick<GroupNode>(values, ['label', 'columns', 'colspan', 'layout']);
  return { kind: 'group', ...own, ...wireConditions({ invisible }), children };
}

function notebookNode(scope: ArchScope, node: ViewNode): FormNode | null {
  const names = new Set<string>();
  const pages = node.children.flatMap((child) => pageOf(scope, child, names) ?? []);
  return pages.length > 0 ? { kind: 'notebook', pages } : null;
}

function pageOf(scope: ArchScope, node: ViewNode, names: Set<string>): NotebookPage | null {
  if (!isForViewer(scope, node)) return null;
  const values = valuesOf(scope, node, 'form.page');
  const { invisible } = conditionsOf(scope, values);
  const children = bodyNodes(scope, node.children);
  if (invisible === true || isBare(children)) return null;
  const label = String(values.label);
  const name = uniqueName(values.name === undefined ? pageName(label) : String(values.name), names);
  return { name, label, ...wireConditions({ invisible }), children };
}

function wordsNode(scope: ArchScope, node: ViewNode, tag: 'separator' | 'text'): FormNode | null {
  const values = valuesOf(scope, node, `form.${tag}`);
  const { invisible } = conditionsOf(scope, values);
  if (invisible === true) return null;
  const hidden = wireConditions({ invisible });
  if (tag === 'text') return { kind: 'text', text: node.text, ...hidden };
  return { kind: 'separator', ...pick<SeparatorNode>(values, ['label']), ...hidden };
}

/** Separators and headings alone are not content. */
function isBare(children: readonly FormNode[]): boolean {
  return children.every((child) => child.kind === 'separator');
}

function pageName(label: string): string {
  const name = label.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return name.replace(/^_+|_+$/g, '') || 'page';
}

function uniqueName(name: string, names: Set<string>): string {
  let unique = name;
  for (let count = 2; names.has(unique); count++) unique = `${name}_${count}`;
  names.add(unique);
  return unique;
}

type LineViews = Pick<FieldNode, 'list' | 'form' | 'fields'>;

/** Passed in: a form may contain lines, and lines a form. */
type MakeForm = (scope: ArchScope, node: ViewNode) => FormArch;

/** The list and the form of the lines of an x2many, and the fields that both use. */
function lineViews(scope: ArchScope, node: ViewNode, field: Field, makeForm: MakeForm): LineViews {
  const inside = (tag: string) => node.children.find((child) => child.tag === tag && isForViewer(scope, child));
  const list = inside('list') ?? ownList(scope, node, field);
  const form = inside('form');
  if (!list && !form) return {};
  const lines = lineScope(scope, field);
  const views = {
    ...(list && { list: listArch(lines, list, 'inline.list') }),
    ...(form && { form: makeForm(lines, form) }),
  };
  return { ...views, fields: archFields(lines) };
}

/** Columns that are initially hidden are left out, to keep the form small. */
function isSpare(column: ViewNode): boolean {
  return column.attributes.optional === 'hide';
}

/** Lines of a one2many without a list inside get the usual list of their model, without the column of the parent. */
function ownList(scope: ArchScope, node: ViewNode, field: Field): ViewNode | null {
  if (!field.kind.isLines || scope.depth > 0 || node.attributes.widget !== undefined) return null;
  const related = scope.registry.model(field.spec.relation as string);
  const list = scope.viewFor(related.name, 'list') ?? generateView(related, 'list', scope.translate);
  if (!list) return null;
  return {
    ...list,
    attributes: { editable: 'bottom', ...list.attributes },
    children: list.children.filter((child) => child.attributes.name !== field.spec.inverse && !isSpare(child)),
  };
}
