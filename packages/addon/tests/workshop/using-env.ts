import { type Env, inNameOf } from '@kontor/addon';

export async function search(env: Env) {
  return env.model('workshop.repair').search([['state', '=', 'asked']], { order: '-date_due', limit: 10, offset: 0 });
}

export async function count(env: Env) {
  return env.model('workshop.bike').count(['|', ['is_electric', '=', true], ['owner_id.city', 'ilike', 'oslo']]);
}

export async function searchRead(env: Env) {
  const lines = { line_ids: ['part_id', 'quantity'] } as const;
  return env.model('workshop.repair').searchRead([['state', '!=', 'off']], ['name', 'bike_id.name', lines]);
}

export async function read(env: Env, id: number) {
  const [repair] = await env.model('workshop.repair').read([id], ['name', 'total', 'bike_id']);
  return repair?.total.plus(10);
}

export async function readGroup(env: Env) {
  return env.model('workshop.repair').readGroup({
    domain: [['state', '=', 'done']],
    groupby: ['mechanic_id', 'finished_at:month'],
    fields: [{ name: 'money', field: 'total', measure: 'sum' }],
    order: '-money',
  });
}

export async function load(env: Env, id: number) {
  const [repair] = await env.model('workshop.repair').load([id], ['bike_id.owner_id.name', 'line_ids.part_id.price']);
  return repair?.line_ids.map((line) => line.part_id.price);
}

export async function create(env: Env, bikeId: number) {
  return env.model('workshop.repair').create({ bike_id: bikeId, problem: 'The chain jumps.' });
}

export async function createMany(env: Env, ownerId: number) {
  return env.model('workshop.bike').createMany([
    { name: 'Red one', owner_id: ownerId, tag_ids: [['create', { name: 'Loud' }]] },
    { name: 'Blue one', owner_id: ownerId },
  ]);
}

export async function write(env: Env, id: number, partId: number) {
  return env.model('workshop.repair').write([id], { line_ids: [['create', { part_id: partId, quantity: 2 }]] });
}

export async function copy(env: Env, id: number) {
  return env.model('workshop.repair').copy(id, { problem: 'The same again.' });
}

export async function call(env: Env, id: number) {
  await env.model('workshop.repair').call([id], 'start');
  return env.model('workshop.repair').call([id], 'postpone', { day: '2030-01-01' });
}

export async function unlink(env: Env, id: number) {
  return env.model('workshop.repair').unlink([id]);
}

export async function ref(env: Env) {
  return env.model('workshop.stage').read([await env.ref('workshop.stage_asked')], ['name']);
}

export async function sudo(env: Env) {
  // Everyone may know how many bikes there are, whoever's they are.
  return env.sudo().model('workshop.bike').count();
}

export async function as(env: Env, userId: number) {
  const theirs = await inNameOf(env, userId);
  return theirs ? env.as(theirs.actor).model('workshop.bike').count() : 0;
}

export async function model(env: Env) {
  return env.model('workshop.part').search();
}

export function uid(env: Env) {
  return env.model('workshop.repair').count([['mechanic_id', '=', env.uid]]);
}

export function actor(env: Env) {
  return env.actor.groups.has('base.group_system') && env.actor.lang === 'en_US';
}

export function now(env: Env) {
  return env.now.toISOString();
}

export function registry(env: Env) {
  return env.registry.model('workshop.bike').fields.get('name')?.label;
}

export function isSudo(env: Env) {
  return env.isSudo || env.actor.groups.has('base.group_system');
}

export function isOutside(env: Env) {
  return env.isOutside ? 'a person or a program' : 'server code';
}

export function db(env: Env) {
  return env.db.statements;
}

export function policy(env: Env) {
  return (env.policy.rules.get('workshop.bike') ?? []).length;
}

export function work(env: Env) {
  return env.work.changes.map(({ model: name, id, operation }) => `${operation} ${name} ${id}`);
}

export function scope(env: Env) {
  return env.scope === null ? 'everything that the person may do' : 'what the API key covers';
}

export function inLanguage(env: Env) {
  return env.inLanguage('de_DE').registry.model('workshop.bike').label;
}

export function visiting(env: Env, ownerId: number) {
  const domain = [['bike_id.owner_id', '=', ownerId]] as const;
  const reads = new Map([['workshop.repair', { domain, fields: new Set(['name']) }]]);
  const visitor = env.visiting({ companyIds: [1], lang: 'de_DE', tz: 'UTC', reads });
  return visitor.model('workshop.repair').searchRead([], ['name']);
}
