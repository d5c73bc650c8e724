import { directionOf, type Kernel, wordsIn } from '@kontor/kernel';
import type { Env, Field } from '@kontor/orm';
import { dateIn, type Projection, text } from '@kontor/protocol';
import type { WorkspaceCaller } from '@kontor/workspace';
import { fontFiles } from '../pdf/font-files.ts';
import { startDrawing } from '../pdf/start-drawing.ts';
import type { TableColumn, TableSpec, TableWords } from '../pdf/table-spec.ts';
import { type Download, fileName } from './download.ts';
import type { ExportQuery } from './export-query.ts';
import { type ExportColumn, type ExportPlan, planExport } from './plan-export.ts';

type Caller = Pick<WorkspaceCaller, 'actor' | 'lastWrite'>;

/** All matching rows as a printable table, in the user's language. */
export async function exportPdf(kernel: Kernel, caller: Caller, query: ExportQuery, download: Download): Promise<void> {
  const { signal } = download;
  const options = { isOutside: true, replica: caller, snapshot: { signal } };
  await kernel.read(caller.actor, (env) => send(kernel, env, query, download), options);
}

async function send(kernel: Kernel, env: Env, query: ExportQuery, download: Download): Promise<void> {
  const plan = await planExport(kernel, env, query, tableProjection);
  const file = { name: fileName(plan.title, 'pdf', dateIn(env.actor.tz, env.now)), type: 'application/pdf' };
  if (query.isTrial) return download.begin(file);
  const parts = plan.reading.jsonParts()[Symbol.asyncIterator]();
  let next = await parts.next();
  const spec = await tableSpec(env, plan, query);
  const drawing = await startDrawing(spec, (bytes) => download.write(bytes));
  const stop = (): void => drawing.stop();
  download.signal.addEventListener('abort', stop);
  try {
    download.begin(file);
    for (; !next.done; next = await parts.next()) await drawing.rows(next.value);
    await drawing.end();
  } finally {
    download.signal.removeEventListener('abort', stop);
    drawing.stop();
  }
}

async function tableSpec(env: Env, { title, columns }: ExportPlan, query: ExportQuery): Promise<TableSpec> {
  const [user] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', env.uid]], ['name']);
  return {
    title,
    author: String(user?.name ?? ''),
    columns: tableColumns(columns),
    pageSize: query.pageSize,
    fonts: fontFiles(),
    lang: env.actor.lang,
    isRightToLeft: directionOf(env.actor.lang) === 'rtl',
    tz: env.actor.tz,
    printedAt: env.now.toISOString(),
    words: tableWords(env),
  };
}

/** A character that no text contains, to find where the numbers go. */
const mark = '\ue000';

export function tableWords(env: Env): TableWords {
  const { say } = wordsIn(env, env.actor.lang, 'base');
  const [before = '', between = '', after = ''] = say(
    text('Page {page} of {pages}', { page: mark, pages: mark }),
  ).split(mark);
  return { yes: say('Yes'), no: say('No'), page: [before, between, after] };
}

/** Readable columns: relations by name, selections by label, money with its currency. */
export function tableColumns(columns: readonly ExportColumn[]): readonly TableColumn[] {
  return columns.map((column) => {
    const { field } = column;
    const { key, inLines } = keyOf(column);
    return {
      label: labelOf(column),
      key,
      inLines,
      kind: field.kind.shownAs,
      scale: scaleOf(field),
      currency: currencyOf(column),
      choices: Object.fromEntries(field.selection ?? []),
    };
  });
}

export function tableProjection(columns: readonly ExportColumn[]): Projection {
  const plain = new Set<string>();
  const nested = new Map<string, Set<string>>();
  for (const column of columns) {
    const { key, inLines } = keyOf(column);
    const currency = currencyOf(column);
    if (inLines === null) plain.add(key);
    else nested.set(key, (nested.get(key) ?? new Set()).add(inLines));
    if (currency !== null && inLines === null) plain.add(currency);
    else if (currency !== null) nested.get(key)?.add(currency);
  }
  const lines = [...nested].map(([key, names]) => [key, [...names]] as const);
  return lines.length === 0 ? [...plain] : [...plain, Object.fromEntries(lines)];
}

/** For relations, their names. */
function keyOf({ path, lines, field }: ExportColumn): { readonly key: string; readonly inLines: string | null } {
  const isOne = field.kind.isToOne;
  if (lines !== null) return { key: lines, inLines: isOne ? `${field.name}.display_name` : field.name };
  if (field.kind.isList) return { key: path, inLines: 'display_name' };
  return { key: isOne ? `${path}.display_name` : path, inLines: null };
}

/** The key of the currency code, in the record or, for a list, in each of its records. */
function currencyOf({ field, model, prefix, lines }: ExportColumn): string | null {
  if (!field.kind.isMoney) return null;
  const name = field.spec.currency ?? 'currency_id';
  if (!model.fields.get(name)?.kind.isToOne) return null;
  return `${lines === null ? prefix : ''}${name}.display_name`;
}

/** `Customer / Country`; a display name is labelled by its record. */
function labelOf({ labels, field }: ExportColumn): string {
  const shown = labels.length > 1 && field.name === 'display_name' ? labels.slice(0, -1) : labels;
  return shown.join(' / ');
}

function scaleOf({ kind, spec }: Field): number | null {
  if (kind.isWhole) return 0;
  return kind.isExact && !kind.isMoney ? (spec.precision?.[1] ?? null) : null;
}
