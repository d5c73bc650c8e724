import type { WorkspacePayload } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { navigate } from '../shell/router.ts';
import { Button } from '../ui/button.tsx';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { Chip } from '../ui/parts.tsx';
import { effectiveFilters, effectiveGroups, groupLabel, toggle } from './effective-search.ts';
import { refine, type SearchState, toHref } from './search-state.ts';
import { SearchText } from './search-text.tsx';
import './styles.css';

interface SearchBarProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
}

/** What is looked for, as chips, and the ways to change it. */
export function SearchBar({ workspace, search }: SearchBarProps) {
  const go = (change: Partial<SearchState>) => void navigate(toHref(refine(search, change)), { keepTrail: true });
  const { filters: known } = workspace.arch.search;
  const filters = effectiveFilters(workspace, search);
  const groups = effectiveGroups(workspace, search);
  const entries: readonly MenuEntry[] = known
    .filter((filter) => filter.domain.length > 0)
    .map((filter, index, list) => ({
      key: filter.name,
      label: filter.label,
      isChecked: filters.includes(filter.name),
      isSticky: true,
      ...(index > 0 && list[index - 1]?.section !== filter.section ? { section: '' } : {}),
      run: () => go({ filters: toggle(filters, filter.name) }),
    }));
  return (
    <search className="searchbar">
      {filters.map((name) => {
        const label = known.find((filter) => filter.name === name)?.label ?? name;
        return (
          <Chip
            key={name}
            removeLabel={t('Remove filter {label}', { label })}
            onRemove={() => go({ filters: toggle(filters, name) })}
          >
            {label}
          </Chip>
        );
      })}
      {groups.map((group) => {
        const label = groupLabel(workspace, group);
        return (
          <Chip
            key={group}
            isMute
            removeLabel={t('Stop grouping by {label}', { label })}
            onRemove={() => go({ groupBy: toggle(groups, group) })}
          >
            {t('Grouped by {label}', { label })}
          </Chip>
        );
      })}
      <SearchText search={search} />
      {entries.length > 0 && (
        <Menu
          label={t('Filters')}
          entries={entries}
          trigger={(props) => (
            <Button kind="bare" icon="list-filter" {...props}>
              {t('Filter')}
            </Button>
          )}
        />
      )}
    </search>
  );
}
