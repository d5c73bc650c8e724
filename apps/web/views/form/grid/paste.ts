import { parseCell, parseTable } from '../../../data/form/paste-lines.ts';
import { searchRead, type Values } from '../../../data/rpc.ts';
import { announce, showToast } from '../../../data/toasts.ts';
import { tn } from '../../../i18n/messages.ts';
import type { GridColumn } from './columns.ts';
import type { CellPlace, GridContext } from './grid-context.ts';

/** Rows of a spreadsheet over the lines from the active cell on, and into new ones after the last. */
export async function pasteLines(text: string, grid: GridContext, active: CellPlace | null): Promise<void> {
  const rows = parseTable(text);
  const columns = grid.columns.slice(active?.column ?? 0);
  const lines = grid.actions.lines();
  const start = active?.row ?? lines.length;
  const names = await lookUpNames(rows, columns);
  let lost = 0;
  rows.forEach((cells, at) => {
    const values: Record<string, unknown> = {};
    cells.forEach((cell, index) => {
      const column = columns[index];
      if (!column || column.field.readonly) return;
      const found = valuesOf(column, cell, names);
      if (found) Object.assign(values, found);
      else lost++;
    });
    const line = lines[start + at];
    if (line && !line.isNew && !grid.canWrite) lost += cells.length;
    else if (line) grid.actions.change(line.key, values);
    else grid.actions.add(values);
  });
  announce(tn('{n} row pasted', '{n} rows pasted', rows.length));
  if (lost > 0) {
    showToast({ kind: 'info', title: tn('{n} cell was not understood', '{n} cells were not understood', lost) });
  }
}

type Names = ReadonlyMap<string, ReadonlyMap<string, { readonly id: number; readonly name: string }>>;

function valuesOf({ field, name }: GridColumn, cell: string, names: Names): Values | null {
  if (field.type !== 'many2one') {
    const value = parseCell(field, cell);
    return value === undefined ? null : { [name]: value };
  }
  if (cell.trim() === '') return { [name]: null, [`${name}.display_name`]: null };
  const found = names.get(name)?.get(cell.trim().toLowerCase());
  return found ? { [name]: found.id, [`${name}.display_name`]: found.name } : null;
}

/** All names of a column in one question. */
async function lookUpNames(rows: readonly (readonly string[])[], columns: readonly GridColumn[]): Promise<Names> {
  const names = new Map<string, Map<string, { id: number; name: string }>>();
  await Promise.all(
    columns.map(async ({ field, name }, index) => {
      if (field.type !== 'many2one' || !field.relation) return;
      const wanted = [...new Set(rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== ''))];
      if (wanted.length === 0) return;
      const found = await searchRead(field.relation, [['display_name', 'in', wanted]], ['display_name'], {
        limit: 500,
      }).catch(() => []);
      const byName = found.map((one) => {
        const text = String(one.display_name ?? '');
        return [text.toLowerCase(), { id: one.id, name: text }] as const;
      });
      names.set(name, new Map(byName));
    }),
  );
  return names;
}
