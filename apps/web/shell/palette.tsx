import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { loadMenuPlaces, menuPlaces } from '../data/menus.ts';
import { t } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NamedIcon } from '../ui/icon.tsx';
import { takeTypedAhead } from './overlay.ts';
import { type Command, commandsFor, useFoundRecords, useRecentRecords } from './palette-commands.ts';

/** Ctrl/Cmd+K: menus, commands and records by a few letters. */
// Over 60 lines: one component.
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(takeTypedAhead);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const records = useFoundRecords(text);
  const recent = useRecentRecords();
  useStore(menuPlaces);
  useEffect(() => void loadMenuPlaces(), []);
  const near = commandsFor(text, recent);
  const shown = new Set(near.map(({ key }) => key));
  const commands = [...near, ...records.filter(({ key }) => !shown.has(key))];
  const chosen = Math.min(at, commands.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <Dialog title={t('Search and commands')} place="top" onClose={onClose} hasNoHead>
      <div className="palette">
        <input
          className="full large palette-input"
          role="combobox"
          aria-label={t('Search and commands')}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={commands[chosen] ? `palette-${chosen}` : undefined}
          placeholder={t('Search records, menus and commands')}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div ref={list} id="palette-list" role="listbox" aria-label={t('Results')} className="scroll palette-list">
          {commands.map((command, index) => (
            <div key={command.key} role="presentation">
              {command.section !== commands[index - 1]?.section && <div className="menu-head">{command.section}</div>}
              <div
                id={`palette-${index}`}
                data-index={index}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                className="menu-item"
                onPointerMove={() => setAt(index)}
                onClick={() => run(command)}
                onKeyDown={onKeyDown}
              >
                <NamedIcon name={command.icon} />
                <span className="dots palette-name">{command.label}</span>
                {command.hint && <span className="menu-item-end">{command.hint}</span>}
              </div>
            </div>
          ))}
          {commands.length === 0 && <p className="mut centred palette-none">{t('Nothing found')}</p>}
        </div>
      </div>
    </Dialog>
  );
}
