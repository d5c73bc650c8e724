import { pdfPages } from '@kontor/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { deskAddons } from './desk-addons.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** `double_hours` is worked out from `hours` and stored nowhere. */
let world: TestServer;
let admin: Browser;
let id: number;
const model = 'desk.ticket';

beforeAll(async () => {
  world = await startTestServer({ modules: ['desk'], addonsPath: [deskAddons] });
  admin = await world.signedIn();
  const stage = await admin.rpc('desk.stage', 'create', [{ name: 'New' }]);
  const times = { start_at: '2026-11-14T09:00:00Z', stop_at: '2026-11-14T10:00:00Z' };
  const values = { name: 'Counted', hours: '0.10', stage_id: stage, latitude: 1, longitude: 1, ...times };
  id = await admin.rpc<number>(model, 'create', [values]);
  await showEverywhere();
});
afterAll(() => world.close());

/** Puts the field into every view that shows records. */
async function showEverywhere(): Promise<void> {
  const views = await admin.rpc<{ id: number; type: string; arch: string }[]>('sys.view', 'search_read', [
    [['model', '=', model]],
    ['type', 'arch'],
  ]);
  for (const { id: view, type, arch: xml } of views) {
    if (!['list', 'kanban', 'calendar', 'map'].includes(type)) continue;
    const field = '<field name="double_hours"/>';
    const shown = type === 'kanban' ? xml.replace('<footer>', `${field}<footer>`) : withField(xml, type, field);
    await admin.rpc('sys.view', 'write', [[view], { arch: shown }]);
  }
}

function withField(xml: string, type: string, field: string): string {
  const open = xml.replace(/\/>\s*$/, `></${type}>`);
  return open.replace(`</${type}>`, `${field}</${type}>`);
}

describe('GEN-5 computed fields', () => {
  it('GEN-5 are in what search_read and read answer', async () => {
    const record = { id, double_hours: 0.2 };
    expect(await admin.rpc(model, 'search_read', [[['id', '=', id]], ['double_hours']])).toEqual([record]);
    expect(await admin.rpc(model, 'read', [[id], ['double_hours']])).toEqual([record]);
    const all = ['double_hours', { tag_ids: ['name'] }];
    expect(await admin.rpc(model, 'read', [[id], all])).toEqual([{ ...record, tag_ids: [] }]);
  });

  it('GEN-5 are in what onchange answers, before anything is saved', async () => {
    const { value } = await admin.rpc<{ value: object }>(model, 'onchange', [{ hours: '2.50' }, 'hours']);
    expect(value).toMatchObject({ double_hours: 5 });
  });

  it.each(['list', 'kanban', 'calendar', 'map', 'form'])('GEN-5 are in the records of a %s', async (type) => {
    const more: Record<string, string> = { form: `&id=${id}`, calendar: '&from=2026-11-01&to=2026-12-01' };
    const query = `model=${model}&view_type=${type}${more[type] ?? ''}`;
    const answer = await admin.get(`/web/wc/workspace?${query}`);
    const { records } = (await answer.json()) as { records: object[] };
    expect(records).toEqual([expect.objectContaining({ id, double_hours: 0.2 })]);
  });

  it('GEN-5 are in exports as CSV and PDF', async () => {
    const csv = await (await admin.get(`/web/export/csv?model=${model}&fields=name,double_hours`)).text();
    expect(parse(csv, { bom: true })).toEqual([
      ['name', 'double_hours'],
      ['Counted', '0.2'],
    ]);
    const pdf = await admin.get(`/web/export/pdf?model=${model}&fields=name,double_hours`);
    const text = pdfPages(Buffer.from(await pdf.arrayBuffer())).join('\n');
    expect(text).toContain('Counted\n0.2');
  });
});
