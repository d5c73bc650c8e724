import type { WorkspacePayload } from '@kontor/protocol';
import { type ReactNode, useEffect } from 'react';
import { runCommand } from '../commands/command.ts';
import { t } from '../i18n/messages.ts';
import { isTyping } from '../navigation/keys.ts';
import { useGo } from '../navigation/router.ts';
import { SearchBar } from '../search/search-bar.tsx';
import { type SearchState, splitExtra } from '../search/search-state.ts';
import { Button } from '../ui/button.tsx';
import { Icon, NamedIcon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { usePhone } from '../ui/use-phone.ts';
import { newName } from './open-new.ts';
import { openRecord } from './open-record.ts';
import { canDraw, viewOf } from './view-lookup.ts';
import './styles.css';

interface WorkspaceBarProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  /** Shown before the search, such as the period of a calendar. */
  readonly lead?: ReactNode;
  /** Shown at the end of the bar: paging, totals. */
  readonly summary?: ReactNode;
  /** Additional buttons, such as Export. */
  readonly actions?: ReactNode;
  /** Creates a record in the view itself; by default its form opens. */
  readonly onNew?: () => void;
}

/** The toolbar of every view of many records: new, search, paging, the other views. */
export function WorkspaceBar({ workspace, search, lead, summary, actions, onNew }: WorkspaceBarProps) {
  const { arch } = workspace;
  const canCreate = arch.rights.create && arch.list?.create !== false;
  const go = useGo();
  const create = onNew ?? (() => openRecord(search, workspace, 0, go));
  useNewKey(canCreate ? create : null);
  return (
    <div className="bar">
      <h1 className="sr-only">{arch.title}</h1>
      {canCreate && (
        <Button kind="primary" icon="plus" aria-keyshortcuts="N" onClick={create}>
          {newName(arch)}
        </Button>
      )}
      {arch.header.buttons
        .filter(({ type }) => type === 'client')
        .map((button) => (
          <Button
            key={button.name}
            kind={button.primary ? 'primary' : 'default'}
            onClick={() => runCommand(button.name, { model: workspace.model, id: 0, name: '' })}
          >
            {button.icon && <NamedIcon name={button.icon} />}
            {button.label}
          </Button>
        ))}
      {lead}
      <SearchBar workspace={workspace} search={search} />
      <div className="row push rigid bar-end">
        {summary}
        <div className="bar-views">
          <ViewTabs workspace={workspace} search={search} />
          {actions}
        </div>
      </div>
    </div>
  );
}

function useNewKey(create: (() => void) | null): void {
  useEffect(() => {
    if (!create) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'n' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      create();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
}

/**
 * The other views of the same records, in a menu on a narrow phone. Types that the client cannot render are not
 * offered.
 */
function ViewTabs({ workspace, search }: Pick<WorkspaceBarProps, 'workspace' | 'search'>) {
  const tabs = workspace.viewTabs.filter((tab) => canDraw(tab.mode));
  // Keeps options the server does not know: a measure, a comparison.
  const choices = String(new URLSearchParams(splitExtra(search.extra, true)));
  const addressOf = (href: string) => (choices ? `${href}&${choices}` : href);
  const isPhone = usePhone();
  const go = useGo();
  if (tabs.length < 2) return null;
  if (isPhone && tabs.length > 3) {
    const entries = tabs.map(({ mode, label, href, active }) => ({
      key: mode,
      label,
      icon: viewOf(mode).definition.icon,
      isChecked: active,
      run: () => go(addressOf(href)),
    }));
    const shown = entries.find(({ isChecked }) => isChecked);
    return (
      <Menu
        entries={entries}
        label={t('Views')}
        align="end"
        trigger={(props) => (
          <Button aria-label={t('Views')} title={shown?.label} {...props}>
            <NamedIcon name={shown?.icon ?? 'list'} />
            <Icon name="chevron-down" size={14} />
          </Button>
        )}
      />
    );
  }
  return (
    <nav className="seg" aria-label={t('Views')}>
      {tabs.map(({ mode, label, href, active }) => (
        <a
          key={mode}
          href={addressOf(href)}
          aria-label={label}
          title={label}
          aria-current={active ? 'page' : undefined}
          onPointerEnter={() => viewOf(mode).preload()}
        >
          <NamedIcon name={viewOf(mode).definition.icon} />
        </a>
      ))}
    </nav>
  );
}
