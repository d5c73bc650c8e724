import { type RefObject, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { t, usePhone, useRowHeight } from '../../door/index.ts';
import { labelWidth } from '../table/label-width.ts';
import { figureText, nodeLabel } from './figure-text.ts';
import type { GridProps, Layout, Place, Unit } from './grid-props.ts';
import type { AxisNode, ShownRow } from './pivot-table.ts';

const letter = 7.4;
const padding = 22;
/** Heads are in smaller letters, and longer in most languages than their figures. */
const headWidth = (label: string) => labelWidth(label.slice(0, 30), 7.2) + padding;

/** On a phone half of the screen is for figures. */
const namesOnPhone = { least: 132, most: 206 };

/** Each column is as wide as the widest total of its measures, and as the longest title, within bounds. */
export function useLayout({ analysis, measures, shown, before, share }: GridProps): Layout {
  const rowHeight = useRowHeight();
  const isPhone = usePhone();
  const { workspace, columns, groupBy } = analysis;
  return useMemo(() => {
    const { table, across } = shown;
    const units: Unit[] = [];
    let at = 0;
    for (const measure of measures) {
      const texts = [table.rows, ...(table.rows.children ?? [])].map((row) =>
        figureText(workspace.arch, { table, row, column: table.columns }, measure, 'value'),
      );
      const shares = share === 'value' ? [] : ['100.0 %'];
      const longest = Math.max(...[...texts, ...shares].map((text) => Math.min(18, text.length)));
      const width = Math.max(58, Math.ceil(longest * letter) + padding, headWidth(measure.label));
      units.push({ measure, isChange: false, width, at });
      at += width;
      if (!before) continue;
      const change = Math.max(76, headWidth(t('Difference')));
      units.push({ measure, isChange: true, width: change, at });
      at += change;
    }
    const labels = across.columns.map(({ node }) => nodeLabel(workspace.arch, columns, node).length);
    const wanted = Math.ceil(Math.min(16, Math.max(0, ...labels)) * letter) + padding;
    const last = units.at(-1);
    if (last && wanted > at) {
      units[units.length - 1] = { ...last, width: last.width + wanted - at };
      at = wanted;
    }
    return {
      units,
      width: at,
      nameWidth: isPhone ? namesWidth(shown.rows, (node) => nodeLabel(workspace.arch, groupBy, node)) : 224,
      rowHeight,
      headHeight: rowHeight * (across.levels + 1),
      columns: across.columns.length,
    };
  }, [shown, measures, workspace.arch, columns, groupBy, before, share, isPhone, rowHeight]);
}

function namesWidth(rows: readonly ShownRow[], labelOf: (node: AxisNode) => string): number {
  const widths = rows.map(({ node, depth }) => labelOf(node).length * letter + depth * 18 + padding);
  return Math.ceil(Math.min(namesOnPhone.most, Math.max(namesOnPhone.least, ...widths)));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The visible columns, and two more on each side. */
export function useColumnsInSight(scroll: RefObject<HTMLElement | null>, { width, nameWidth, columns }: Layout): Span {
  const [seen, setSeen] = useState<Span>({ from: 0, to: 30 });
  useEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const look = () => {
      // In right-to-left pages `scrollLeft` is negative.
      const at = Math.abs(element.scrollLeft);
      const from = Math.max(0, Math.floor(at / width) - 2);
      const to = Math.ceil((at + element.clientWidth - nameWidth) / width) + 2;
      setSeen((now) => (now.from === from && now.to === to ? now : { from, to }));
    };
    const onScroll = () => flushSync(look);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroll, width, nameWidth]);
  return { from: Math.min(seen.from, Math.max(0, columns - 1)), to: Math.min(seen.to, columns - 1) };
}

export function showColumn(element: HTMLElement | null, { units, width, nameWidth }: Layout, { column }: Place): void {
  if (!element || column < 0) return;
  const unit = units[column % units.length] as Unit;
  const start = Math.floor(column / units.length) * width + unit.at;
  const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1;
  const now = Math.abs(element.scrollLeft);
  const room = element.clientWidth - nameWidth;
  if (start < now) element.scrollLeft = sign * start;
  else if (start + unit.width > now + room) element.scrollLeft = sign * (start + unit.width - room);
}
