import { useMemo, useRef, useState } from 'react';
import { Button, type Entry, Popover, t } from '../../door/index.ts';
import { isBroken, type Link, removeLink } from './dependencies.ts';
import { useGantt } from './gantt-context.ts';
import type { GanttRow } from './rows.ts';
import { shareOf } from './time-axis.ts';

interface LinkLinesProps {
  readonly rows: readonly GanttRow[];
  readonly rowHeight: number;
  /** The range of rendered rows. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** The origin of the lines, for the line that is being drawn. */
  readonly root: React.RefObject<HTMLElement | null>;
}

interface Chosen {
  readonly link: Link;
  readonly x: number;
  readonly y: number;
}

/** Dependency lines, below the bars. Clicking a line offers to remove it. */
export function LinkLines({ rows, rowHeight, from, to, width, root }: LinkLinesProps) {
  const { links, held, critical, axis } = useGantt();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  const places = useMemo(() => placesOf(rows), [rows]);
  const moved = (entry: Entry): Entry =>
    held?.place && held.grip.part !== 'link' && held.grip.entry.id === entry.id
      ? { ...entry, ...held.place.span }
      : entry;
  const seen = links.flatMap((link) => {
    const [first, last] = [places.get(link.from.id), places.get(link.to.id)];
    if (first === undefined || last === undefined) return [];
    // Draw only lines that cross the visible rows.
    if (Math.max(first, last) < from || Math.min(first, last) > to) return [];
    return [{ link: { from: moved(link.from), to: moved(link.to) }, first, last }];
  });
  const [height, middle] = [rows.length * rowHeight, (index: number) => index * rowHeight + rowHeight / 2];
  const x = (local: number) => Math.min(Math.max(shareOf(axis, local), -0.02), 1.02) * width;
  const pulled = held?.grip.part === 'link' ? held : null;
  return (
    <>
      <svg className="wide-only pin at-back above spill pass gantt-lines" {...{ width, height }} aria-hidden="true">
        {seen.map(({ link, first, last }) => {
          const path = linePath(
            { x: x(link.from.end), y: middle(first) },
            { x: x(link.to.start), y: middle(last) },
            rowHeight,
          );
          const isCritical = critical.has(link.from.id) && critical.has(link.to.id);
          return (
            <g
              key={`${link.from.id}-${link.to.id}`}
              className={`gantt-line ${isBroken(link) ? 'is-broken' : ''} ${isCritical ? 'is-critical' : ''}`}
              data-link={`${link.from.id}-${link.to.id}`}
            >
              <path
                className="pointer gantt-line-hit"
                d={path}
                onClick={(event) => setChosen({ link, x: event.clientX, y: event.clientY })}
              />
              <path d={path} />
              <path className="gantt-arrow" d={`M ${x(link.to.start) - 1} ${middle(last)} l -6 -3.5 v 7 z`} />
            </g>
          );
        })}
        {pulled?.place && (
          <PulledLine x={x(pulled.grip.entry.end)} y={middle(places.get(pulled.grip.entry.id) ?? 0)} root={root} />
        )}
      </svg>
      {chosen && (
        <>
          <span ref={anchor} className="gantt-anchor" style={{ left: chosen.x, top: chosen.y }} />
          <LinkMenu link={chosen.link} anchor={anchor} onClose={() => setChosen(null)} />
        </>
      )}
    </>
  );
}

function placesOf(rows: readonly GanttRow[]): ReadonlyMap<number, number> {
  return new Map(rows.flatMap((row, index) => (row.kind === 'bar' ? [[row.entry.id, index] as const] : [])));
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** From the end of one bar to the start of another, around the bars between them. */
function linePath(from: Spot, to: Spot, rowHeight: number): string {
  const out = from.x + 8;
  if (to.x - 10 >= out) return `M ${from.x} ${from.y} H ${out} V ${to.y} H ${to.x - 2}`;
  const between = to.y > from.y ? to.y - rowHeight / 2 : to.y + rowHeight / 2;
  return `M ${from.x} ${from.y} H ${out} V ${between} H ${to.x - 10} V ${to.y} H ${to.x - 2}`;
}

function PulledLine({ x, y, root }: Spot & Pick<LinkLinesProps, 'root'>) {
  const { held } = useGantt();
  const box = root.current?.querySelector('.gantt-lines')?.getBoundingClientRect();
  if (!held?.place || !box) return null;
  const isMirrored = document.documentElement.dir === 'rtl';
  const to = { x: isMirrored ? box.right - held.place.x : held.place.x - box.left, y: held.place.y - box.top };
  return <path className="gantt-pulled" d={`M ${x} ${y} L ${to.x} ${to.y}`} />;
}

interface LinkMenuProps {
  readonly link: Link;
  readonly anchor: React.RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

function LinkMenu({ link, anchor, onClose }: LinkMenuProps) {
  const { workspace, gantt } = useGantt();
  const { from, to } = link;
  const remove = () => {
    onClose();
    void removeLink({ model: workspace.model, field: gantt.dependencies ?? '', from, to });
  };
  return (
    <Popover anchor={anchor} onClose={onClose} className="pad-3 wide-280 gantt-link-menu">
      <p className="below-2">{t('{name} waits for {first}', { name: to.title, first: from.title })}</p>
      <Button icon="x" autoFocus onClick={remove}>
        {t('Remove the dependency')}
      </Button>
    </Popover>
  );
}
