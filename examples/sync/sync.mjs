import { readFileSync } from 'node:fs';
import { ConflictError, createClient, NotFoundError } from '@kontor/rpc';
import { openStore } from './store.mjs';

/** Keeps the lines of a file and records of Kontor the same, both ways: node sync.mjs sync.json */
const settings = JSON.parse(readFileSync(process.argv[2] ?? 'sync.json', 'utf8'));
const { url, model, domain, fields, always = {}, prefix, store: file } = settings;
const kontor = createClient({ url, key: process.env.KONTOR_KEY });
const records = kontor.model(model);
const store = openStore(file);
const atOnce = 500;

/** For whoever watches, and for the test, which kills it in between. */
const say = (...words) => console.log(...words);
const valuesOf = (record) => Object.fromEntries(fields.map((name) => [name, record[name] ?? null]));
const isSame = (left, right) => JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
const changedOf = ({ values, base }) => fields.filter((name) => !isSame(values[name], base?.[name]));
const nameOf = (key) => `${prefix}.${key}`;

if (store.cursor === null) await begin();
do await pull();
while (await push());
store.tidy();
say('done', store.rows.size, 'lines', store.conflicts.length, 'conflicts');

/** The cursor comes first, so that what changes while all records are read is not missed. */
async function begin() {
  const cursor = await kontor.cursor();
  const seen = new Set();
  let page = [];
  const keep = async () => {
    await take(page);
    say('read', page.length);
    page = [];
  };
  for await (const record of records.all(domain, fields)) {
    seen.add(record.id);
    if (page.push(record) === atOnce) await keep();
  }
  await keep();
  const gone = [...store.rows.values()].filter(({ id }) => id && !seen.has(id));
  store.append([...gone.map(({ key }) => ({ drop: key })), { cursor }]);
}

/** Puts records of Kontor into the file, with other lines in the same piece. */
async function take(found, others = []) {
  const strangers = found.filter(({ id }) => !store.rowOf(id)).map(({ id }) => id);
  const keys = await keysOf(strangers);
  store.append([...found.map((record) => toLine(record, keys.get(record.id))), ...others]);
}

/** Lines whose records were made by a call that was killed before its answer came: by the names that it gave them. */
async function keysOf(ids) {
  const keys = new Map();
  const about = [
    ['model', '=', model],
    ['res_id', 'in', ids],
  ];
  for (let offset = 0, named = []; ids.length > 0 && (offset === 0 || named.length === atOnce); offset += atOnce) {
    named = await kontor.model('sys.external.id').searchRead(about, ['external_id', 'res_id'], { offset });
    for (const { external_id: name, res_id: id } of named) {
      if (name.startsWith(`${prefix}.`)) keys.set(id, name.slice(prefix.length + 1));
    }
  }
  return keys;
}

/** What Kontor has, with what was changed here since both were the same. */
function toLine(record, key = `k${record.id}`) {
  const theirs = valuesOf(record);
  const row = store.rowOf(record.id) ?? store.rows.get(key);
  if (!row) return { put: { key, id: record.id, values: theirs, base: theirs } };
  const mine = changedOf(row);
  const values = { ...theirs };
  const both = [];
  for (const name of mine) {
    const isTheirs = !isSame(theirs[name], row.base?.[name]);
    if (!isTheirs) values[name] = row.values[name];
    else if (!isSame(theirs[name], row.values[name])) both.push(name);
  }
  const conflict = both.map((field) => ({ key: row.key, field, theirs: theirs[field], ours: row.values[field] }));
  return {
    put: { ...row, id: record.id, values, base: theirs },
    ...(conflict.length > 0 ? { conflict } : {}),
  };
}

async function pull() {
  try {
    for await (const { changes, cursor } of kontor.follow(store.cursor, [model], { untilQuiet: true })) {
      const theirs = changes.filter(({ changeSet }) => !store.changeSets.has(changeSet));
      await look(
        theirs.map(({ id }) => id),
        [{ cursor }],
      );
      say('pulled', changes.length);
    }
  } catch (error) {
    // The cursor is too old, or of a database that was restored since.
    if (!(error instanceof ConflictError) || error.reason === null) throw error;
    await begin();
  }
}

/** Reads records again; those that are not found are gone. */
async function look(given, others = []) {
  const ids = [...new Set(given)];
  const found = ids.length === 0 ? [] : await records.searchRead([...domain, ['id', 'in', ids]], fields);
  const there = new Set(found.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id)).flatMap((id) => store.rowOf(id) ?? []);
  await take(found, [...gone.map(({ key }) => ({ drop: key })), ...others]);
}

/** True where something was sent: what others did meanwhile may have to be looked at again. */
async function push() {
  const rows = [...store.rows.values()];
  const fresh = rows.filter(({ id, isGone }) => !id && !isGone);
  const gone = rows.filter(({ isGone }) => isGone);
  const changed = rows.filter((row) => row.id && !row.isGone && changedOf(row).length > 0);
  for (const some of inParts(fresh)) await create(some);
  for (const some of inParts(changed)) await write(some);
  for (const some of inParts(gone)) await unlink(some);
  return fresh.length + gone.length + changed.length > 0;
}

/** A call that was repeated after a kill finds its records by their names, and makes none twice. */
async function create(rows) {
  const { result: ids, changeSet } = await records.receipt.createMany(
    rows.map(({ values }) => ({ ...always, ...values })),
    { externalIds: rows.map(({ key }) => nameOf(key)), upsert: true },
  );
  const lines = rows.map((row, index) => ({ put: { ...row, id: ids[index], base: row.values } }));
  store.append([...lines, { changeSet }]);
  say('created', rows.length);
}

async function write(rows) {
  const each = rows.map((row) => {
    const pick = (from) => Object.fromEntries(changedOf(row).map((name) => [name, from?.[name] ?? null]));
    return { id: row.id, values: pick(row.values), base: pick(row.base) };
  });
  try {
    const { changeSet } = await records.receipt.writeEach(each);
    store.append([...rows.map((row) => ({ put: { ...row, base: row.values } })), { changeSet }]);
    say('wrote', rows.length);
  } catch (error) {
    const lost = error instanceof ConflictError ? [error.id] : error instanceof NotFoundError ? error.missingIds : [];
    if (lost.length === 0) throw error;
    // Somebody was faster: what they wrote is taken first, and the others go on without it.
    await look(lost);
    const rest = rows.filter(({ id }) => !lost.includes(id));
    if (rest.length > 0) await write(rest);
  }
}

async function unlink(given) {
  const unknown = given.filter(({ id }) => !id).map(({ key }) => nameOf(key));
  const found = unknown.length === 0 ? new Map() : await records.byExternalId(unknown);
  const all = given.map((row) => ({ ...row, id: row.id ?? found.get(nameOf(row.key)) }));
  store.append(all.filter(({ id }) => !id).map(({ key }) => ({ drop: key })));
  const rows = all.filter(({ id }) => id);
  if (rows.length === 0) return;
  try {
    const { changeSet } = await records.receipt.unlink(rows.map(({ id }) => id));
    store.append([...rows.map(({ key }) => ({ drop: key })), { changeSet }]);
    say('deleted', rows.length);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const missing = new Set(error.missingIds);
    store.append(rows.filter(({ id }) => missing.has(id)).map(({ key }) => ({ drop: key })));
    const rest = rows.filter(({ id }) => !missing.has(id));
    if (rest.length > 0) await unlink(rest);
  }
}

function inParts(rows) {
  return Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, at) => rows.slice(at * atOnce, (at + 1) * atOnce));
}
