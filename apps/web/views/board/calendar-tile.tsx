import {
  addDays,
  type CalendarArch,
  dayOf,
  daysOf,
  type Entry,
  formatBucket,
  formatDate,
  formatInteger,
  spanFields,
  t,
  timeText,
  tn,
  today,
  toEntries,
  weekdayNames,
  weekStart,
} from '../../door/index.ts';
import { type TileProps, viewProps } from './tile-view.ts';
import './calendar-tile.css';

/** A month with a dot for each entry, and the next entries below it. */
export function CalendarTile(props: TileProps) {
  const { workspace } = viewProps(props);
  const { arch, records } = workspace;
  const calendar = arch.calendar as CalendarArch;
  const [now, month] = [today(), today().slice(0, 7)];
  const fields = spanFields(arch, calendar);
  const entries = fields ? toEntries(records, fields, calendar.title) : [];
  const { from, to, dayCounts } = calendar;
  const loaded = new Map<string, number>();
  for (const entry of entries) for (const day of daysOf(entry, from, to)) loaded.set(day, (loaded.get(day) ?? 0) + 1);
  // If there are more entries than a tile loads, the server sends counts per day.
  const countOn = (day: string) => dayCounts?.[day] ?? loaded.get(day) ?? 0;
  const next = entries
    .filter((entry) => dayOf(Math.max(entry.start, entry.end - 1)) >= now)
    .sort((one, other) => one.start - other.start);
  return (
    <div className="column fill scroll-y tile-calendar">
      <table className="fixed full" aria-label={formatBucket(month)}>
        <thead>
          <tr>
            {weekdayNames('long').map((name) => (
              <th className="tiny mut medium centred" key={name} scope="col" abbr={name}>
                {[...name][0]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="pad-0 centred">
                  <Day
                    day={day}
                    href={`/web?${props.tile.query}&date=${day}`}
                    isToday={day === now}
                    isOther={!day.startsWith(month)}
                    count={countOn(day)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {next.length > 0 ? (
        <ul className="share topped scroll-y above-2 pad-t-2 tile-agenda fill">
          {next.slice(0, 3).map((entry) => (
            <li className="line apart gap-2 least-24 pad-s-2 below-1" key={entry.id}>
              <b className="cut cut-wide medium">{entry.title}</b>
              <span className="mut nowrap">{whenText(entry, now)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="centred small mut tile-empty">{t('Nothing ahead this month.')}</p>
      )}
    </div>
  );
}

interface DayProps {
  readonly day: string;
  readonly href: string;
  readonly isToday: boolean;
  readonly isOther: boolean;
  readonly count: number;
}

function Day({ day, href, isToday, isOther, count }: DayProps) {
  const look = isToday ? 'bg-accent strong' : `hovers ${isOther ? 'dim' : ''}`;
  const label = `${formatDate(day)}${count > 0 ? `, ${tn('{n} entry', '{n} entries', count)}` : ''}`;
  return (
    <a
      className={`anchor small digits ${look}`}
      href={href}
      aria-label={label}
      aria-current={isToday ? 'date' : undefined}
    >
      {formatInteger(Number(day.slice(8)))}
      <i className={`pin ${isToday ? '' : 'accent'}`} aria-hidden="true">
        {'•'.repeat(Math.min(3, count))}
      </i>
    </a>
  );
}

/** The time for entries that begin today, otherwise the day; entries that began earlier continue today. */
function whenText({ start, isAllDay }: Entry, now: string): string {
  const day = dayOf(start);
  if (day === now && !isAllDay) return timeText(start);
  return formatDate(day < now ? now : day);
}

/** The weeks that contain the month. */
function weeksOf(month: string): readonly (readonly string[])[] {
  const first = weekStart(`${month}-01`);
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(first, week * 7 + index)),
  );
  return weeks.filter((week) => week.some((day) => day.startsWith(month)));
}
