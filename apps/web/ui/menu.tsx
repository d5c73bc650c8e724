import {
  type ButtonHTMLAttributes,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../i18n/messages.ts';
import { IconButton } from './button.tsx';
import { Icon, NamedIcon } from './icon.tsx';
import { Popover } from './popover.tsx';

/** A menu item. */
export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  /** The name of a client icon, or of one named by data. */
  readonly icon?: string | undefined;
  /** Shows a check mark: the item can be switched on and off. */
  readonly isChecked?: boolean;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly hint?: string;
  /** A heading above this entry, with a line before it. */
  readonly section?: string;
  /** The menu stays open after a click, so that several items can be chosen. */
  readonly isSticky?: boolean;
  run(): void;
}

interface MenuProps {
  readonly entries: readonly MenuEntry[];
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly trigger: (
    props: ButtonHTMLAttributes<HTMLButtonElement> & { ref: React.Ref<HTMLButtonElement> },
  ) => ReactNode;
}

/** A button that opens a menu. Arrow keys move, Home and End jump, Enter chooses, Escape closes. */
export function Menu({ entries, label, align = 'start', trigger }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    anchor.current?.focus();
  };
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {isOpen && (
        <Popover anchor={anchor} align={align} onClose={() => setOpen(false)}>
          <MenuList entries={entries} label={label} onDone={close} />
        </Popover>
      )}
    </>
  );
}

/** The overflow menu ("…") at the end of a screen's toolbar. */
export function MoreMenu({ entries }: Pick<MenuProps, 'entries'>) {
  return (
    <Menu
      entries={entries}
      label={t('More')}
      align="end"
      trigger={(props) => <IconButton icon="ellipsis" label={t('More')} {...props} />}
    />
  );
}

/** The items of a menu without its button. */
export function MenuList({
  entries,
  label,
  onDone,
}: {
  entries: readonly MenuEntry[];
  label: string;
  onDone: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>('[role^=menuitem]:not(:disabled)')?.focus(), []);
  return (
    <div ref={list} role="menu" aria-label={label} onKeyDown={(event) => moveFocus(event, list.current as HTMLElement)}>
      {entries.map((entry, index) => (
        <Fragment key={entry.key}>
          {entry.section !== undefined && (
            <>
              {index > 0 && <div className="menu-line" role="separator" />}
              {entry.section && <div className="menu-head">{entry.section}</div>}
            </>
          )}
          <button
            type="button"
            role={entry.isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            {...(entry.isChecked === undefined ? {} : { 'aria-checked': entry.isChecked })}
            disabled={entry.isDisabled}
            tabIndex={-1}
            className={`menu-item ${entry.isDanger ? 'menu-item-danger' : ''}`}
            onClick={() => {
              if (!entry.isSticky) onDone();
              entry.run();
            }}
          >
            {entry.isChecked !== undefined && <Icon name="check" className={entry.isChecked ? '' : 'is-hidden'} />}
            {entry.icon && <NamedIcon name={entry.icon} />}
            {entry.label}
            {entry.hint && <span className="menu-item-end">{entry.hint}</span>}
          </button>
        </Fragment>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  const items = [...list.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return;
    const found = items.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()));
    found?.focus();
    return;
  }
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
