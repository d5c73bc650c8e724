import type { Arch } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer } from './arch-scope.ts';
import { buttonNodes } from './button-node.ts';
import { fieldNodes } from './field-node.ts';

/** The bar over a view: its buttons and, on a form, its status bar. */
export function headerArch(scope: ArchScope, view: ViewNode): Arch['header'] {
  const header = view.children.find((child) => child.tag === 'header' && isForViewer(scope, child));
  const nodes = header?.children ?? [];
  const [status] = fieldNodes(scope, nodes, 'form.status');
  return { buttons: buttonNodes(scope, nodes), ...(status && { status }) };
}
