import type { Arch } from '@kontor/protocol';
import { useMemo } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { createStore, useStore } from '../../state/store.ts';
import { arrangeColumns, type Column, type ColumnChoice, noChoice } from './columns.ts';

/** Choices made on this page, by the key of the screen; until then those that the server keeps. */
const choices = createStore<Readonly<Record<string, ColumnChoice>>>({});

export interface Columns {
  readonly all: readonly Column[];
  readonly shown: readonly Column[];
  toggle(name: string): void;
  resize(name: string, width: number): void;
  move(name: string, steps: number): void;
  reset(): void;
}

/** The columns of a list as its user wants them; changes are kept on the server. */
export function useColumns(arch: Arch): Columns {
  const key = arch.key ?? arch.model;
  const choice = useStore(choices)[key] ?? arch.columns ?? noChoice;
  return useMemo(() => {
    const all = arrangeColumns(arch, choice);
    const shown = all.filter(({ isHidden }) => !isHidden);
    const choose = (change: Partial<ColumnChoice>) => {
      const order = all.map(({ name }) => name);
      const hidden = all.filter(({ isHidden }) => isHidden).map(({ name }) => name);
      keep(key, { order, hidden, widths: choice.widths, ...change });
    };
    return {
      all,
      shown,
      toggle(name) {
        const hidden = all.filter((one) => (one.name === name ? !one.isHidden : one.isHidden)).map((one) => one.name);
        if (hidden.length < all.length) choose({ hidden });
      },
      resize: (name, width) => choose({ widths: { ...choice.widths, [name]: Math.round(width) } }),
      move: (name, steps) => choose({ order: moved(all, shown, name, steps) }),
      reset: () => keep(key, noChoice),
    };
  }, [arch, choice, key]);
}

function keep(key: string, choice: ColumnChoice): void {
  choices.set((now) => ({ ...now, [key]: choice }));
  saveSetting(`columns:${key}`, choice);
}

/** Past the next columns that are shown; hidden ones in between do not count as steps. */
function moved(all: readonly Column[], shown: readonly Column[], name: string, steps: number): readonly string[] {
  const names = all.map((one) => one.name);
  const at = shown.findIndex((one) => one.name === name);
  const target = shown[at + steps];
  if (at < 0 || !target) return names;
  const without = names.filter((one) => one !== name);
  without.splice(without.indexOf(target.name) + (steps > 0 ? 1 : 0), 0, name);
  return without;
}
