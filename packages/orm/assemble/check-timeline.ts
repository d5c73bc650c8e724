import { conditionsIn, KontorError, parseAuthoredDomain } from '@kontor/protocol';
import type { Model } from '../model/model.ts';
import type { TimelineSpec } from '../model/timeline-spec.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

/** The fields and paths in a model's `timeline` must exist. */
export function checkTimeline({ name, timeline }: Draft, model: Model, table: FieldTable, problems: Problems): void {
  for (const [kind, { module, value }] of timeline) {
    const say = (message: string) => problems.add({ module, model: name }, `timeline ${kind}: ${message}`);
    checkFields(value, model, say);
    checkPlace(value, name, table, say);
    for (const path of [value.title ?? 'id', ...wherePaths(value, say)]) {
      const walked = walkPath(table, name, path.split('.'));
      if (typeof walked === 'string') say(walked);
    }
  }
}

type Say = (message: string) => void;

function checkFields({ date, allDay, shows = [] }: TimelineSpec, { fields }: Model, say: Say): void {
  const when = fields.get(date);
  if (!when?.kind.isDate || !when.isStored) say(`date "${date}" is no stored date.`);
  const day = allDay === undefined ? undefined : fields.get(allDay);
  if (allDay !== undefined && !(day?.kind.isBoolean && day.isStored)) say(`allDay "${allDay}" is no stored boolean.`);
  for (const shown of shows) if (!fields.has(shown)) say(`shows "${shown}", which is no field.`);
}

function checkPlace({ of, about }: TimelineSpec, name: string, table: FieldTable, say: Say): void {
  if ((of === undefined) === (about === undefined)) {
    say(`has ${of === undefined ? 'neither' : 'both'} of and about: name one of them.`);
    return;
  }
  for (const path of about ? [about.model, about.id] : [of as string]) {
    const walked = walkPath(table, name, path.split('.'));
    if (typeof walked === 'string') say(walked);
    else if (about === undefined && walked.at(-1)?.spec.relation === undefined) say(`of "${path}" is no relation.`);
  }
}

function wherePaths({ where = [] }: TimelineSpec, say: Say): readonly string[] {
  try {
    return conditionsIn(parseAuthoredDomain(where)).map(({ path }) => path.join('.'));
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    say(`where does not fit: ${error.message}`);
    return [];
  }
}
