import type { Box } from './layout.ts';

const gap = 1.5;

/** All bars of a series as one path: five thousand bars paint as fast as one. */
export function barsPath(boxes: readonly (Box | null)[], isShown: (at: number) => boolean, isStacked: boolean): string {
  let path = '';
  for (const [at, box] of boxes.entries()) {
    if (!box || !isShown(at) || box.height <= 0) continue;
    path += barPath(box, isStacked);
  }
  return path;
}

export function barPath({ x, y, width, height }: Box, isStacked: boolean): string {
  // A thin gap between stacked bars, if there is room.
  const cut = isStacked && height > 4 * gap ? gap : 0;
  const [top, tall] = [y + cut, height - cut];
  const round = Math.min(2, width / 4, tall / 2);
  if (round < 0.8) return `M${n(x)} ${n(top)}h${n(width)}v${n(tall)}h${n(-width)}z`;
  const r = n(round);
  const [w, h] = [n(width - 2 * round), n(tall - 2 * round)];
  return `M${n(x + round)} ${n(top)}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 -${r} ${r}h-${w}a${r} ${r} 0 0 1 -${r} -${r}v-${h}a${r} ${r} 0 0 1 ${r} -${r}z`;
}

/** A line through the tops, interrupted where there is no value. */
export function linePath(boxes: readonly (Box | null)[]): string {
  let path = '';
  let isOpen = false;
  for (const box of boxes) {
    if (box) path += `${isOpen ? 'L' : 'M'}${n(box.x)} ${n(box.y)}`;
    isOpen = box !== null;
  }
  return path;
}

/** The area between a line and the one below it. */
export function areaPath(boxes: readonly (Box | null)[]): string {
  const drawn = boxes.filter((box) => box !== null);
  const back = [...drawn].reverse();
  if (drawn.length === 0) return '';
  const top = drawn.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`);
  return `${top.join('')}${back.map(({ x, y, height }) => `L${n(x)} ${n(y + height)}`).join('')}z`;
}

/** A slice of a ring; from 0 to 1, clockwise from the top. */
export function slicePath(centre: readonly [number, number], radius: number, from: number, to: number): string {
  const inner = radius * 0.6;
  // An arc cannot end where it begins, so a full ring ends slightly earlier.
  const end = Math.min(to, from + 0.99999);
  const at = (share: number, r: number) => {
    const angle = share * 2 * Math.PI;
    return `${n(centre[0] + r * Math.sin(angle))} ${n(centre[1] - r * Math.cos(angle))}`;
  };
  const large = end - from > 0.5 ? 1 : 0;
  const [R, r] = [n(radius), n(inner)];
  return `M${at(from, radius)}A${R} ${R} 0 ${large} 1 ${at(end, radius)}L${at(end, inner)}A${r} ${r} 0 ${large} 0 ${at(from, inner)}z`;
}

function n(value: number): number {
  return Math.round(value * 10) / 10;
}
