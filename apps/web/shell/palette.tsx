import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { loadMenuPlaces, menuPlaces } from '../data/menus.ts';
import { t } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NamedIcon } from '../ui/icon.tsx';
import { takeTypedAhead } from './overlay.ts';
import { type Command, commandsFor, useFoundRecords, useRecentRecords } from './palette-commands.ts';

/** The command palette (Ctrl/Cmd+K): finds menus, commands and records. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(takeTypedAhead);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const commands = useCommands(text);
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
          className="full large no-border lined bare pad-0 pad-x-4 palette-input"
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
            <Option
              key={command.key}
              {...{ command, index, onKeyDown }}
              isFirst={command.section !== commands[index - 1]?.section}
              isChosen={index === chosen}
              onPoint={() => setAt(index)}
              onRun={() => run(command)}
            />
          ))}
          {commands.length === 0 && <p className="mut centred pad-5">{t('Nothing found')}</p>}
        </div>
      </div>
    </Dialog>
  );
}

/** Matching menus, commands and records, without duplicates. */
function useCommands(text: string): readonly Command[] {
  const records = useFoundRecords(text);
  const recent = useRecentRecords();
  useStore(menuPlaces);
  useEffect(() => void loadMenuPlaces(), []);
  const near = commandsFor(text, recent);
  const shown = new Set(near.map(({ key }) => key));
  return [...near, ...records.filter(({ key }) => !shown.has(key))];
}

interface OptionProps {
  readonly command: Command;
  readonly index: number;
  /** Whether it is the first of its section. */
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Option({ command, index, isFirst, isChosen, onPoint, onRun, onKeyDown }: OptionProps) {
  const { section, icon, label, hint } = command;
  return (
    <div role="presentation">
      {isFirst && <div className="menu-head">{section}</div>}
      <div
        id={`palette-${index}`}
        data-index={index}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        className="menu-item"
        onPointerMove={onPoint}
        onClick={onRun}
        onKeyDown={onKeyDown}
      >
        <NamedIcon name={icon} />
        <span className="dots palette-name">{label}</span>
        {hint && <span className="menu-item-end">{hint}</span>}
      </div>
    </div>
  );
}
