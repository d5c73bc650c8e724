import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../i18n/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { toggle } from './effective-search.ts';
import './filter-panel.css';
import { GroupSection } from './group-section.tsx';
import { type FilterPanelProps, PanelChoice } from './panel-choice.tsx';
import { SavedSection } from './saved-section.tsx';

/** Filters, groups and saved searches side by side. Choices apply at once; the panel stays for the next. */
export function FilterPanel(props: FilterPanelProps) {
  const { workspace, search, onChange, onEditConditions } = props;
  const root = useRef<HTMLDivElement>(null);
  const filters = workspace.arch.search.filters.filter(({ domain }) => domain.length > 0);
  const chosen = search.filters ?? [];
  useEffect(() => root.current?.querySelector<HTMLElement>('.menu-item')?.focus(), []);
  return (
    <div
      ref={root}
      className="filters"
      role="dialog"
      aria-label={t('Filters')}
      onKeyDown={(event) => moveFocus(event, root.current as HTMLElement)}
    >
      <section aria-label={t('Filters')}>
        <h2>{t('Filters')}</h2>
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
        <button type="button" className="menu-item" onClick={onEditConditions}>
          <Icon name="sliders-horizontal" />
          {search.domain.length > 0 ? t('Change the conditions …') : t('Own conditions …')}
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
