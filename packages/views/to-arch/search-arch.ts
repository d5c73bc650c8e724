import type { Field } from '@kontor/orm';
import { conjoin, type DomainNode, type SearchArch, type SearchFilter, serializeDomain } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, mention, readableField, readablePath } from './arch-scope.ts';
import { isReadable } from './conditions.ts';
import { valuesOf } from './values-of.ts';

/** Domains of filters by name, parsed. */
type FilterTrees = Map<string, DomainNode>;

/** What can be searched for; filters on fields that the viewer may not read are left out. */
export function searchArch(scope: ArchScope, search: ViewNode | null, trees: FilterTrees): SearchArch {
  const fields: SearchArch['fields'][number][] = [];
  const filters: SearchFilter[] = [];
  let section = 0;
  for (const node of search?.children ?? []) {
    if (!isForViewer(scope, node)) continue;
    if (node.tag === 'separator') section += 1;
    else if (node.tag === 'field') fields.push(...searchField(scope, node));
    else filters.push(...searchFilter(scope, node, section, trees));
  }
  return { filters, fields, saved: [] };
}

function searchField(scope: ArchScope, node: ViewNode): SearchArch['fields'] {
  const values = valuesOf(node, 'search.field');
  const field = readableField(scope, String(values.name));
  if (!field) return [];
  mention(scope, field);
  const operator = String(values.operator ?? usualOperator(field));
  return [{ name: field.name, label: String(values.label ?? field.label), operator }];
}

export function usualOperator(field: Field): string {
  return field.kind.isText || field.kind.isRelation ? 'ilike' : '=';
}

function searchFilter(scope: ArchScope, node: ViewNode, section: number, trees: FilterTrees): readonly SearchFilter[] {
  const values = valuesOf(node, 'search.filter');
  const tree = (values.domain as DomainNode | undefined) ?? conjoin();
  const groupBy = (values.groupBy as string | undefined) ?? null;
  if (!isReadable(scope, tree)) return [];
  if (groupBy !== null && !mayGroup(scope, groupBy)) return [];
  const { name, label } = values as { readonly name: string; readonly label: string };
  if (tree.kind !== 'all') trees.set(name, tree);
  const isDefault = values.default === true;
  return [{ name, label, domain: serializeDomain(tree), groupBy, section, isDefault }];
}

function mayGroup(scope: ArchScope, term: string): boolean {
  const [path = ''] = term.split(':');
  const steps = path.split('.');
  if (!readablePath(scope, steps)) return false;
  const first = readableField(scope, steps[0] as string);
  if (first) mention(scope, first);
  return true;
}
