import {
  defineAddon,
  defineQueue,
  KontorError,
  outsideRequests,
  publish,
  type RouteRequest,
  tellPerson,
  text,
} from '@kontor/addon';
import { workshopBike, workshopTag } from './models/bike.ts';
import { workshopLabel } from './models/label.ts';
import { workshopLine, workshopPart } from './models/line.ts';
import { workshopRepair } from './models/repair.ts';
import { partnerBikes, workshopSettings } from './models/settings.ts';
import { workshopStage, workshopTeam } from './models/team.ts';
import { workshopCount, workshopLog, workshopSeat, workshopTour } from './models/tour.ts';
import { workshopWish } from './models/wish.ts';
import { readyText } from './tell-owner.ts';

export type * from './models/bike.ts';
export type * from './models/label.ts';
export type * from './models/repair.ts';

const lateNotice = { name: 'workshop.late', label: text('A repair is late'), usual: 'client', isUrgent: true } as const;

export default defineAddon({
  models: [
    workshopTag,
    workshopBike,
    workshopTeam,
    workshopStage,
    workshopPart,
    workshopRepair,
    workshopLine,
    workshopTour,
    workshopSeat,
    workshopLog,
    workshopCount,
    workshopWish,
    workshopLabel,
    ...workshopSettings,
    partnerBikes,
  ],
  routes: [
    { method: 'GET', path: '/workshop/hours', auth: 'none', handler: ({ lang }) => ({ body: { open: '9–17', lang } }) },
    {
      method: 'POST',
      path: '/workshop/queue',
      auth: 'none',
      cookie: { name: 'workshop_place', path: '/workshop' },
      handler: ({ cookie }) => ({ status: 204, cookie: { value: cookie ?? '1', maxAgeSeconds: 3_600 } }),
    },
    { method: 'GET', path: '/workshop/bike/:id', auth: 'session', handler: showBike },
    {
      method: 'POST',
      path: '/workshop/repair',
      auth: 'apikey',
      handler: async ({ env, body }) => {
        const { bike, problem } = body as { bike: number; problem: string };
        const id = await env.model('workshop.repair').create({ bike_id: bike, problem });
        return { status: 201, headers: { location: `/workshop/repair/${id}` }, body: { id } };
      },
    },
    {
      method: 'POST',
      path: '/workshop/scan',
      auth: 'apikey',
      perMinute: 10,
      largeBody: {
        bytes: 10_000_000,
        admits: async ({ headers }) => {
          if (headers['x-scanner'] !== 'workshop') throw new KontorError('UNAUTHORIZED');
        },
      },
      handler: ({ body }) => ({ body: { bytes: Buffer.isBuffer(body) ? body.length : 0 } }),
    },
  ],
  jobs: [
    {
      name: 'remind',
      run: async ({ env }) => {
        const late = await env
          .model('workshop.repair')
          .load(await env.model('workshop.repair').search([['state', '=', 'work']]), ['name', 'mechanic_id.id']);
        for (const { id, name, mechanic_id: mechanic } of late) {
          if (mechanic === null) continue;
          await tellPerson(env, mechanic.id, lateNotice, () => ({
            title: 'A repair is late',
            body: name,
            about: { model: 'workshop.repair', id, name },
            mail: { paragraphs: [name] },
          }));
        }
      },
    },
    {
      name: 'tidy_up',
      runInSteps: async ({ cronId, step, signal }) => {
        let left = cronId > 0;
        while (left && !signal.aborted) {
          left = await step(async (env) => {
            const old = await env.model('workshop.log').search([], { limit: 100 });
            await env.model('workshop.log').unlink(old);
            return old.length === 100;
          });
        }
      },
    },
  ],
  workers: [
    {
      name: 'mirror',
      models: ['workshop.repair'],
      run: async ({ step, begin, signal }) => {
        const count = await step((env) => env.model('workshop.repair').count());
        begin(async () => {
          if (!signal.aborted && count > 1_000) await step((env) => publish(env, 'workshop.busy', { count }));
        });
      },
    },
  ],
  queues: [
    defineQueue({
      name: 'labels',
      model: 'workshop.label',
      orderKey: ['printer'],
      room: { perProcess: 4, inAll: 8, targets: [{ field: 'printer', most: 1 }] },
      leaseSeconds: 20,
      tries: { most: 5, withinMs: 86_400_000, waitMs: (attempt) => attempt * 10_000 },
      due: async () => [['bike_id.name', '!=', null]],
      states: { waiting: 'waiting', running: 'running', again: 'waiting', done: 'done', dead: 'dead' },
      handover: { field: 'handed_at', unclear: 'unclear' },
      prepare: async (env, { id }) => {
        const [label] = await env.model('workshop.label').load([id], ['printer', 'bike_id.name']);
        if (!label) return { is: 'done', state: 'skipped' };
        await env.model('workshop.label').write([id], { handed_at: env.now.toISOString() });
        return { work: { request: outsideRequests(env), printer: label.printer, text: label.bike_id.name } };
      },
      run: ({ request, printer, text: body }, signal) =>
        request({ url: `https://${printer}.printers.example.com/labels`, body, signal }),
      end: async (env, _row, result) => {
        if (result.kind === 'failure') return { is: 'again', error: result.detail };
        if (result.status === 429) return { is: 'again', at: new Date(env.now.getTime() + 600_000) };
        return result.status < 300 ? { is: 'done' } : { is: 'dead', error: result.text };
      },
    }),
  ],
  migrations: {
    '1.2.0': async ({ env, before, drop }) => {
      for (const { id, first_owner, second_owner } of await before('workshop.bike', ['first_owner', 'second_owner'])) {
        await env
          .model('workshop.bike')
          .write([id], { remark: [first_owner, second_owner].filter(Boolean).join(', ') });
      }
      await drop('workshop.bike', ['first_owner', 'second_owner']);
    },
  },
  hooks: {
    afterInstall: async ({ env }) => {
      await env.model('workshop.team').create({ name: 'Everyone' });
    },
    afterUpgrade: async ({ env }) => {
      await env.model('workshop.team').count();
    },
    beforeUninstall: async ({ env }) => {
      await env.model('workshop.team').count();
    },
  },
  automations: [
    {
      name: 'Tell of cargo bikes',
      model: 'workshop.bike',
      on: 'create',
      domain: [['kind', '=', 'cargo']],
      run: 'publish:workshop.cargo',
    },
    {
      name: 'Tell of repainted bikes',
      model: 'workshop.bike',
      on: 'write',
      before: [['color', '=', 'red']],
      domain: [['color', '!=', 'red']],
      run: 'publish:workshop.repainted',
    },
  ],
  observers: [
    {
      models: 'chatter',
      concerns: ({ model, operation }) => model === 'workshop.repair' && operation === 'create',
      run: async ({ env, changes }) => {
        const made = changes.filter(({ model, operation }) => model === 'workshop.repair' && operation === 'create');
        for (const { id } of made) await publish(env, 'workshop.repair', { id }, { model: 'workshop.repair' });
      },
    },
  ],
  watchers: [
    {
      follows: 'core.company',
      load: async (env) => (await env.model('core.company').count()) > 0,
      concerns: (isWatched, { model, operation }) =>
        isWatched === true && model === 'workshop.repair' && operation === 'unlink',
      run: async ({ env, changes }) => {
        for (const { id } of changes) await publish(env, 'workshop.gone', { id }, { model: 'workshop.repair' });
      },
    },
  ],
  carries: [
    {
      model: 'workshop.tour',
      fields: ['name', 'start', 'stop'],
      leave: async ({ env, id }) => {
        const [tour] = await env.model('workshop.tour').read([id], ['name', 'start', 'stop']);
        return tour ? { values: { name: tour.name, start: tour.start, stop: tour.stop }, modules: [] } : null;
      },
      rename: (values, { model, path, formula, domain }) => ({
        ...values,
        ...(values.of !== undefined && { of: model(String(values.of)), by: path(String(values.by)) }),
        ...(values.sum !== undefined && { sum: formula(String(values.sum)), among: domain(values.among) }),
      }),
    },
  ],
  followed: async ({ env, limit }) => {
    const done = await env
      .model('workshop.repair')
      .searchRead([['state', '=', 'done']], ['name', 'finished_at'], { limit });
    return done.map(({ id, name, finished_at: at }) => ({
      ...{ key: `repair ${id}`, model: 'workshop.repair', id, name, href: `/web?model=workshop.repair&id=${id}` },
      ...{ by: 'Workshop', at: at ?? '', kind: 'change' as const, text: '', changes: [] },
    }));
  },
  texts: [readyText],
  notices: [lateNotice],
  widgets: { pressure: { types: ['decimal'], doc: 'A tyre and how hard it is.' } },
  views: { rack: { label: 'Rack', icon: 'bike', doc: 'Bikes as they hang on the wall.' } },
});

async function showBike({ env, params, query, headers, method, path }: RouteRequest) {
  const id = Number(params.id);
  const [bike] = await env.model('workshop.bike').read([id], ['name', 'owner_city']);
  if (query.as === 'text')
    return { headers: { 'content-type': 'text/plain' }, body: `${method} ${path} ${headers.host ?? ''}` };
  return {
    body: bike,
    printed: { model: 'workshop.bike', ids: [id] },
    exported: { model: 'workshop.bike', ids: [id] },
  };
}
