import { type ArchField, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useState } from 'react';
import { mergeFields, useModelFields } from '../../data/model-fields.ts';
import { useRecords } from '../../data/records.ts';
import { navigate } from '../../navigation/router.ts';
import { refine, type SearchState, toHref } from '../../search/search-state.ts';
import { shadesOf } from './colours.ts';
import { type Entry, type SpanFields, spanFields, toEntries } from './span.ts';
import { minuteMs, now } from './zone-clock.ts';

interface PlanningArch {
  readonly start: string;
  readonly stop?: string;
  readonly allDay?: string;
  readonly title: string;
  readonly color?: string;
  readonly people?: string;
}

/** The entries of a plan and what they are coloured by. */
export interface Planning {
  readonly fields: SpanFields | null;
  /** All that were loaded, and those that are not hidden by a tick beside them. */
  readonly all: readonly Entry[];
  readonly shown: readonly Entry[];
  readonly colour: ArchField | undefined;
  readonly people: ArchField | undefined;
  /** Fields that a person may colour by. */
  readonly colours: readonly ArchField[];
  /** Fetches those that the view does not name. */
  askColours(): void;
}

/** The records of a workspace in their places, live and with what is not confirmed, narrowed by what is ticked off. */
export function usePlanning(workspace: WorkspacePayload, arch: PlanningArch, search: SearchState): Planning {
  const records = useRecords(workspace.model, workspace.records);
  const [isAsking, setAsking] = useState(false);
  const more = useModelFields(workspace.model, isAsking || isForeign(workspace, arch.color));
  const known = useMemo(() => mergeFields(workspace.arch.fields, more), [workspace.arch.fields, more]);
  const { start, stop, allDay, title, color, people } = arch;
  const fields = useMemo(() => {
    const names = { start, ...(stop ? { stop } : {}), ...(allDay ? { allDay } : {}) };
    return spanFields(workspace.arch, names);
  }, [workspace.arch, start, stop, allDay]);
  const all = useMemo(() => (fields ? toEntries(records, fields, title) : []), [records, fields, title]);
  const find = (name: string | undefined) => known.find((one) => one.name === name);
  const [colour, who] = [find(color), find(people)];
  const hidden = `${search.extra.hide_color ?? ''}|${search.extra.hide_people ?? ''}`;
  const shown = useMemo(() => {
    const [colours, persons] = hidden.split('|').map(hiddenKeys) as [ReadonlySet<string>, ReadonlySet<string>];
    if (colours.size + persons.size === 0) return all;
    return all.filter(({ record }) => isSeen(record, colour, colours) && isSeen(record, who, persons));
  }, [all, colour, who, hidden]);
  const colours = known.filter(isColour);
  return { fields, all, shown, colour, people: who, colours, askColours: () => setAsking(true) };
}

/** A colour that a person chose may be no field of the view. */
function isForeign({ arch }: WorkspacePayload, color: string | undefined): boolean {
  return color !== undefined && !arch.fields.some(({ name }) => name === color);
}

function isColour({ type, stored, name }: ArchField): boolean {
  const { isToOne, isChoice } = fieldType(type);
  return stored && (isToOne || isChoice) && name !== 'create_uid' && name !== 'write_uid';
}

function isSeen(record: Entry['record'], field: ArchField | undefined, hidden: ReadonlySet<string>): boolean {
  return hidden.size === 0 || !field || shadesOf(record, field).some(({ key }) => !hidden.has(key));
}

/** Values that are ticked off, as the address has them; `-` is for none. */
export function hiddenKeys(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(',').flatMap((key) => (key === '' ? [] : key === '-' ? '' : key)));
}

/** Another period, scale, colour or filter: the address tells it. An empty text takes a key away. */
export function goTo(search: SearchState, change: Readonly<Record<string, string>>, isReplace = false): void {
  const extra = { ...search.extra, ...change };
  void navigate(toHref(refine(search, { extra })), { keepTrail: true, isReplace });
}

/** The present moment as a local time, minute by minute. */
export function useNow(): number {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return at;
}
