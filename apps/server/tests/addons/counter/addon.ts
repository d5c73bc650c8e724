import { defineAddon, type RouteRequest, UserError } from '@kontor/addon';

const names = (env: RouteRequest['env']) => env.model('core.partner').searchRead([], ['name'], { order: 'id' });

export default defineAddon({
  routes: [
    {
      method: 'GET',
      path: '/counter/echo/:word',
      auth: 'none',
      handler: ({ params, query }) => ({ body: { ...params, query } }),
    },
    {
      method: 'GET',
      path: '/counter/text',
      auth: 'none',
      handler: () => ({ status: 202, body: 'plain', headers: { 'x-own': '1' } }),
    },
    { method: 'GET', path: '/counter/bytes', auth: 'none', handler: () => ({ body: new Uint8Array([1, 2, 3]) }) },
    { method: 'POST', path: '/counter/nothing', auth: 'none', handler: () => ({ status: 204 }) },
    {
      method: 'POST',
      path: '/counter/body',
      auth: 'none',
      handler: ({ body, headers }) => ({
        body: { body, type: headers['content-type'], hook: headers.authorization ?? null },
      }),
    },
    { method: 'GET', path: '/counter/peek', auth: 'none', handler: async ({ env }) => ({ body: await names(env) }) },
    {
      method: 'GET',
      path: '/counter/names',
      auth: 'session',
      handler: async ({ env }) => ({ body: { uid: env.uid, names: await names(env) } }),
    },
    {
      method: 'GET',
      path: '/counter/write-in-get',
      auth: 'session',
      handler: async ({ env }) => ({ body: await env.model('core.partner').create({ name: 'never' }) }),
    },
    {
      method: 'POST',
      path: '/counter/names',
      auth: 'session',
      handler: async ({ env, body }) => {
        const { name, fail } = body as { name: string; fail?: string };
        const id = await env.model('core.partner').create({ name });
        if (fail) throw new UserError('Taken back.');
        return { status: 201, body: { id } };
      },
    },
    { method: 'PUT', path: '/counter/names', auth: 'apikey', handler: async ({ env }) => ({ body: { uid: env.uid } }) },
    {
      method: 'GET',
      path: '/counter/keyed',
      auth: 'apikey',
      handler: async ({ env, headers }) => ({ body: { uid: env.uid, headers } }),
    },
    {
      method: 'GET',
      path: '/counter/crash',
      auth: 'none',
      handler: () => {
        throw new Error('crashed with token=topsecret');
      },
    },
    { method: 'GET', path: '/api/rpc', auth: 'none', handler: () => ({ body: 'taken over' }) },
    { method: 'POST', path: '/web/login', auth: 'none', handler: () => ({ body: 'taken over' }) },
    { method: 'GET', path: '/counter/text', auth: 'none', handler: () => ({ body: 'twice' }) },
  ],
});
