import type { ArchField, WorkspacePayload } from '@kontor/protocol';
import { domainWords } from '../fields/domain/domain-words.ts';
import { topConditions, withoutCondition } from '../fields/domain/top-conditions.ts';
import { t } from '../i18n/messages.ts';
import { groupLabel } from './effective-search.ts';
import type { SearchState } from './search-state.ts';

export interface SearchChip {
  readonly key: string;
  readonly label: string;
  readonly removeLabel: string;
  readonly isGroup: boolean;
  /** A condition that the editor can open. */
  readonly isCondition: boolean;
  /** What the search is without it. */
  readonly without: Partial<SearchState>;
}

/** What is looked for, in the order it is shown. `search` is the one in effect. */
export function searchChips(
  workspace: WorkspacePayload,
  search: SearchState,
  fields: readonly ArchField[] = workspace.arch.fields,
): readonly SearchChip[] {
  return [...filterChips(workspace, search), ...groupChips(workspace, search), ...conditionChips(fields, search)];
}

/** Filters of one section widen each other, so they are one chip. */
function filterChips({ arch }: WorkspacePayload, search: SearchState): readonly SearchChip[] {
  const names = search.filters ?? [];
  const chosen = arch.search.filters.filter(({ name, domain }) => names.includes(name) && domain.length > 0);
  const sections = [...new Set(chosen.map(({ section }) => section))];
  return sections.map((section) => {
    const mine = chosen.filter((filter) => filter.section === section);
    const label = mine.map((filter) => filter.label).join(', ');
    const gone = new Set(mine.map(({ name }) => name));
    return {
      key: `filter-${section}`,
      label,
      removeLabel: t('Remove filter {label}', { label }),
      isGroup: false,
      isCondition: false,
      without: { filters: names.filter((name) => !gone.has(name)) },
    };
  });
}

function groupChips(workspace: WorkspacePayload, search: SearchState): readonly SearchChip[] {
  const groups = search.groupBy ?? [];
  return groups.map((group) => {
    const label = groupLabel(workspace, group);
    const filters = (search.filters ?? []).filter(
      (name) => workspace.arch.search.filters.find((one) => one.name === name)?.groupBy !== group,
    );
    return {
      key: `group-${group}`,
      label: t('Grouped by {label}', { label }),
      removeLabel: t('Stop grouping by {label}', { label }),
      isGroup: true,
      isCondition: false,
      without: { groupBy: groups.filter((one) => one !== group), filters },
    };
  });
}

function conditionChips(fields: readonly ArchField[], search: SearchState): readonly SearchChip[] {
  return topConditions(search.domain).map((node, index) => {
    const label = domainWords(node, fields);
    return {
      key: `condition-${index}`,
      label,
      removeLabel: t('Remove {label}', { label }),
      isGroup: false,
      isCondition: true,
      without: { domain: withoutCondition(search.domain, index) },
    };
  });
}
