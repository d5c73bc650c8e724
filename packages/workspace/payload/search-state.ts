import { type Env, knownField, type Model } from '@kontor/orm';
import { conjoin, type DomainNode, didYouMean, disjoin, invalidArgs, type SearchFilter } from '@kontor/protocol';
import type { ArchOutput } from '@kontor/views';
import type { WindowAction } from '../interface/load-interface.ts';
import { fillActive, hideArchived } from '../query/action-domain.ts';
import { searchText } from '../query/search-text.ts';
import type { WorkspaceQuery } from '../query/workspace-query.ts';

/**
 * The effective domain, sort order and groups of a view, from the URL, the action, the view and the user's settings.
 */
export interface SearchState {
  readonly domain: DomainNode;
  readonly filters: readonly string[];
  readonly groupBy: readonly string[];
  /** `"field, -other"`; undefined: the model's order. */
  readonly order: string | undefined;
}

interface SearchSources {
  readonly env: Env;
  readonly model: Model;
  readonly action: WindowAction;
  /** The action's context, with what the caller added. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly view: ArchOutput;
  readonly query: WorkspaceQuery;
}

export function searchState(sources: SearchSources): SearchState {
  const { model, action, view, query } = sources;
  const { arch } = view;
  const filters = chosenFilters(arch.search.filters, sources);
  const asked = conjoin(
    fillActive(action.domain, query.activeIds),
    ...(query.domain ? [fillActive(query.domain, query.activeIds)] : []),
    filterNode(filters, view.filters),
  );
  const node = conjoin(hideArchived(model, asked), searchText(sources.env, model, arch, query.q));
  const grouped = filters.flatMap((filter) => filter.groupBy ?? []);
  const groupBy = query.groupBy ?? (grouped.length > 0 ? grouped : view.query.groupBy);
  for (const entry of groupBy) knownField(model, firstStep(entry));
  const order = query.sort ?? action.order ?? view.query.order ?? undefined;
  for (const term of order?.split(',') ?? []) knownField(model, firstStep(term.trim().replace(/^-/, '')));
  return { domain: node, filters: filters.map(({ name }) => name), groupBy, order };
}

function firstStep(path: string): string {
  return path.split(/[.:]/, 1)[0]?.trim() ?? '';
}

/** Those in the URL, otherwise the defaults of the action's context or the search view. */
function chosenFilters(known: readonly SearchFilter[], { query, context }: SearchSources): readonly SearchFilter[] {
  const { filter: asked } = query;
  if (asked === null) return known.filter((filter) => isDefault(filter, context));
  return asked.map((name) => {
    const filter = known.find((each) => each.name === name);
    if (filter) return filter;
    const names = known.map((each) => each.name);
    throw invalidArgs(`There is no filter "${name.slice(0, 100)}".${didYouMean(name, names)}`, {
      field: 'filter',
      hint: names.join(', '),
    });
  });
}

/** The filters that an action opens with. */
export function openingFilters({ context }: WindowAction, { arch, filters }: ArchOutput): DomainNode {
  const chosen = arch.search.filters.filter((filter) => isDefault(filter, context));
  return filterNode(chosen, filters);
}

/** `search_default_<filter>` switches a filter on, or switches off a default of the view. */
function isDefault(filter: SearchFilter, context: Readonly<Record<string, unknown>>): boolean {
  const key = `search_default_${filter.name}`;
  if (!Object.hasOwn(context, key)) return filter.isDefault;
  return Boolean(context[key]) && context[key] !== '0';
}

/** Filters of one section are combined with OR, sections with AND. */
function filterNode(filters: readonly SearchFilter[], trees: ReadonlyMap<string, DomainNode>): DomainNode {
  const sections = new Map<number, DomainNode[]>();
  for (const { section, name } of filters) {
    const tree = trees.get(name);
    if (tree) sections.set(section, [...(sections.get(section) ?? []), tree]);
  }
  return conjoin(...[...sections.values()].map((nodes) => disjoin(...nodes)));
}
