import type { Arch, FieldNode } from '@kontor/protocol';
import { useMemo } from 'react';
import { saveSetting } from '../../../data/settings.ts';
import { createStore, useStorePart } from '../../../state/store.ts';
import { type GridColumn, gridColumns } from './columns.ts';

/** Columns that were hidden on this page, by the key of their setting; until then as the server says. */
const choices = createStore<Readonly<Record<string, readonly string[]>>>({});

export interface GridColumns {
  readonly shown: readonly GridColumn[];
  readonly optional: readonly GridColumn[];
  isHidden(name: string): boolean;
  toggle(name: string): void;
}

/** The columns of a grid as its user wants them; the choice is kept on the server. */
export function useGridColumns(arch: Arch, node: FieldNode): GridColumns {
  const key = `columns:${arch.key ?? arch.model}/${node.name}`;
  const chosen = useStorePart(choices, (all) => all[key]);
  return useMemo(() => {
    const all = gridColumns(node);
    const optional = all.filter((column) => column.isOptional);
    const hidden = chosen ?? optional.filter((column) => column.node.optional === 'hide').map((column) => column.name);
    return {
      shown: all.filter((column) => !column.isOptional || !hidden.includes(column.name)),
      optional,
      isHidden: (name) => hidden.includes(name),
      toggle(name) {
        const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name];
        choices.set((now) => ({ ...now, [key]: next }));
        saveSetting(key, { hidden: next });
      },
    };
  }, [node, chosen, key]);
}
