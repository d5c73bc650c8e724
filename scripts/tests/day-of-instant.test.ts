import { join } from 'node:path';
import { expect, it } from 'vitest';

const { cutsDay } = (await import(join(import.meta.dirname, '../check/day-of-instant.mjs'))) as {
  cutsDay(text: string): boolean;
};

it('LAN-5 finds the ways to cut the day of UTC out of an instant, and leaves days and other texts alone', () => {
  const cuts = [
    'new Date(x)\n  .toISOString()\n  .slice(0, 10)',
    'row.sent_at.slice(0, 10)',
    "row['start_at'].slice(0, 10)",
    'String(at).slice(0, 10)',
    "message.createdAt?.split('T')[0]",
    'now.toISOString().substring(0, 10)',
    'moment.split("T").at(0)',
  ];
  const others = [
    'toLocalInput(at).slice(0, 10)',
    'name.slice(0, 10)',
    'date.slice(0, 10)',
    "const [day, time] = now.toISOString().split('T')",
    'format(at).length',
  ];
  expect(cuts.filter((text) => !cutsDay(text))).toEqual([]);
  expect(others.filter(cutsDay)).toEqual([]);
});
