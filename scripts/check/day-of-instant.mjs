import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** Why a file may cut the day out of an instant. */
const allowed = {
  'packages/protocol/calendar.ts': 'the one place where milliseconds become a day',
  'packages/workspace/day/due-items.ts': 'a day, or the whole days of UTC',
};

const cut = /\s*\.(?:slice\(0, 10\)|substr(?:ing)?\(0, 10\)|split\((['"`])T\1\)(?:\[0\]|\.at\(0\)|\.shift\(\)))/;
/** What is an instant by its name: `toISOString()`, `row.sent_at`, `String(at)`. */
const instant =
  /(?:\bto(?:ISOString|JSON)\(\)|(?:\b(?:at|now|instant|moment|timestamp)|\w(?:_at|_time|At|Time))\b['"\]!?)]*)/;
const dayOfInstant = new RegExp(instant.source + cut.source);

/** The first ten characters of an instant are its day in UTC: which day it is depends on a zone, and `dateIn` asks for it. */
export function dayProblems() {
  const files = sourceFiles('packages', 'apps', 'addons', 'examples').filter(
    (file) => /\.(?:tsx?|mjs)$/.test(file) && !/\/tests\/|\.test(-d)?\.tsx?$|^packages\/testing\//.test(file),
  );
  return files.flatMap((file) => {
    const found = cutsDay(readFileSync(`${root}/${file}`, 'utf8'));
    if (found && !(file in allowed)) return [`${file}: use dateIn(tz, instant) for the day of an instant`];
    return !found && file in allowed ? [`${file}: cuts no day out of an instant, take it off the list`] : [];
  });
}

/** A time of a zone (`toLocalInput(at)`) has its own day. */
export function cutsDay(text) {
  return dayOfInstant.test(text.replaceAll(/\btoLocal(?:Input)?\([^()]*\)/g, 'local'));
}
