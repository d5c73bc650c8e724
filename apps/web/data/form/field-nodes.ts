import type { Arch, FieldNode, FormNode } from '@kontor/protocol';
import { holds } from '../conditions.ts';
import type { RecordValues } from '../rpc.ts';

type IsHidden = (node: { readonly invisible?: FieldNode['invisible'] }) => boolean;

const nodesBefore = new WeakMap<Arch, readonly FieldNode[]>();

/** All field nodes of a form. */
export function fieldNodes(arch: Arch): readonly FieldNode[] {
  const before = nodesBefore.get(arch) ?? collect(arch, () => false);
  nodesBefore.set(arch, before);
  return before;
}

/** The visible field nodes; everything in a hidden group or page is hidden. */
export function visibleFieldNodes(arch: Arch, record: RecordValues): readonly FieldNode[] {
  return collect(arch, (node) => holds(node.invisible, record));
}

function collect({ form, header }: Arch, isHidden: IsHidden): readonly FieldNode[] {
  const top = [header.status, form?.title, ...(form?.subtitle ?? []), form?.avatar].filter(
    (node) => node !== undefined,
  );
  return [...top, ...(form?.children ?? [])].flatMap((node) => nodesIn(node, isHidden));
}

function nodesIn(node: FormNode, isHidden: IsHidden): readonly FieldNode[] {
  if (node.kind === 'notebook') {
    const pages = node.pages.filter((page) => !isHidden(page));
    return pages.flatMap((page) => page.children.flatMap((child) => nodesIn(child, isHidden)));
  }
  if (isHidden(node)) return [];
  if (node.kind === 'field') return [node];
  return node.kind === 'group' ? node.children.flatMap((child) => nodesIn(child, isHidden)) : [];
}
