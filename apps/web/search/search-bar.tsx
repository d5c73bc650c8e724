import type { Domain, DomainCondition, WorkspacePayload } from '@kontor/protocol';
import { useRef, useState } from 'react';
import type { DomainEditorProps } from '../fields/domain/domain-editor.tsx';
import { useRelationNames } from '../fields/domain/relation-names.ts';
import { t } from '../i18n/messages.ts';
import { navigate } from '../navigation/router.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/parts.tsx';
import { effectiveSearch } from './effective-search.ts';
import type { FilterPopoverProps } from './filter-popover.tsx';
import { searchChips } from './search-chips.ts';
import { refine, type SearchState, toHref } from './search-state.ts';
import { SearchText } from './search-text.tsx';
import './styles.css';
import { topConditions, withCondition } from '../fields/domain/top-conditions.ts';
import { useSearchFields } from './use-search-fields.ts';

interface SearchBarProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
}

const panel = lazyComponent<FilterPopoverProps>(async () => (await import('./filter-popover.tsx')).FilterPopover);
const editor = lazyComponent<DomainEditorProps>(
  async () => (await import('../fields/domain/domain-editor.tsx')).DomainEditor,
);

/** What is looked for, as chips, and the ways to change it. */
export function SearchBar({ workspace, search }: SearchBarProps) {
  const [open, setOpen] = useState<'panel' | 'editor' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const now = effectiveSearch(workspace, search);
  const conditions = topConditions(now.domain);
  const fields = useSearchFields(workspace, conditions, open === 'editor');
  useRelationNames(conditions, fields);
  const chips = searchChips(workspace, now, fields);
  const go = (change: Partial<SearchState>) => void navigate(toHref(refine(now, change)), { keepTrail: true });
  const last = chips.at(-1);
  return (
    <search className="searchbar">
      {chips.map((chip) => (
        <Chip key={chip.key} isMute={chip.isGroup} removeLabel={chip.removeLabel} onRemove={() => go(chip.without)}>
          {chip.isCondition ? (
            <button
              type="button"
              className="searchbar-chip"
              title={t('Change the conditions')}
              onClick={() => setOpen('editor')}
            >
              {chip.label}
            </button>
          ) : (
            chip.label
          )}
        </Chip>
      ))}
      <SearchText
        workspace={workspace}
        search={now}
        onCondition={(condition: DomainCondition) => go({ text: '', domain: withCondition(now.domain, condition) })}
        onRemoveLast={() => last && go(last.without)}
      />
      <Button
        ref={button}
        kind="bare"
        icon="list-filter"
        aria-haspopup="dialog"
        aria-expanded={open === 'panel'}
        onClick={() => setOpen(open === 'panel' ? null : 'panel')}
        onFocus={() => panel.preload()}
        onPointerEnter={() => {
          panel.preload();
          editor.preload();
        }}
      >
        {t('Filter')}
      </Button>
      {open === 'panel' && (
        <panel.Component
          anchor={button}
          onLeave={() => setOpen((is) => (is === 'panel' ? null : is))}
          workspace={workspace}
          search={now}
          onChange={go}
          onEditConditions={() => setOpen('editor')}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'editor' && (
        <editor.Component
          domain={now.domain}
          fields={fields}
          onClose={() => setOpen(null)}
          onApply={(domain: Domain) => {
            setOpen(null);
            go({ domain });
          }}
        />
      )}
    </search>
  );
}
