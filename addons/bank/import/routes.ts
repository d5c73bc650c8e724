import {
  checkRight,
  type Env,
  KontorError,
  parseMultipart,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  type Text,
  ValidationError,
  type Words,
  wordsIn,
} from '@kontor/addon';
import { type CsvMapping, mappingIn } from '../file/csv-columns.ts';
import { mostBytes } from '../file/statement.ts';
import { confirmCertain } from '../match/confirm.ts';
import { findInvoices, readWork } from '../match/work.ts';
import { takeIn } from './take-in.ts';

/** A form around the file adds some kilobytes. */
const largeBody = { bytes: mostBytes + 100_000, admits: async ({ env }: Pick<RouteRequest, 'env'>) => admit(env) };

/** Bank files, and the screen on which their entries are matched. */
export const bankRoutes: readonly RouteSpec[] = [
  { method: 'POST', path: '/web/bank/upload', auth: 'session', largeBody, handler: upload },
  { method: 'POST', path: '/api/bank/upload', auth: 'apikey', largeBody, handler: upload },
  { method: 'GET', path: '/web/wc/bank/work', auth: 'session', handler: sendWork },
  { method: 'GET', path: '/web/wc/bank/invoices', auth: 'session', handler: sendInvoices },
  { method: 'POST', path: '/web/bank/confirm-certain', auth: 'session', handler: confirmAll },
  { method: 'POST', path: '/api/bank/confirm-certain', auth: 'apikey', handler: confirmAll },
];

/** Files are for people who may confirm what is in them. */
async function admit(env: Env): Promise<void> {
  await checkRight(env, 'bank.entry', [], 'write');
}

/** Answers what became of the file, or what has to be said first: the file is then sent again with it. */
async function upload({ env, headers, body }: RouteRequest): Promise<RouteAnswer> {
  await admit(env);
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type) || !Buffer.isBuffer(body)) {
    throw new KontorError('INVALID_ARGS', 'Send the file as multipart/form-data, in the field file.', {
      field: 'file',
    });
  }
  const { fields, files } = parseMultipart(type, body);
  const file = files.get('file');
  if (!file || file.content.length === 0) throw new ValidationError({ file: ['Choose a file.'] });
  const taken = await takeIn(env, {
    ...{ content: file.content, fileName: plainName(file.name), accountId: idIn(fields.account) },
    mapping: mappingOf(fields.mapping),
    createsAccount: fields.create_account === '1',
  });
  if (!('taken' in taken)) return answer(taken);
  const { say } = wordsIn(env, env.actor.lang, 'bank');
  return answer({ ...taken, warnings: taken.warnings.map((each: Text) => say(each)) });
}

function plainName(name: string): string {
  return (
    name
      .replace(/^.*[/\\]/, '')
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 140) || 'file'
  );
}

function mappingOf(given: string | undefined): CsvMapping | null {
  if (given === undefined || given === '') return null;
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(given);
  } catch {
    // Refused below.
  }
  const mapping = mappingIn(parsed);
  if (mapping === null) throw new KontorError('INVALID_ARGS', 'The mapping is not valid.', { field: 'mapping' });
  return mapping;
}

function idIn(given: string | undefined): number | null {
  if (given === undefined || given === '') return null;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new KontorError('INVALID_ARGS', 'account is an id.', { field: 'account' });
  return Number(given);
}

const mostShown = 500;
const usualPage = 100;

async function sendWork({ env, query }: RouteRequest): Promise<RouteAnswer> {
  const state = one(query.state) ?? 'open';
  if (state !== 'open' && state !== 'matched' && state !== 'aside') {
    throw new KontorError('INVALID_ARGS', 'state is open, matched or aside.', { field: 'state' });
  }
  const limit = Math.min(mostShown, idIn(one(query.limit)) ?? usualPage);
  return { body: await readWork(env, { state, accountId: idIn(one(query.account)), limit }) };
}

const longestText = 100;

async function sendInvoices({ env, query }: RouteRequest): Promise<RouteAnswer> {
  const entryId = idIn(one(query.entry));
  if (entryId === null) throw new KontorError('INVALID_ARGS', 'entry is an id.', { field: 'entry' });
  return { body: { invoices: await findInvoices(env, entryId, (one(query.q) ?? '').trim().slice(0, longestText)) } };
}

const mostAtOnce = 500;

async function confirmAll({ env, body }: RouteRequest): Promise<RouteAnswer> {
  const { ids } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 2 ** 31;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > mostAtOnce || !ids.every(isId)) {
    throw new KontorError('INVALID_ARGS', `ids names 1 to ${mostAtOnce} entries.`, { field: 'ids' });
  }
  await checkRight(env, 'bank.entry', ids, 'write');
  const { confirmed, problems } = await confirmCertain(env, ids);
  const { say } = wordsIn(env, env.actor.lang, 'bank');
  return answer({
    confirmed,
    problems: problems.map(({ id, message }) => ({ id, message: say(message.words as Words as Text) })),
  });
}

function one(given: string | readonly string[] | undefined): string | undefined {
  return typeof given === 'string' ? given : given?.[0];
}

function answer(result: unknown): RouteAnswer {
  return { body: { ok: true, result, error: null } };
}
