import type { FieldNode, FormArch, FormNode, ListColumn } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { UserSettings } from './load-user-settings.ts';

/** The form with the columns of its grids shown or hidden as the person wants; only those that the view calls optional. */
export function ownGrids(settings: UserSettings, action: WindowAction, form: FormArch): FormArch {
  const prefix = `columns:${action.key}/`;
  if (![...settings.values.keys()].some((key) => key.startsWith(prefix))) return form;
  return { ...form, children: form.children.map((node) => withChoice(node, settings, prefix)) };
}

function withChoice(node: FormNode, settings: UserSettings, prefix: string): FormNode {
  if (node.kind === 'group') {
    return { ...node, children: node.children.map((child) => withChoice(child, settings, prefix)) };
  }
  if (node.kind === 'notebook') {
    const pages = node.pages.map((page) => ({
      ...page,
      children: page.children.map((child) => withChoice(child, settings, prefix)),
    }));
    return { ...node, pages };
  }
  return node.kind === 'field' ? withColumns(node, settings.values.get(`${prefix}${node.name}`)) : node;
}

function withColumns(node: FieldNode, choice: unknown): FieldNode {
  if (!node.list || typeof choice !== 'object' || choice === null) return node;
  const { hidden } = choice as Readonly<Record<string, unknown>>;
  if (!Array.isArray(hidden)) return node;
  const columns = node.list.columns.map(
    (column): ListColumn =>
      column.optional === undefined
        ? column
        : { ...column, optional: (hidden as unknown[]).includes(column.name) ? 'hide' : 'show' },
  );
  return { ...node, list: { ...node.list, columns } };
}
