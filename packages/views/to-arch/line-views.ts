import type { Field } from '@kontor/orm';
import type { FieldNode, FormArch } from '@kontor/protocol';
import { generateView } from '../generate/generate-view.ts';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, lineScope } from './arch-scope.ts';
import { listArch } from './list-arch.ts';

type LineViews = Pick<FieldNode, 'list' | 'form' | 'fields'>;

/** Handed in: a form may hold lines, and lines a form. */
type MakeForm = (scope: ArchScope, node: ViewNode) => FormArch;

/** The list and the form of the lines of an x2many, and the fields that both use. */
export function lineViews(scope: ArchScope, node: ViewNode, field: Field, makeForm: MakeForm): LineViews {
  const inside = (tag: string) => node.children.find((child) => child.tag === tag && isForViewer(scope, child));
  const list = inside('list') ?? ownList(scope, node, field);
  const form = inside('form');
  if (!list && !form) return {};
  const lines = lineScope(scope, field);
  const views = {
    ...(list && { list: listArch(lines, list, 'inline.list') }),
    ...(form && { form: makeForm(lines, form) }),
  };
  return { ...views, fields: [...lines.fields.values()] };
}

/** Columns that nobody asked for would only make the form heavier. */
function isSpare(column: ViewNode): boolean {
  return column.attributes.optional === 'hide';
}

/** Lines of a one2many without a list inside look as they do elsewhere; where they come from goes without saying. */
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
