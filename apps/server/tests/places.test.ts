import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

describe('places', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env: { KONTOR_MAP_TILES: 'https://tiles.example.com:8443/{z}/{x}/{y}.png' } });
  });
  afterAll(() => server.close());

  it('MAP-11 the host of the tile server, and no other, may send pictures to a page', async () => {
    const page = await server.browser().get('/web/login');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.com:8443;");
    expect(policy.match(/https?:/g)).toHaveLength(1);
  });

  it('MAP-7 cities are found by the beginning of their name in any language, and by area', async () => {
    expect((await server.browser().get('/web/wc/places?q=Wien', { accept: 'application/json' })).status).toBe(401);
    const { browser } = await server.user('Pia Ort');
    const ask = async (query: string) => {
      const answer = await browser.get(`/web/wc/places?${query}`, { accept: 'application/json' });
      const { result } = (await answer.json()) as { result?: readonly { name: string; country: string }[] };
      return { status: answer.status, names: result?.map(({ name, country }) => `${name} ${country}`) };
    };
    expect((await ask('q=m%C3%BCnch')).names?.[0]).toBe('Munich DE');
    expect((await ask('q=flensb')).names).toEqual(['Flensburg DE']);
    expect((await ask('area=47,6,55,15')).names?.slice(0, 2)).toEqual(['Berlin DE', 'Hamburg DE']);
    expect((await ask('area=47,6')).status).toBe(400);
    expect((await ask('')).status).toBe(400);
  });
});
