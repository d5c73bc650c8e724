import type { ButtonNode } from '@kontor/protocol';
import { fullId } from '../external-id.ts';
import { clientCommands } from '../grammar/widgets.ts';
import { placeOf, type ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, needShown, readableField } from './arch-scope.ts';
import { asksArch } from './asks-arch.ts';
import { conditionsOf, wireConditions } from './conditions.ts';
import { pick, valuesOf } from './values-of.ts';

/** The buttons among the nodes that the viewer may use. */
export function buttonNodes(scope: ArchScope, nodes: readonly ViewNode[]): readonly ButtonNode[] {
  return nodes.filter((node) => node.tag === 'button').flatMap((node) => buttonNode(scope, node) ?? []);
}

export function buttonNode(scope: ArchScope, node: ViewNode): ButtonNode | null {
  if (!isForViewer(scope, node)) return null;
  const values = valuesOf(scope, node, 'stats.button');
  const { invisible } = conditionsOf(scope, values);
  const type = (values.type as ButtonNode['type'] | undefined) ?? 'object';
  const name = type === 'action' ? fullId(String(values.name), placeOf(node, 'name').addon) : String(values.name);
  if (invisible === true || !mayUse[type](scope, name)) return null;
  const shown = values.field === undefined ? null : readableField(scope, String(values.field));
  if (values.field !== undefined && !shown) return null;
  if (shown) needShown(scope, shown);
  const form = node.children.find((child) => child.tag === 'form');
  return {
    kind: 'button',
    name,
    type,
    ...actionLook(scope, type === 'object' ? name : '', form),
    ...pick<ButtonNode>(values, ['label', 'icon', 'primary', 'danger', 'menu', 'key', 'confirm', 'context', 'field']),
    ...(type === 'action' && scope.targetOf(name) === 'dialog' && { target: 'dialog' as const }),
    ...wireConditions({ invisible }),
  };
}

/** Properties of an object action that the view can override. */
function actionLook(
  scope: ArchScope,
  name: string,
  form?: ViewNode,
): Pick<ButtonNode, 'label' | 'icon' | 'confirm' | 'mails' | 'asks'> {
  const action = scope.model.actions.get(name);
  if (action?.kind !== 'action') return { label: name };
  const asks = asksArch(scope, action.asks, form);
  return {
    label: action.label ?? name,
    ...(action.icon !== null && { icon: action.icon }),
    ...(action.warns !== null && { confirm: action.warns }),
    ...(action.mails !== null && { mails: action.mails }),
    ...(asks && { asks }),
  };
}

const mayUse: Readonly<Record<ButtonNode['type'], (scope: ArchScope, name: string) => boolean>> = {
  action: (scope, name) => scope.mayOpen(name),
  object: mayRun,
  client: ({ viewer }, name) => {
    const groups = clientCommands.get(name)?.groups;
    return viewer.seesAll || !groups || groups.some((group) => viewer.groups.has(group));
  },
};

function mayRun({ model, viewer }: ArchScope, name: string): boolean {
  const action = model.actions.get(name);
  if (!action || !viewer.mayAccess(model, action.needs)) return false;
  return viewer.seesAll || !action.groups || action.groups.some((group) => viewer.groups.has(group));
}
