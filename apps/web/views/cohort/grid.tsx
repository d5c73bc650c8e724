import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import {
  type Analysis,
  announce,
  formatBucket,
  formatFigure,
  formatShare,
  formatShort,
  MenuList,
  openRecords,
  Popover,
  readingKey,
  t,
  tn,
} from '../../door/index.ts';
import type { CohortCell, CohortChoice, CohortLine, CohortTable } from './cohort-table.ts';

interface GridProps {
  readonly analysis: Analysis;
  readonly table: CohortTable;
  readonly choice: CohortChoice;
  readonly code: string | null;
}

interface Place {
  readonly line: number;
  readonly age: number;
}

/** One line per period, shaded by share. One cell has the focus; arrow keys move it. */
export function CohortGrid(props: GridProps) {
  const { analysis, table } = props;
  const lines = [...table.lines, ...(table.all ? [table.all] : [])];
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Place>({ line: 0, age: 0 });
  const [menu, setMenu] = useState<Place | null>(null);
  const cellAt = ({ line, age }: Place) => lines[line]?.cells[age];
  const move = (place: Place) => {
    if (!cellAt(place)) return;
    setActive(place);
    grid.current?.querySelector<HTMLElement>(`[data-place="${place.line} ${place.age}"]`)?.focus();
  };
  const open = (place: Place) => {
    setActive(place);
    setMenu(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[readingKey(event.key)];
    const cell = cellAt(active);
    if (step) {
      event.preventDefault();
      const line = active.line + step.line;
      const last = (lines[line]?.cells.length ?? 0) - 1;
      return move({ line, age: Math.max(0, Math.min(last, active.age + step.age)) });
    }
    const isMenu = isMenuKey(event);
    if (!cell || (!isMenu && event.key !== 'Enter')) return;
    event.preventDefault();
    if (isMenu) setMenu(active);
    else openRecords(analysis, cell.domain);
  };
  return (
    <div className="fill anchor scroll digits cohort">
      <Legend />
      <table ref={grid} role="grid" aria-label={t('{title} by start date', { title: analysis.workspace.arch.title })}>
        <Head {...props} activeAge={active.age} />
        <tbody onKeyDown={onKeyDown}>
          {lines.map((line, at) => (
            <Line key={line.start ?? 'all'} {...props} {...{ line, at, active }} onOpen={open} />
          ))}
        </tbody>
      </table>
      {menu && (
        <CellMenu
          {...props}
          line={lines[menu.line] as CohortLine}
          cell={cellAt(menu) as CohortCell}
          anchorPlace={`${menu.line} ${menu.age}`}
          grid={grid.current}
          onDone={() => {
            setMenu(null);
            move(menu);
          }}
        />
      )}
    </div>
  );
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey) || key === ' ';
}

function Head({ analysis, table, choice, activeAge }: GridProps & { readonly activeAge: number }) {
  const { fields } = analysis.workspace.arch;
  const start = fields.find(({ name }) => name === choice.start)?.label ?? choice.start;
  return (
    <thead>
      <tr>
        <th scope="col" className="stick at-top surface small medium mut nowrap">
          {start}
        </th>
        <th scope="col" className="stick at-top surface small medium mut nowrap num">
          {choice.measure.label}
        </th>
        {[...Array(table.ages + 1).keys()].map((age) => (
          <th
            key={age}
            scope="col"
            className={`stick at-top surface small medium mut nowrap centred ${activeAge === age ? 'is-active' : ''}`}
            aria-label={ageWords(choice.interval, age)}
          >
            {age === 0 ? firstWords(choice.interval) : `+${age}`}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const steps: Readonly<Record<string, Place>> = {
  ArrowUp: { line: -1, age: 0 },
  ArrowDown: { line: 1, age: 0 },
  ArrowLeft: { line: 0, age: -1 },
  ArrowRight: { line: 0, age: 1 },
  Home: { line: 0, age: Number.NEGATIVE_INFINITY },
  End: { line: 0, age: Number.POSITIVE_INFINITY },
};

interface LineProps extends GridProps {
  readonly line: CohortLine;
  readonly at: number;
  readonly active: Place;
  onOpen(place: Place): void;
}

function Line({ analysis, table, choice, code, line, at, active, onOpen }: LineProps) {
  const { arch } = analysis.workspace;
  const isAll = line.start === null;
  const short = (value: CohortCell['value']) => shortFigure(analysis, choice, value);
  return (
    <tr className={isAll ? 'cohort-all' : ''}>
      <th scope="row">{isAll ? t('All') : formatBucket(line.start ?? '')}</th>
      <td className="num" role="gridcell" tabIndex={-1}>
        <button
          type="button"
          className="least-24 accents underlines"
          onClick={() => openRecords(analysis, line.domain)}
        >
          {formatFigure(arch, choice.measure, line.whole, code)}
        </button>
      </td>
      {[...Array(table.ages + 1).keys()].map((age) => {
        const cell = line.cells[age];
        if (!cell)
          return (
            <td
              key={age}
              role="gridcell"
              tabIndex={-1}
              className="framed round-s centred cohort-later"
              aria-label={t('In the future')}
            />
          );
        const place = { line: at, age };
        const isActive = active.line === at && active.age === age;
        return (
          <td
            key={age}
            role="gridcell"
            tabIndex={isActive ? 0 : -1}
            data-place={`${at} ${age}`}
            className={`ink pointer round-s centred cohort-cell ${(cell.share ?? 0) >= 0.95 ? 'is-full' : ''}`}
            style={isAll ? undefined : ({ '--share': `${shadeOf(cell.share)}%` } as CSSProperties)}
            onClick={() => onOpen(place)}
            onContextMenu={(event) => {
              event.preventDefault();
              onOpen(place);
            }}
          >
            <b className="strong block">
              {cell.share === null ? '–' : formatShare(Math.round(cell.share * 100) / 100)}
            </b>
            <span className="tiny">
              {isAll
                ? t('{part} of {whole}', { part: short(cell.value), whole: short(cell.whole) })
                : short(cell.value)}
            </span>
          </td>
        );
      })}
    </tr>
  );
}

/** The strength of the colour: text stays dark on it up to 95 %. */
function shadeOf(share: number | null): number {
  if (share === null) return 0;
  return share >= 0.95 ? 88 : Math.round(Math.max(0, share) * 48);
}

function shortFigure({ workspace }: Analysis, { measure }: CohortChoice, value: CohortCell['value']): string {
  if (value === null || value === undefined) return '';
  return measure.measure === 'count' ? formatFigure(workspace.arch, measure, value) : formatShort(Number(value));
}

function Legend() {
  return (
    <div className="row end small mut stick at-front cohort-legend" aria-hidden="true">
      {formatShare(0)}
      <span className="round-4" />
      {formatShare(1)}
    </div>
  );
}

interface CellMenuProps extends GridProps {
  readonly line: CohortLine;
  readonly cell: CohortCell;
  readonly anchorPlace: string;
  readonly grid: HTMLElement | null;
  onDone(): void;
}

/** A cell in words, and a link to its records. */
function CellMenu({ analysis, choice, code, line, cell, anchorPlace, grid, onDone }: CellMenuProps) {
  const anchor = useRef(grid?.querySelector<HTMLElement>(`[data-place="${anchorPlace}"]`) ?? null);
  const { arch } = analysis.workspace;
  const title = [line.start === null ? t('All') : formatBucket(line.start), ageWords(choice.interval, cell.age)].join(
    ', ',
  );
  const figure = (value: CohortCell['value']) => formatFigure(arch, choice.measure, value, code);
  const words = { part: figure(cell.value), whole: figure(cell.whole) };
  const others = cell.began - cell.count;
  return (
    <Popover anchor={anchor} onClose={onDone} className="least-wide-260">
      <div className="small mut pad-2-3 lined below-1 cohort-menu-head">
        <span className="strong">{title}</span>
        <p className="normal above-1">
          {cell.share !== null && <b className="strong ink">{formatShare(cell.share)}</b>}{' '}
          {choice.isLeft ? t('{part} of {whole} left', words) : t('{part} of {whole} remaining', words)}
        </p>
      </div>
      <MenuList
        label={title}
        onDone={onDone}
        entries={[
          {
            key: 'open',
            label: tn('Open {n} record', 'Open {n} records', cell.count),
            icon: 'list',
            hint: 'Enter',
            isDisabled: cell.count === 0,
            run: () => openRecords(analysis, cell.domain),
          },
          {
            key: 'others',
            label: choice.isLeft
              ? tn('Open the {n} who stayed', 'Open the {n} who stayed', others)
              : tn('Open the {n} who left', 'Open the {n} who left', others),
            icon: 'list',
            isDisabled: others === 0,
            run: () => openRecords(analysis, cell.others),
          },
          {
            key: 'copy',
            label: t('Copy'),
            icon: 'copy',
            section: '',
            run: () => void navigator.clipboard?.writeText(words.part).then(() => announce(t('Copied'))),
          },
        ]}
      />
    </Popover>
  );
}

function firstWords(interval: string): string {
  return (
    { day: t('Day 0'), week: t('Week 0'), month: t('Month 0'), quarter: t('Quarter 0'), year: t('Year 0') }[interval] ??
    '0'
  );
}

function ageWords(interval: string, n: number): string {
  switch (interval) {
    case 'day':
      return tn('{n} day later', '{n} days later', n);
    case 'week':
      return tn('{n} week later', '{n} weeks later', n);
    case 'month':
      return tn('{n} month later', '{n} months later', n);
    case 'quarter':
      return tn('{n} quarter later', '{n} quarters later', n);
    default:
      return tn('{n} year later', '{n} years later', n);
  }
}
