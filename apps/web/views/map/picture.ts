import { saveFile, toPng } from '../../door/index.ts';
import { type Cluster, clusterSize } from './clusters.ts';
import { seenParts } from './ground.tsx';
import type { Label } from './labels.ts';
import { pinPath } from './marks.tsx';
import { type MapView, onScreen, type Point, type Size, worldWidth } from './mercator.ts';
import { worldFor } from './world.ts';

interface Picture {
  readonly view: MapView;
  readonly size: Size;
  readonly clusters: readonly Cluster[];
  readonly labels: readonly Label[];
  /** Screen positions of the stops of the route. */
  readonly stops: readonly Point[];
  readonly credit: string;
  /** The map element, whose colours the picture uses. */
  readonly surface: HTMLElement;
}

/** Downloads the map in the colours of the theme. Tiles are left out for copyright reasons. */
export async function downloadMap(picture: Picture, name: string, format: 'svg' | 'png'): Promise<void> {
  const { width, height } = picture.size;
  const file = new Blob([drawing(picture)], { type: 'image/svg+xml' });
  saveFile(format === 'svg' ? file : await toPng(file, width, height), `${name}.${format}`);
}

function drawing({ view, size, clusters, labels, stops, credit, surface }: Picture): string {
  const { width, height } = size;
  const ground = getComputedStyle(surface.querySelector('.map-ground') as Element);
  const look = getComputedStyle(surface);
  const [accent, ink] = [look.getPropertyValue('border-top-color'), look.getPropertyValue('color')];
  const onAccent = look.getPropertyValue('caret-color');
  const text = (label: string, x: number, y: number, rest: string) =>
    `<text x="${round(x)}" y="${round(y)}" text-anchor="middle" ${rest}>${asText(label)}</text>`;
  const marks = clusters.map((cluster) => {
    const { x, y } = onScreen(view, size, cluster.at);
    if (cluster.count === 1) {
      return `<g transform="translate(${round(x - 11)} ${round(y - 27)}) scale(0.92)"><path d="${pinPath}" fill="${accent}"/><circle cx="12" cy="11" r="4" fill="${onAccent}"/></g>`;
    }
    const number = text(String(cluster.count), x, y + 4, `font-size="12" font-weight="650" fill="${onAccent}"`);
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(clusterSize(cluster.count) / 2)}" fill="${accent}"/>${number}`;
  });
  const names = labels.map(({ text: name, x, y, kind }) =>
    text(name, x, y + 4, `font-size="11" fill="${ink}" opacity="${kind === 'country' ? 0.7 : 1}"`),
  );
  const route = stops.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, sans-serif">
<rect width="${width}" height="${height}" fill="${ground.backgroundColor}"/>
<path d="${landPath(view, size)}" fill="${ground.color}" stroke="${ground.borderTopColor}" stroke-width="0.8" stroke-linejoin="round" fill-rule="evenodd"/>
${route && `<polyline points="${route}" fill="none" stroke="${accent}" stroke-width="2.5" stroke-dasharray="6 5"/>`}
${names.join('')}${marks.join('')}
<text x="${width - 8}" y="${height - 8}" text-anchor="end" font-size="10" fill="${ink}">${asText(credit)}</text>
</svg>`;
}

/** Points that fall on the same pixel are skipped. */
function landPath(view: MapView, size: Size): string {
  const across = worldWidth(view.zoom);
  return seenParts(worldFor(view.zoom).world ?? [], view, size)
    .flatMap(({ country, copy }) =>
      country.rings.map((ring) => {
        let [last, path] = ['', ''];
        for (const point of ring) {
          const x = (size.width / 2 + (point.x + copy - view.x) * across).toFixed(1);
          const y = (size.height / 2 + (point.y - view.y) * across).toFixed(1);
          const at = `${Math.round(Number(x))} ${Math.round(Number(y))}`;
          if (at === last) continue;
          last = at;
          path += `${path === '' ? 'M' : 'L'}${x} ${y}`;
        }
        return `${path}Z`;
      }),
    )
    .join('');
}

function round(value: number): string {
  return value.toFixed(1);
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function asText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => signs[sign] as string);
}
