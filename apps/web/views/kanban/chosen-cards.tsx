import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import {
  type Arch,
  archiveRecords,
  Button,
  createStore,
  IconButton,
  isTyping,
  openExport,
  removeRecords,
  SelectionButtons,
  type Store,
  t,
  tn,
  useStorePart,
  type WorkspacePayload,
} from '../../door/index.ts';

interface ChosenCards {
  readonly ids: Store<ReadonlySet<number>>;
  toggle(id: number): void;
  drop(gone: ReadonlySet<number>): void;
  clear(): void;
}

const none: ReadonlySet<number> = new Set();
const Chosen = createContext<ChosenCards | null>(null);
export const ChosenProvider = Chosen.Provider;

/** The selected cards; another search starts empty. Null if there is no action on several cards. */
export function useChosenCards(arch: Arch, searchKey: string): ChosenCards | null {
  const { header, rights, hasActive } = arch;
  const isUseful = header.buttons.some(({ type }) => type !== 'client') || rights.unlink || (hasActive && rights.write);
  const [ids] = useState(() => createStore(none));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search, other cards.
  useEffect(() => ids.set(none), [ids, searchKey]);
  return useMemo(() => {
    if (!isUseful) return null;
    const toggle = (id: number) =>
      ids.set((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
    const drop = (gone: ReadonlySet<number>) => ids.set((now) => new Set([...now].filter((id) => !gone.has(id))));
    return { ids, toggle, drop, clear: () => ids.set(none) };
  }, [ids, isUseful]);
}

interface CardChoice {
  readonly isChosen: boolean;
  readonly toggle: (() => void) | null;
}

export function useCardChoice(id: number): CardChoice {
  const chosen = useContext(Chosen);
  const isChosen = useStorePart(chosen?.ids ?? nothing, (ids) => ids.has(id));
  return { isChosen, toggle: chosen && (() => chosen.toggle(id)) };
}

const nothing = createStore(none);

interface ChosenBarProps {
  readonly workspace: WorkspacePayload;
  readonly ids: readonly number[];
  readonly onClear: () => void;
}

/** Actions on the selected cards, in place of the toolbar. */
export function ChosenBar({ workspace, ids, onClear }: ChosenBarProps) {
  const { arch } = workspace;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event)) return;
      if (!document.querySelector('dialog[open]')) onClear();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [onClear]);
  const run = (change: typeof removeRecords) => () => {
    change(workspace, ids);
    onClear();
  };
  return (
    <div className="bar tinted kanban-chosen" role="toolbar" aria-label={t('Selection')}>
      <h1 className="sr-only">{arch.title}</h1>
      <IconButton icon="x" label={t('Clear selection')} onClick={onClear} />
      <b role="status">{tn('{n} selected', '{n} selected', ids.length)}</b>
      <div className="row push rigid bar-end">
        <SelectionButtons workspace={workspace} ids={ids} buttons={arch.header.buttons} />
        {arch.rights.write && arch.hasActive && (
          <Button icon="archive" onClick={run(archiveRecords)}>
            {t('Archive')}
          </Button>
        )}
        <Button icon="download" onClick={() => openExport(workspace, [], ids)}>
          {t('Export')}
        </Button>
        {arch.rights.unlink && (
          <Button icon="trash-2" onClick={run(removeRecords)}>
            {t('Delete')}
          </Button>
        )}
      </div>
    </div>
  );
}
