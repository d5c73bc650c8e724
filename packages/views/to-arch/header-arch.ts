import type { Arch } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer } from './arch-scope.ts';
import { buttonNode } from './button-node.ts';
import { fieldNodes } from './field-node.ts';
import { moveButtons, otherMoves } from './moves-arch.ts';

/** The bar over a view: its buttons, the moves of the record among them, and on a form its status bar. */
export function headerArch(scope: ArchScope, view: ViewNode): Arch['header'] {
  const header = view.children.find((child) => child.tag === 'header' && isForViewer(scope, child));
  const nodes = header?.children ?? [];
  const [status] = fieldNodes(scope, nodes, 'form.status');
  const buttons = nodes.flatMap((node) => {
    if (node.tag === 'button') return buttonNode(scope, node) ?? [];
    if (node.tag === 'move') return moveButtons(scope, node);
    return node.tag === 'moves' && isForViewer(scope, node) ? otherMoves(scope, nodes) : [];
  });
  return { buttons, ...(status && { status }) };
}
