import { type Arch, fieldType } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { searchRead } from '../../data/rpc.ts';
import { saveSetting } from '../../data/settings.ts';

export const pageSizes = ['a4', 'legal', 'letter'] as const;

/** To read, as a workbook or as text; with ids, to import again; or to print. */
export const exportFormats = ['xlsx', 'csv', 'reimport', 'pdf'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A user's export options for a model. */
export interface ExportChoice {
  readonly format: ExportFormat;
  readonly pageSize: (typeof pageSizes)[number];
  readonly columns: readonly string[];
}

/** The last choice for the model, or the visible fields; null until loaded. */
export function useLastChoice(model: string, seen: readonly string[]): ExportChoice | null {
  const [choice, setChoice] = useState<ExportChoice | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens.
  useEffect(() => {
    const first: ExportChoice = { format: 'xlsx', pageSize: 'a4', columns: seen };
    searchRead('sys.user.setting', [['key', '=', keyOf(model)]], ['value'], { limit: 1 }).then(
      ([found]) => setChoice({ ...first, ...readChoice(found?.value) }),
      () => setChoice(first),
    );
  }, []);
  return choice;
}

export function saveChoice(model: string, choice: ExportChoice): void {
  saveSetting(keyOf(model), choice, { delay: 0 });
}

function keyOf(model: string): string {
  return `export:${model}`;
}

function readChoice(value: unknown): Partial<ExportChoice> {
  if (typeof value !== 'object' || value === null) return {};
  const { format, pageSize, columns } = value as Readonly<Record<string, unknown>>;
  const names = Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : [];
  const known = exportFormats.find((one) => one === format);
  const size = pageSizes.find((one) => one === pageSize);
  return {
    ...(known ? { format: known } : {}),
    ...(size ? { pageSize: size } : {}),
    ...(names.length > 0 ? { columns: names } : {}),
  };
}

/** The visible fields: those on a card, or those of a form without its lists. */
export function seenFields({ kanban, fields }: Arch): readonly string[] {
  if (!kanban)
    return fields
      .filter(({ type, name }) => !fieldType(type).isList && name !== 'display_name')
      .map(({ name }) => name);
  const { title, lines, footer } = kanban.card;
  const shown = [title, ...lines, ...footer].map(({ name }) => name);
  return [...new Set(kanban.groupField === null ? shown : [...shown, kanban.groupField])];
}
