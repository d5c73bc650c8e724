import type { Field, Model } from '@kontor/orm';
import { type Arch, condition, conjoin, type DomainNode, disjoin } from '@kontor/protocol';

/** Free text: contained, whatever the case, in one of the view's columns. */
export function searchText(model: Model, arch: Arch, q: string): DomainNode {
  if (q === '') return conjoin();
  const fields = searchedNames(arch).flatMap((name) => model.fields.get(name) ?? []);
  const nodes = fields.flatMap((field) => fieldNode(field, q) ?? []);
  return nodes.length === 0 ? contains('display_name', q) : disjoin(...nodes);
}

/** The columns of a list, what stands on a card, else the fields that the search view names. */
function searchedNames(arch: Arch): readonly string[] {
  const searchable = new Set(arch.fields.filter((field) => field.searchable).map((field) => field.name));
  const shown = [...new Set(shownNames(arch))].filter((name) => searchable.has(name));
  return shown.length > 0 ? shown : arch.search.fields.map((field) => field.name);
}

function shownNames({ list, kanban }: Arch): readonly string[] {
  if (list) return list.columns.map((column) => column.name);
  if (!kanban) return [];
  const { title, lines, footer } = kanban.card;
  return [title, ...lines, ...footer].map((node) => node.name);
}

function fieldNode(field: Field, q: string): DomainNode | null {
  switch (field.spec.type) {
    case 'char':
    case 'text':
    case 'html':
    case 'many2one':
      return contains(field.name, q);
    case 'selection':
      return labelled(field, q);
    default:
      return null;
  }
}

/** People type what they see, and of a selection they see the label. */
function labelled(field: Field, q: string): DomainNode | null {
  const wanted = q.toLocaleLowerCase();
  const values = [...(field.selection ?? [])].filter(([, label]) => label.toLocaleLowerCase().includes(wanted));
  if (values.length === 0) return null;
  return condition(
    field.name,
    'in',
    values.map(([value]) => value),
  );
}

function contains(name: string, q: string): DomainNode {
  return condition(name, 'ilike', q);
}
