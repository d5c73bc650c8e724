import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** Why a file may cut the day out of an instant. */
const allowed = {
  'packages/protocol/calendar.ts': 'the one place where milliseconds become a day',
  'addons/calendar/client/meeting-time.tsx': 'whole days are days of UTC',
  'apps/web/workspace/planning/zone-clock.ts': 'a local time',
  'packages/create-kontor/starter/client/days-field.tsx': 'the browser has no clock of the door yet',
};

/** The first ten characters of an instant are its day in UTC: which day it is depends on a zone, and `dateIn` asks for it. */
export function dayProblems() {
  const files = sourceFiles('packages', 'apps', 'addons').filter(
    (file) => /\.tsx?$/.test(file) && !/\/tests\/|\.test(-d)?\.tsx?$|^packages\/testing\//.test(file),
  );
  return files.flatMap((file) => {
    const found = /toISOString\(\)\s*\.slice\(0, 10\)/.test(readFileSync(`${root}/${file}`, 'utf8'));
    if (found && !(file in allowed)) return [`${file}: use dateIn(tz, instant) for the day of an instant`];
    return !found && file in allowed ? [`${file}: cuts no day out of an instant, take it off the list`] : [];
  });
}
