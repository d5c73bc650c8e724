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

/** The entries of a calendar or gantt, and their colours. */
export interface Planning {
  readonly fields: SpanFields | null;
  /** All loaded entries, and those that are not hidden by a legend. */
  readonly all: readonly Entry[];
  readonly shown: readonly Entry[];
  readonly colour: ArchField | undefined;
  readonly people: ArchField | undefined;
  /** Fields the user can colour by. */
  readonly colours: readonly ArchField[];
  /** Loads the fields that are not part of the view. */
  askColours(): void;
}

/** The records of a workspace as entries, live and including unconfirmed changes, without those hidden by a legend. */
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

/** The colour field that the user chose may not be part of the view. */
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

/** Hidden values, as in the URL; `-` stands for no value. */
export function hiddenKeys(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(',').flatMap((key) => (key === '' ? [] : key === '-' ? '' : key)));
}

/** Navigates to another period, scale, colour or filter. An empty string removes a parameter. */
export function goTo(search: SearchState, change: Readonly<Record<string, string>>, isReplace = false): void {
  const extra = { ...search.extra, ...change };
  void navigate(toHref(refine(search, { extra })), { keepTrail: true, isReplace });
}

/** The current local time, updated every minute. */
export function useNow(): number {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return at;
}
