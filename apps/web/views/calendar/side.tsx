import {
  type ArchField,
  Button,
  dayOf,
  formatDecimal,
  formatInteger,
  goTo,
  hiddenKeys,
  hoursKey,
  legendOf,
  legendQuestion,
  Menu,
  MonthGrid,
  type Shade,
  startOf,
  t,
  timeText,
  timeZone,
  useFigures,
} from '../../door/index.ts';
import { useCalendar } from './calendar-context.ts';
import { entryLines } from './entry.tsx';
import type { Period } from './period.ts';

/** Beside the calendar: a small month, legends that filter by colour and by person, and the next entries of today. */
export function Side({ period, onDate }: { readonly period: Period; readonly onDate: (day: string) => void }) {
  const { planning } = useCalendar();
  const { colour, people } = planning;
  const isMarked = (day: string) => period.mode !== 'month' && day >= period.from && day < period.to;
  return (
    <>
      <MonthGrid
        key={period.date}
        value={period.date}
        isMarked={isMarked}
        onChoose={(day) => day !== null && onDate(day)}
      />
      <Legend field={colour} name="hide_color" period={period} hasChoice />
      {people && people.name !== colour?.name && <Legend field={people} name="hide_people" period={period} />}
      <NextToday />
      <p className="tiny dim above-4">{t('Times in {zone}', { zone: timeZone() })}</p>
    </>
  );
}

interface LegendProps {
  readonly field: ArchField | undefined;
  /** The URL parameter that holds the hidden values. */
  readonly name: 'hide_color' | 'hide_people';
  readonly period: Period;
  /** The user can choose another field for the colour. */
  readonly hasChoice?: boolean;
}

/** Legend and filter in one. */
function Legend({ field, name, period, hasChoice = false }: LegendProps) {
  const { planning, search } = useCalendar();
  const amounts = useAmounts(field, period);
  const [from, to] = [startOf(period.from), startOf(period.to)];
  const visible = planning.all.filter((entry) => entry.start < to && entry.end > from);
  const rows = field ? legendOf(visible, field) : [];
  const hidden = hiddenKeys(search.extra[name]);
  const keep = (keys: readonly string[]) => goTo(search, { [name]: keys.map((key) => key || '-').join(',') }, true);
  const tick = ({ key }: Shade) => keep(hidden.has(key) ? [...hidden].filter((one) => one !== key) : [...hidden, key]);
  if (rows.length === 0 && !hasChoice) return null;
  return (
    <fieldset className="shrink anchor above-4 calendar-legend">
      <legend className="small strong mut below-1">{field?.label ?? t('Colour')}</legend>
      {hasChoice && <ColourChoice />}
      {rows.map((row) => (
        <label
          className="row target pointer"
          key={row.key}
          style={{ '--c': name === 'hide_color' ? row.colour : undefined } as React.CSSProperties}
        >
          <input type="checkbox" className="box" checked={!hidden.has(row.key)} onChange={() => tick(row)} />
          <span className="grow cut">{row.label}</span>
          <span className="small dim digits">{amounts.get(row.key)}</span>
        </label>
      ))}
      {hidden.size > 0 && (
        <Button kind="bare" onClick={() => keep([])}>
          {t('Show all')}
        </Button>
      )}
    </fieldset>
  );
}

/** Hours per value if the view defines them, otherwise counts, as computed by the database. */
function useAmounts(field: ArchField | undefined, period: Period): ReadonlyMap<string, string> {
  const { workspace, calendar } = useCalendar();
  const { arch } = workspace;
  const asked = { domain: arch.domain ?? [], arch: calendar, fields: arch.fields, days: period };
  const question = field?.groupable ? legendQuestion(asked, field.name) : null;
  const rows = useFigures(workspace, [question]).rows?.[0] ?? [];
  return new Map(
    rows.map((row) => {
      const hours = Number(row[hoursKey] ?? 0);
      const words =
        hours > 0 ? t('{n} h', { n: formatDecimal(Math.round(hours * 10) / 10) }) : formatInteger(row.__count);
      return [String(row[field?.name ?? ''] ?? ''), words];
    }),
  );
}

function ColourChoice() {
  const { planning, search } = useCalendar();
  const { colours, colour } = planning;
  return (
    <Menu
      label={t('Colour by')}
      align="end"
      entries={colours.map((field) => ({
        key: field.name,
        label: field.label,
        isChecked: field.name === colour?.name,
        run: () => goTo(search, { color: field.name, hide_color: '' }, true),
      }))}
      trigger={({ onClick, ...props }) => (
        <button
          type="button"
          className="small dim round-s pin least-24 pad-x-1 hovers inks at-back calendar-by"
          {...props}
          onClick={(event) => {
            planning.askColours();
            onClick?.(event);
          }}
        >
          <span className="sr-only">{t('Colour by')}</span>
          <span aria-hidden="true">{t('Change')}</span>
        </button>
      )}
    />
  );
}

const shownNext = 4;

function NextToday() {
  const { planning, now, workspace } = useCalendar();
  const next = planning.shown
    .filter((entry) => !entry.isAllDay && dayOf(entry.start) === dayOf(now) && entry.start >= now)
    .toSorted((a, b) => a.start - b.start)
    .slice(0, shownNext);
  if (next.length === 0) return null;
  return (
    <section className="above-4 calendar-next">
      <h3 className="small strong mut below-1">{t('Up next today')}</h3>
      <ul className="stack">
        {next.map((entry) => (
          <li className="stack gap-2 rows-0 calendar-next-entry" key={entry.id}>
            <span className="dim digits nowrap">{timeText(entry.start)}</span>
            <b className="semi">{entry.title}</b>
            <span className="small dim calendar-next-lines">{entryLines(workspace, entry).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
