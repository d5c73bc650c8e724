import { useEffect, useState } from 'react';
import { searchRead } from '../../data/rpc.ts';
import { saveSetting } from '../../data/settings.ts';

export const pageSizes = ['a4', 'legal', 'letter'] as const;

/** How a person wants the records of a model. */
export interface ExportChoice {
  readonly format: 'csv' | 'pdf';
  readonly pageSize: (typeof pageSizes)[number];
  /** With ids, so that the file can be imported again; else relations by their names. */
  readonly isForImport: boolean;
  readonly columns: readonly string[];
}

/** What was chosen last time for the model, or what is seen; null until that is known. */
export function useLastChoice(model: string, seen: readonly string[]): ExportChoice | null {
  const [choice, setChoice] = useState<ExportChoice | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens.
  useEffect(() => {
    const first: ExportChoice = { format: 'csv', pageSize: 'a4', isForImport: true, columns: seen };
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
  const { format, pageSize, isForImport, columns } = value as Readonly<Record<string, unknown>>;
  const names = Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : [];
  const size = pageSizes.find((one) => one === pageSize);
  return {
    ...(format === 'csv' || format === 'pdf' ? { format } : {}),
    ...(size ? { pageSize: size } : {}),
    ...(typeof isForImport === 'boolean' ? { isForImport } : {}),
    ...(names.length > 0 ? { columns: names } : {}),
  };
}
