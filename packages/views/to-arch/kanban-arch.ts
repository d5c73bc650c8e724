import type { FieldNode, KanbanArch } from '@kontor/protocol';
import { fullId } from '../external-id.ts';
import { placeOf, type ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, needShown, needValue, readableField } from './arch-scope.ts';
import { decorationsOf } from './conditions.ts';
import { fieldNodes, plainFieldNode } from './field-node.ts';
import { handleOf } from './list-arch.ts';
import { valuesOf } from './values-of.ts';

export function kanbanArch(scope: ArchScope, node: ViewNode): KanbanArch {
  const values = valuesOf(scope, node, 'kanban');
  const { viewer, model } = scope;
  const group = values.groupBy === undefined ? null : readableField(scope, String(values.groupBy));
  if (group) needShown(scope, group);
  needValue(scope, ['display_name']);
  const sums = ((values.sums ?? []) as readonly string[]).filter((name) => readableField(scope, name));
  for (const name of sums) needValue(scope, [name]);
  const mayMove = group !== null && !group.isReadonly && viewer.mayAccess(model, 'write');
  return {
    groupField: group?.name ?? null,
    draggable: values.draggable !== false && mayMove,
    quickCreate: values.quickCreate !== false && viewer.mayAccess(model, 'create'),
    columns: [],
    ...quickFieldsOf(scope, values.quickFields),
    card: cardOf(scope, node),
    sums,
    ...handleOf(scope, values.handle),
  };
}

function quickFieldsOf(scope: ArchScope, named: unknown): Pick<KanbanArch, 'quickFields'> {
  if (!Array.isArray(named)) return {};
  const names = (named as readonly string[]).filter((name) => readableField(scope, name)?.isReadonly === false);
  return { quickFields: names.map((name) => plainFieldNode(scope, name)) };
}

function cardOf(scope: ArchScope, kanban: ViewNode): KanbanArch['card'] {
  const card = kanban.children.find((child) => child.tag === 'card');
  const values = card ? valuesOf(scope, card, 'kanban.card') : {};
  const part = (tag: string): readonly FieldNode[] => {
    const found = card?.children.find((child) => child.tag === tag && isForViewer(scope, child));
    return fieldNodes(scope, found?.children ?? [], 'card.field');
  };
  const [title = plainFieldNode(scope, 'display_name')] = part('title');
  return {
    title,
    lines: fieldNodes(scope, card?.children ?? [], 'card.field'),
    footer: part('footer'),
    ...opensOf(scope, card, values.opens),
    ...plainField(scope, 'image', values.image),
    ...plainField(scope, 'color', values.color),
    ...decorationsOf(scope, values),
  };
}

/** Users who may not open it get the form. */
function opensOf(scope: ArchScope, card: ViewNode | undefined, named: unknown): { readonly opens?: string } {
  if (!card || typeof named !== 'string') return {};
  const opens = fullId(named, placeOf(card, 'opens').addon);
  return scope.mayOpen(opens) ? { opens } : {};
}

/** A field that a view names by an attribute, if the viewer may read it. */
export function plainField<Key extends string>(
  scope: ArchScope,
  key: Key,
  name: unknown,
): { readonly [K in Key]?: string } {
  const field = typeof name === 'string' ? readableField(scope, name) : null;
  if (!field) return {};
  needShown(scope, field);
  return Object.fromEntries([[key, field.name]]) as { readonly [K in Key]?: string };
}
