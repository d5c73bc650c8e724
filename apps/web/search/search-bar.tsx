import type { ArchField, Domain, DomainCondition, DomainNode, WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { mergeFields, useModelFields } from '../data/model-fields.ts';
import type { DomainDialogProps } from '../fields/domain/domain-editor.tsx';
import { topConditions, withCondition, withoutCondition } from '../fields/domain/domain-value.ts';
import type { domainWords } from '../fields/domain/domain-words.ts';
import { useRelationNames } from '../fields/domain/relation-names.ts';
import { t } from '../i18n/messages.ts';
import { useGo } from '../navigation/router.ts';
import { whileBusy } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/parts.tsx';
import { effectiveSearch, groupLabel } from './effective-search.ts';
import type { FilterPopoverProps } from './filter-panel.tsx';
import { periodWords } from './periods.ts';
import { refine, type SearchState, toHref } from './search-state.ts';
import { SearchText } from './search-text.tsx';
import './styles.css';

interface SearchBarProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
}

const panel = lazyComponent<FilterPopoverProps>(async () => (await import('./filter-panel.tsx')).FilterPopover);
const editor = lazyComponent<DomainDialogProps>(
  async () => (await import('../fields/domain/domain-editor.tsx')).DomainDialog,
);

/** The current search as chips, and the controls to change it. */
export function SearchBar({ workspace, search }: SearchBarProps) {
  const [open, setOpen] = useState<'panel' | 'editor' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const now = effectiveSearch(workspace, search);
  const conditions = topConditions(now.domain);
  const fields = useSearchFields(workspace, conditions, open === 'editor');
  useRelationNames(conditions, fields);
  const chips = searchChips(workspace, now, { fields, words: useWords(conditions.length > 0) });
  const leadTo = useGo();
  const go = (change: Partial<SearchState>) => void leadTo(toHref(refine(now, change)), { keepTrail: true });
  const last = chips.at(-1);
  const applyDomain = (domain: Domain) => {
    setOpen(null);
    go({ domain });
  };
  return (
    <search className="row wrap searchbar">
      {chips.map((chip) => (
        <FilterChip key={chip.key} chip={chip} onRemove={() => go(chip.without)} onEdit={() => setOpen('editor')} />
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
        <editor.Component domain={now.domain} fields={fields} onClose={() => setOpen(null)} onApply={applyDomain} />
      )}
    </search>
  );
}

interface FilterChipProps {
  readonly chip: SearchChip;
  readonly onRemove: () => void;
  readonly onEdit: () => void;
}

function FilterChip({ chip, onRemove, onEdit }: FilterChipProps) {
  return (
    <Chip isMute={chip.isGroup} removeLabel={chip.removeLabel} onRemove={onRemove}>
      {chip.isCondition ? (
        <button type="button" className="cut underlines searchbar-chip" title={t('Edit conditions')} onClick={onEdit}>
          {chip.label}
        </button>
      ) : (
        chip.label
      )}
    </Chip>
  );
}

interface SearchChip {
  readonly key: string;
  readonly label: string;
  readonly removeLabel: string;
  readonly isGroup: boolean;
  /** A condition that the editor can open. */
  readonly isCondition: boolean;
  /** The change that removes it from the search. */
  readonly without: Partial<SearchState>;
}

interface ConditionWords {
  readonly fields: readonly ArchField[];
  /** Null until its code is loaded. */
  readonly words: typeof domainWords | null;
}

const loadedWords = createStore<{ readonly words: typeof domainWords | null }>({ words: null });

/** Most searches have no custom conditions, so the code that puts them into words is loaded on demand. */
function useWords(isWanted: boolean): typeof domainWords | null {
  const { words } = useStore(loadedWords);
  const isMissing = isWanted && words === null;
  useEffect(() => {
    if (!isMissing) return;
    const load = import('../fields/domain/domain-words.ts');
    whileBusy(load.then((found) => loadedWords.set({ words: found.domainWords }))).catch(() => {});
  }, [isMissing]);
  return words;
}

/** The chips of the search, in display order. `search` is the effective one. */
export function searchChips(
  workspace: WorkspacePayload,
  search: SearchState,
  conditions: ConditionWords,
): readonly SearchChip[] {
  return [...filterChips(workspace, search), ...groupChips(workspace, search), ...conditionChips(conditions, search)];
}

/** Filters of one section are combined with OR, so they are one chip. */
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
  // Graph and pivot show their groups in their own toolbar.
  const groups = workspace.arch.graph || workspace.arch.pivot ? [] : (search.groupBy ?? []);
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

function conditionChips({ fields, words }: ConditionWords, search: SearchState): readonly SearchChip[] {
  const nodes = topConditions(search.domain);
  return nodes.flatMap((node, index) => {
    // The previous chip already includes this condition.
    if (periodWords(nodes[index - 1], node, fields)) return [];
    const period = periodWords(node, nodes[index + 1], fields);
    const label = period ?? words?.(node, fields) ?? '…';
    return [
      {
        key: `condition-${index}`,
        label,
        removeLabel: t('Remove {label}', { label }),
        isGroup: false,
        isCondition: period === null,
        without: { domain: withoutCondition(search.domain, index, period === null ? 1 : 2) },
      },
    ];
  });
}

/** The fields of conditions: those of the view, and others of the model once a condition or the editor needs them. */
function useSearchFields(
  { arch, model }: WorkspacePayload,
  nodes: readonly DomainNode[],
  isEditing: boolean,
): readonly ArchField[] {
  const isStrange = nodes.some((node) => namesOf(node).some((name) => !arch.fields.some((one) => one.name === name)));
  const more = useModelFields(model, isEditing || isStrange);
  return useMemo(() => mergeFields(arch.fields, more), [arch.fields, more]);
}

function namesOf(node: DomainNode): readonly string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(namesOf);
    case 'not':
      return namesOf(node.node);
    case 'condition':
      return node.path.slice(0, 1);
    default:
      return [];
  }
}
