import type { Arch } from '@kontor/protocol';

const lists: ReadonlySet<string> = new Set(['one2many', 'many2many']);

/** What a person sees of each record: what stands on a card, or the fields of a form without its lists. */
export function seenFields({ kanban, fields }: Arch): readonly string[] {
  if (!kanban)
    return fields.filter(({ type, name }) => !lists.has(type) && name !== 'display_name').map(({ name }) => name);
  const { title, lines, footer } = kanban.card;
  const shown = [title, ...lines, ...footer].map(({ name }) => name);
  return [...new Set(kanban.groupField === null ? shown : [...shown, kanban.groupField])];
}
