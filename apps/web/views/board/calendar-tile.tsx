import {
  addDays,
  type CalendarArch,
  fieldType,
  formatBucket,
  formatDate,
  formatInteger,
  locale,
  t,
  timeZone,
  tn,
  today,
  toLocalInput,
  weekdayNames,
  weekStart,
} from '../../door/index.ts';
import { type TileProps, viewProps } from './tile-view.ts';
import './calendar-tile.css';

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly day: string;
  readonly last: string;
  /** Empty for a whole day. */
  readonly time: string;
}

/** The month with a dot for each entry, and what comes next below it. */
export function CalendarTile(props: TileProps) {
  const { workspace } = viewProps(props);
  const { arch, records } = workspace;
  const calendar = arch.calendar as CalendarArch;
  const now = today();
  const month = now.slice(0, 7);
  const entries = records.map((record) => entryOf(arch.fields, calendar, record)).filter(({ day }) => day !== '');
  const next = entries.filter(({ last }) => last >= now).sort((one, other) => order(one).localeCompare(order(other)));
  return (
    <div className="column fill tile-calendar">
      <table aria-label={formatBucket(month)}>
        <thead>
          <tr>
            {weekdayNames('long').map((name) => (
              <th className="tiny mut medium" key={name} scope="col" abbr={name}>
                {[...name][0]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className={day.startsWith(month) ? undefined : 'is-other'}>
                  <Day
                    day={day}
                    href={`/web?${props.tile.query}&date=${day}`}
                    isToday={day === now}
                    count={entries.filter((entry) => entry.day <= day && day <= entry.last).length}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {next.length > 0 ? (
        <ul className="share tile-agenda fill">
          {next.slice(0, 3).map((entry) => (
            <li className="line apart gap-2" key={entry.id}>
              <b className="cut medium">{entry.name}</b>
              <span className="mut nowrap">
                {entry.day === now && entry.time ? entry.time : formatDate(later(entry.day, now))}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="centred tile-empty">{t('Nothing ahead this month.')}</p>
      )}
    </div>
  );
}

interface DayProps {
  readonly day: string;
  readonly href: string;
  readonly isToday: boolean;
  readonly count: number;
}

function Day({ day, href, isToday, count }: DayProps) {
  const label = `${formatDate(day)}${count > 0 ? `, ${tn('{n} entry', '{n} entries', count)}` : ''}`;
  return (
    <a className="anchor small digits" href={href} aria-label={label} aria-current={isToday ? 'date' : undefined}>
      {formatInteger(Number(day.slice(8)))}
      <i aria-hidden="true">{'•'.repeat(Math.min(3, count))}</i>
    </a>
  );
}

function order({ day, time }: Entry): string {
  return `${day} ${time}`;
}

function entryOf(
  fields: TileProps['screen']['arch']['fields'],
  { start, stop, title }: CalendarArch,
  record: Readonly<Record<string, unknown>> & { readonly id: number },
): Entry {
  const isInstant = fieldType(fields.find(({ name }) => name === start)?.type).isInstant;
  const at = (value: unknown) => (typeof value === 'string' ? (isInstant ? toLocalInput(value) : value) : '');
  const begin = at(record[start]);
  const end = stop ? at(record[stop]) : '';
  const name = String(record[title] ?? record.display_name ?? '');
  const time = isInstant && begin ? clockText(String(record[start])) : '';
  return { id: record.id, name, day: begin.slice(0, 10), last: later(end, begin).slice(0, 10), time };
}

/** ISO texts sort as the times they say. */
function later(one: string, other: string): string {
  return one.localeCompare(other) > 0 ? one : other;
}

function clockText(instant: string): string {
  const format = new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone: timeZone() });
  return format.format(new Date(instant));
}

/** Whole weeks that hold the month. */
function weeksOf(month: string): readonly (readonly string[])[] {
  const first = weekStart(`${month}-01`);
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(first, week * 7 + index)),
  );
  return weeks.filter((week) => week.some((day) => day.startsWith(month)));
}
