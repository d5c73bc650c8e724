import { type Kernel, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { dateIn, text } from '@kontor/protocol';
import type { WorkspaceCaller } from '@kontor/workspace';
import { fontFiles } from '../pdf/font-files.ts';
import { startDrawing } from '../pdf/start-drawing.ts';
import type { TableSpec, TableWords } from '../pdf/table-spec.ts';
import { type Download, fileName } from './download.ts';
import type { ExportQuery } from './export-query.ts';
import { type ExportPlan, planExport } from './plan-export.ts';
import { tableColumns, tableProjection } from './table-columns.ts';

type Caller = Pick<WorkspaceCaller, 'actor' | 'lastWrite'>;

/** Every row that matches, as a table to print, in the person's language. */
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
    tz: env.actor.tz,
    printedAt: env.now.toISOString(),
    words: tableWords(env),
  };
}

/** A sign that no text has, to find where the numbers go. */
const mark = '\ue000';

function tableWords(env: Env): TableWords {
  const { say } = wordsIn(env, env.actor.lang, 'base');
  const [before = '', between = '', after = ''] = say(
    text('Page {page} of {pages}', { page: mark, pages: mark }),
  ).split(mark);
  return { yes: say('Yes'), no: say('No'), page: [before, between, after] };
}
