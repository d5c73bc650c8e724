import { defineModel, fields } from '@kontor/orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moduleWorld } from './module-world.ts';

const meeting = defineModel('plan.meeting', {
  label: 'Meeting',
  order: 'id',
  fields: {
    name: fields.char({ required: true }),
    day: fields.date({}),
    starts: fields.datetime({}),
  },
});

const xml = (given: string) =>
  `<data><record id="m" model="plan.meeting"><field name="name">M</field>${given}</record></data>`;

describe('dates relative to the day of the load', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('MOD-3 count days, weeks, months and hours from now, in XML and in CSV', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-31T15:30:00Z'), toFake: ['Date'] });
    const world = await moduleWorld();
    world.write(
      'plan',
      {
        'data/1.xml': xml('<field name="day" today="-1m"/><field name="starts" now="+3d 09:00"/>'),
        'data/2-plan.meeting.csv': 'id,name,day:today,starts:now\na,A,-3,-2h\nb,B,+2w,08:15\nc,C,,\n',
      },
      { models: [meeting] },
    );
    const { registry } = await world.install(['plan']);
    const rows = await world.env(registry).model('plan.meeting').searchRead([], ['day', 'starts']);
    expect(rows.map(({ day, starts }) => [day, starts])).toEqual([
      ['2026-02-28', '2026-04-03T09:00:00.000Z'],
      ['2026-03-28', '2026-03-31T13:30:00.000Z'],
      ['2026-04-14', '2026-03-31T08:15:00.000Z'],
      [null, null],
    ]);
  });

  it('MOD-3 say when a record was made, and an upgrade does not make it anew', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-31T15:30:00Z'), toFake: ['Date'] });
    const world = await moduleWorld();
    const made = '<field name="create_date" now="-400d 08:00"/>';
    world.write('plan', { 'data/1.xml': xml(made) }, { models: [meeting] });
    await world.install(['plan']);
    vi.useFakeTimers({ now: new Date('2026-05-01T10:00:00Z'), toFake: ['Date'] });
    world.write('plan', { 'data/1.xml': xml(`${made}<field name="day" today="0"/>`) }, { models: [meeting] });
    const { registry } = await world.upgrade(['plan']);
    const rows = await world.env(registry).model('plan.meeting').searchRead([], ['create_date', 'day']);
    expect(rows).toMatchObject([{ create_date: '2025-02-24T08:00:00.000Z', day: '2026-05-01' }]);
  });

  it('MOD-3 are not news on another day', async () => {
    const world = await moduleWorld();
    world.write('plan', { 'data/1.xml': xml('<field name="day" today="0"/>') }, { models: [meeting] });
    await world.install(['plan']);
    vi.useFakeTimers({ now: Date.now() + 5 * 86_400_000, toFake: ['Date'] });
    const { reports } = await world.upgrade(['plan']);
    expect(reports).toMatchObject([{ module: 'plan', created: 0, updated: 0 }]);
  });

  it.each([
    ['<field name="day" today="soon"/>', 'plan.meeting.day: Use -3, +2w or -1m, not "soon".'],
    ['<field name="day" today="-2h"/>', 'Use -3, +2w or -1m, not "-2h".'],
    ['<field name="starts" now="-1d 25:00"/>', '25:00 is not a time of day.'],
    ['<field name="starts" today="-1"/>', '"today" is for a date, not a datetime.'],
    ['<field name="day" today="-1" eval="null"/>', '"day" has two values'],
  ])('MOD-3 a mistake in %s is told', async (given, message) => {
    const world = await moduleWorld();
    world.write('plan', { 'data/1.xml': xml(given) }, { models: [meeting] });
    await expect(world.install(['plan'])).rejects.toThrow(message);
  });
});
