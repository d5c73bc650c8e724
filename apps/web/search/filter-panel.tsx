import { type ArchField, domainOutOfTime, fieldType, topConditions, type WorkspacePayload } from '@kontor/protocol';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useModelFields } from '../data/model-fields.ts';
import { mark, t } from '../i18n/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/popover.tsx';
import { toggle } from './effective-search.ts';
import { periods } from './periods.ts';
import { SavedSection } from './saved-searches.tsx';
import type { SearchState } from './search-state.ts';
import './filter-panel.css';

export interface FilterPopoverProps extends FilterPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** Called on Escape and on a click outside. */
  readonly onLeave: () => void;
}

/** In its own chunk, because it opens only on a click. */
export function FilterPopover({ anchor, onLeave, ...panel }: FilterPopoverProps) {
  return (
    <Popover anchor={anchor} className="filters-popover" onClose={onLeave}>
      <FilterPanel {...panel} />
    </Popover>
  );
}

/** Filters, groups and saved searches side by side. Choices apply at once; the panel stays open. */
function FilterPanel(props: FilterPanelProps) {
  const { workspace, search, onChange, onEditConditions } = props;
  const root = useRef<HTMLDivElement>(null);
  const filters = workspace.arch.search.filters.filter(({ domain }) => domain.length > 0);
  const chosen = search.filters ?? [];
  useEffect(() => root.current?.querySelector<HTMLElement>('.menu-item')?.focus(), []);
  return (
    <div
      ref={root}
      className="line gap-1 filters"
      role="dialog"
      aria-label={t('Filters')}
      onKeyDown={(event) => moveFocus(event, root.current as HTMLElement)}
    >
      <section aria-label={t('Filters')}>
        <h2 className="tiny dim spaced pad-y-1h pad-x-2h">{t('Filters')}</h2>
        {filters.map(({ name, label, section }, index) => (
          <PanelChoice
            key={name}
            label={label}
            isChosen={chosen.includes(name)}
            hasLine={index > 0 && filters[index - 1]?.section !== section}
            onToggle={() => onChange({ filters: toggle(chosen, name) })}
          />
        ))}
        {filters.length > 0 && <div className="menu-line" />}
        <PeriodChoices {...props} />
        <button type="button" className="menu-item" onClick={onEditConditions}>
          <Icon name="sliders-horizontal" />
          {search.domain.length > 0 ? t('Edit conditions …') : t('Custom conditions …')}
        </button>
      </section>
      <GroupSection {...props} />
      <SavedSection {...props} />
    </div>
  );
}

function moveFocus(event: KeyboardEvent, root: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || (event.target as HTMLElement).matches('input, select')) return;
  const items = [...root.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  items[Math.max(0, Math.min(items.length - 1, at + step))]?.focus();
}

interface FilterPanelProps {
  readonly workspace: WorkspacePayload;
  /** The effective search. */
  readonly search: SearchState;
  readonly onChange: (change: Partial<SearchState>) => void;
  readonly onEditConditions: () => void;
  readonly onClose: () => void;
}

interface PanelChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly hasLine?: boolean;
  readonly onToggle: () => void;
}

function PanelChoice({ label, isChosen, hasLine = false, onToggle }: PanelChoiceProps) {
  return (
    <>
      {hasLine && <div className="menu-line" />}
      <button type="button" className="menu-item" aria-pressed={isChosen} onClick={onToggle}>
        <Icon name="check" size={14} className={isChosen ? '' : 'is-hidden'} />
        {label}
      </button>
    </>
  );
}

/** Each searchable date once, with common periods. */
function PeriodChoices({ workspace, search, onChange }: FilterPanelProps) {
  const [open, setOpen] = useState<string | null>(null);
  const dates = workspace.arch.fields.filter((field) => field.searchable && isDate(field));
  return dates.map((field) => {
    const chosen = topConditions(search.domain)
      .flatMap((node) => (node.kind === 'condition' && node.path.join('.') === field.name ? [String(node.value)] : []))
      .join(' ');
    const rest = domainOutOfTime(search.domain, field);
    const choices = Object.entries(periods).map(([key, label]) => ({ key, label: t(label), isChosen: key === chosen }));
    const choose = (key: string) => {
      const [from = '', to = ''] = key.split(' ');
      onChange({ domain: key === chosen ? rest : [...rest, [field.name, '>=', from], [field.name, '<', to]] });
    };
    const isOpen = open === field.name;
    const onOpen = () => setOpen(isOpen ? null : field.name);
    return <SpanChoice key={field.name} label={field.label} {...{ choices, isOpen, onOpen }} onChoose={choose} />;
  });
}

const shownAtFirst = 8;

/** The groups to choose from. Dates open a list of intervals. */
function GroupSection({ workspace, search, onChange }: FilterPanelProps) {
  const [isAll, setAll] = useState(false);
  const [openDate, setOpenDate] = useState<string | null>(null);
  const { graph, pivot } = workspace.arch;
  const groups = search.groupBy ?? graph?.groupBy ?? pivot?.rowGroups ?? [];
  const choices = groupChoices(workspace);
  const shown = isAll ? choices : choices.slice(0, shownAtFirst);
  // A kanban has one level of columns.
  const isSingle = workspace.viewType === 'kanban';
  const choose = (key: string) => {
    if (isSingle) return onChange({ groupBy: groups.includes(key) ? [] : [key] });
    onChange({ groupBy: toggle(groups, key) });
  };
  if (choices.length === 0) return null;
  return (
    <section aria-label={t('Group by')}>
      <h2 className="tiny dim spaced pad-y-1h pad-x-2h">{t('Group by')}</h2>
      {shown.map((choice) =>
        choice.isDate ? (
          <SpanChoice
            key={choice.key}
            label={choice.label}
            choices={granularities.map((granularity) => ({
              key: `${choice.key}:${granularity}`,
              label: granularityLabel(granularity),
              isChosen: groups.includes(`${choice.key}:${granularity}`),
            }))}
            isOpen={openDate === choice.key}
            onOpen={() => setOpenDate(openDate === choice.key ? null : choice.key)}
            onChoose={choose}
          />
        ) : (
          <PanelChoice
            key={choice.key}
            label={choice.label}
            isChosen={groups.includes(choice.key)}
            onToggle={() => choose(choice.key)}
          />
        ),
      )}
      <RelationChoices {...{ workspace, groups }} onChoose={choose} />
      {!isAll && choices.length > shownAtFirst && (
        <button type="button" className="menu-item" onClick={() => setAll(true)}>
          <Icon name="plus" size={14} />
          {t('More fields')}
        </button>
      )}
    </section>
  );
}

interface RelationChoicesProps {
  readonly workspace: WorkspacePayload;
  readonly groups: readonly string[];
  readonly onChoose: (key: string) => void;
}

/** Fields of a related record, such as the customer's country: one relation at a time, loaded when it is opened. */
function RelationChoices({ workspace, groups, onChoose }: RelationChoicesProps) {
  const [isOpen, setOpen] = useState(false);
  const [relation, setRelation] = useState<ArchField | null>(null);
  const fields = useModelFields(relation?.relation ?? '', relation !== null);
  const relations = workspace.arch.fields.filter(
    ({ name, type, groupable, related }) =>
      fieldType(type).isToOne && groupable && related?.read === true && !name.includes('.') && !ownRelations.has(name),
  );
  if (relations.length === 0) return null;
  const choices = fields.filter(isPathGroup).map((field) => {
    const key = `${relation?.name}.${field.name}${isDate(field) ? ':month' : ''}`;
    return { key, label: field.label, isChosen: groups.includes(key) };
  });
  return (
    <>
      <button type="button" className="menu-item" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="check" size={14} className={groups.some((group) => group.includes('.')) ? '' : 'is-hidden'} />
        {t('Field of a relation')}
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} className="push" />
      </button>
      {isOpen &&
        relations.map((field) => (
          <SpanChoice
            key={field.name}
            label={field.label}
            choices={field === relation ? choices : []}
            isOpen={field === relation}
            onOpen={() => setRelation(field === relation ? null : field)}
            onChoose={onChoose}
          />
        ))}
    </>
  );
}

const ownRelations: ReadonlySet<string> = new Set(['create_uid', 'write_uid']);

function isPathGroup({ name, type, stored }: ArchField): boolean {
  const { isToOne, isChoice, isBoolean, isDate: hasDay, isShort } = fieldType(type);
  return stored && !ownRelations.has(name) && (isToOne || isChoice || isBoolean || hasDay || isShort);
}

interface SpanChoiceProps {
  readonly label: string;
  readonly choices: readonly { readonly key: string; readonly label: string; readonly isChosen: boolean }[];
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onChoose: (key: string) => void;
}

/** A date that opens a list of intervals or periods. */
function SpanChoice({ label, choices, isOpen, onOpen, onChoose }: SpanChoiceProps) {
  return (
    <>
      <button type="button" className="menu-item" aria-expanded={isOpen} onClick={onOpen}>
        <Icon name="check" size={14} className={choices.some(({ isChosen }) => isChosen) ? '' : 'is-hidden'} />
        {label}
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} className="push" />
      </button>
      {isOpen && (
        <div className="pad-s-4" role="group" aria-label={label}>
          {choices.map((choice) => (
            <PanelChoice
              key={choice.key}
              label={choice.label}
              isChosen={choice.isChosen}
              onToggle={() => onChoose(choice.key)}
            />
          ))}
        </div>
      )}
    </>
  );
}

export const granularities = ['day', 'week', 'month', 'quarter', 'year'] as const;

export interface GroupChoice {
  readonly key: string;
  readonly label: string;
  /** Dates are grouped by an interval. */
  readonly isDate: boolean;
}

/** The groups to choose from: first those of the search view, then every groupable field. */
export function groupChoices({ arch }: WorkspacePayload): readonly GroupChoice[] {
  const given = arch.search.filters.flatMap(({ groupBy, label }) => (groupBy ? [{ key: groupBy, label }] : []));
  const fieldOf = (key: string) => arch.fields.find(({ name }) => name === key.split(':')[0]);
  const named = given.map(({ key, label }) => {
    const field = fieldOf(key);
    return isDate(field) ? { key: field.name, label, isDate: true } : { key, label, isDate: false };
  });
  const known = new Set(named.map(({ key }) => key));
  const others = arch.fields
    .filter((field) => isGroupable(field) && !known.has(field.name))
    .map((field) => ({ key: field.name, label: field.label, isDate: isDate(field) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return [...unique(named), ...others];
}

export function granularityLabel(granularity: string): string {
  return t(
    { day: mark('Day'), week: mark('Week'), month: mark('Month'), quarter: mark('Quarter'), year: mark('Year') }[
      granularity
    ] ?? granularity,
  );
}

/** Every type that the database can compare, except those that would make one group per record. */
function isGroupable(field: ArchField): boolean {
  const { isRelation, isChoice, isBoolean, isDate } = fieldType(field.type);
  return field.groupable && (isRelation || isChoice || isBoolean || isDate);
}

function isDate(field: ArchField | undefined): field is ArchField {
  return fieldType(field?.type).isDate;
}

function unique(choices: readonly GroupChoice[]): readonly GroupChoice[] {
  return choices.filter((one, index) => choices.findIndex(({ key }) => key === one.key) === index);
}
