import type { Arch } from '@kontor/protocol';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { createStore, type Store, useStorePart } from '../../state/store.ts';

export interface ChosenCards {
  readonly ids: Store<ReadonlySet<number>>;
  toggle(id: number): void;
  clear(): void;
}

const none: ReadonlySet<number> = new Set();
const Chosen = createContext<ChosenCards | null>(null);
export const ChosenProvider = Chosen.Provider;

/** Cards that buttons are pressed for; another search starts with none. Null: there is nothing to do with several. */
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
    return { ids, toggle, clear: () => ids.set(none) };
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
