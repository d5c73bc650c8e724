import type { ListArch, ListColumn } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, needValue, readableField } from './arch-scope.ts';
import { buttonNodes } from './button-node.ts';
import { decorationsOf } from './conditions.ts';
import { domainOf, plainFieldNode, shownField } from './field-node.ts';
import { pick, valuesOf } from './values-of.ts';

const columnKeys = [
  'label',
  'nolabel',
  'help',
  'placeholder',
  'widget',
  'options',
  'optional',
  'width',
  'cell',
  'sum',
  'avg',
] as const;

export function listArch(scope: ArchScope, node: ViewNode, kind: 'list' | 'inline.list'): ListArch {
  const values = valuesOf(scope, node, kind);
  const { viewer, model } = scope;
  const columns = node.children.filter((child) => child.tag === 'field').flatMap((child) => column(scope, child) ?? []);
  return {
    columns: columns.length > 0 ? columns : [nameColumn(scope)],
    ...pick<ListArch>(values, ['editable', 'sections']),
    create: values.create !== false && viewer.mayAccess(model, 'create'),
    delete: values.delete !== false && viewer.mayAccess(model, 'unlink'),
    ...handleOf(scope, values.handle),
    ...decorationsOf(scope, values),
    buttons: buttonNodes(scope, node.children),
  };
}

function column(scope: ArchScope, node: ViewNode): ListColumn | null {
  const shown = shownField(scope, node, 'list.field');
  if (!shown) return null;
  const { field, values, conditions } = shown;
  return {
    name: field.name,
    ...pick<ListColumn>(values, columnKeys),
    ...conditions,
    ...domainOf(scope, field, values),
  };
}

/** A list always has at least one column to click on. */
function nameColumn(scope: ArchScope): ListColumn {
  return { name: plainFieldNode(scope, 'display_name').name };
}

/** A handle that the viewer may not read, or that cannot be written, is ignored. */
export function handleOf(scope: ArchScope, name: unknown): { readonly handle?: string } {
  const field = typeof name === 'string' ? readableField(scope, name) : null;
  if (!field || field.isReadonly || !scope.viewer.mayAccess(scope.model, 'write')) return {};
  needValue(scope, [field.name]);
  return { handle: field.name };
}
